/* SPDX-License-Identifier: MIT */
/*
 * filesystems.bpf.h - what ext4 and xfs do for tasks of the job. Their tracepoints come in pairs; what a thread has begun lies in its storage: the same is not begun twice at once in a thread. One that fails on its way has no end,
 * and is not told.
 */
#ifndef RECORDER_BPF_FILESYSTEMS_BPF_H
#define RECORDER_BPF_FILESYSTEMS_BPF_H

#include "bpf/occurrences.bpf.h"

static __always_inline int fs_begin(enum fs_operation which, u64 first, u64 second)
{
	struct task_state *state = state_of(bpf_get_current_task_btf());
	struct fs_begun *begun;

	if (!state)
		return 0;
	begun = &state->fs[which];
	begun->first = first;
	begun->second = second;
	begun->begin = bpf_ktime_get_ns();
	return 0;
}

/* What begun holds goes before `third`. */
static __always_inline int fs_end(enum fs_operation which, u32 what, struct inode *inode, u64 third,
				  s64 result)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = state_of(task);
	struct occurrence_event event = {};
	struct fs_begun *begun;

	if (!state)
		return 0;
	begun = &state->fs[which];
	if (!begun->begin)
		return 0;
	begin_occurrence(&event, what, task, state);
	event.head.time = event.begin;
	event.begin = begun->begin;
	event.args[0] = begun->first;
	event.args[1] = begun->second;
	event.args[2] = third;
	event.result = result;
	if (inode)
		set_file(&event, task, inode);
	begun->begin = 0;
	tell_own(task, state, &event, what == OCCURRED_ext4_write && result > 0 ? result : 0);
	return 0;
}

SEC("tp_btf/ext4_da_write_begin")
int BPF_PROG(ext4_delayed_write_begins, struct inode *inode, s64 offset, unsigned int size)
{
	return fs_begin(FS_WRITE, offset, size);
}

SEC("tp_btf/ext4_da_write_end")
int BPF_PROG(ext4_delayed_write_ends, struct inode *inode, s64 offset, unsigned int size,
	     unsigned int copied)
{
	return fs_end(FS_WRITE, OCCURRED_ext4_write, inode, 1, copied);
}

SEC("tp_btf/ext4_write_begin")
int BPF_PROG(ext4_write_begins, struct inode *inode, s64 offset, unsigned int size)
{
	return fs_begin(FS_WRITE, offset, size);
}

SEC("tp_btf/ext4_write_end")
int BPF_PROG(ext4_write_ends, struct inode *inode, s64 offset, unsigned int size,
	     unsigned int copied)
{
	return fs_end(FS_WRITE, OCCURRED_ext4_write, inode, 0, copied);
}

SEC("tp_btf/ext4_sync_file_enter")
int BPF_PROG(ext4_sync_begins, struct file *file, int data)
{
	return fs_begin(FS_SYNC, data, 0);
}

SEC("tp_btf/ext4_sync_file_exit")
int BPF_PROG(ext4_sync_ends, struct inode *inode, int result)
{
	return fs_end(FS_SYNC, OCCURRED_ext4_sync_file, inode, 0, result);
}

SEC("tp_btf/ext4_fallocate_enter")
int BPF_PROG(ext4_fallocate_begins, struct inode *inode, s64 offset, s64 size, int mode)
{
	return fs_begin(FS_FALLOCATE, offset, size);
}

SEC("tp_btf/ext4_fallocate_exit")
int BPF_PROG(ext4_fallocate_ends, struct inode *inode, s64 offset, unsigned int blocks, int result)
{
	return fs_end(FS_FALLOCATE, OCCURRED_ext4_fallocate, inode, 0, result);
}

SEC("tp_btf/ext4_unlink_enter")
int BPF_PROG(ext4_unlink_begins, struct inode *folder, struct dentry *name)
{
	return fs_begin(FS_UNLINK, BPF_CORE_READ(name, d_inode, i_ino), 0);
}

SEC("tp_btf/ext4_unlink_exit")
int BPF_PROG(ext4_unlink_ends, struct dentry *name, int result)
{
	return fs_end(FS_UNLINK, OCCURRED_ext4_unlink, NULL, 0, result);
}

SEC("tp_btf/ext4_truncate_enter")
int BPF_PROG(ext4_truncate_begins, struct inode *inode)
{
	return fs_begin(FS_TRUNCATE, BPF_CORE_READ(inode, i_size), 0);
}

SEC("tp_btf/ext4_truncate_exit")
int BPF_PROG(ext4_truncate_ends, struct inode *inode)
{
	return fs_end(FS_TRUNCATE, OCCURRED_ext4_truncate, inode, 0, 0);
}

SEC("tp_btf/ext4_writepages")
int BPF_PROG(ext4_writepages_begins, struct inode *inode, struct writeback_control *control)
{
	return fs_begin(FS_WRITEPAGES, BPF_CORE_READ(control, sync_mode),
			BPF_CORE_READ(control, nr_to_write));
}

SEC("tp_btf/ext4_writepages_result")
int BPF_PROG(ext4_writepages_ends, struct inode *inode, struct writeback_control *control,
	     int result, int pages)
{
	return fs_end(FS_WRITEPAGES, OCCURRED_ext4_writepages, inode, pages, result);
}

static __always_inline int xfs_event(u32 what, struct inode *inode, u64 offset, u64 size,
				     u64 direct)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = state_of(task);
	struct occurrence_event event = {};

	if (!state)
		return 0;
	begin_occurrence(&event, what, task, state);
	event.args[0] = offset;
	event.args[1] = size;
	event.args[2] = direct;
	set_file(&event, task, inode);
	tell_instant(task, state, &event, 0);
	return 0;
}

static __always_inline int xfs_transfer(u32 what, struct kiocb *call, struct iov_iter *memory,
					u64 direct)
{
	return xfs_event(what, BPF_CORE_READ(call, ki_filp, f_inode), BPF_CORE_READ(call, ki_pos),
			 BPF_CORE_READ(memory, count), direct);
}

SEC("tp_btf/xfs_file_buffered_read")
int BPF_PROG(xfs_reads, struct kiocb *call, struct iov_iter *memory)
{
	return xfs_transfer(OCCURRED_xfs_file_read, call, memory, 0);
}

SEC("tp_btf/xfs_file_direct_read")
int BPF_PROG(xfs_reads_direct, struct kiocb *call, struct iov_iter *memory)
{
	return xfs_transfer(OCCURRED_xfs_file_read, call, memory, 1);
}

SEC("tp_btf/xfs_file_buffered_write")
int BPF_PROG(xfs_writes, struct kiocb *call, struct iov_iter *memory)
{
	return xfs_transfer(OCCURRED_xfs_file_write, call, memory, 0);
}

SEC("tp_btf/xfs_file_direct_write")
int BPF_PROG(xfs_writes_direct, struct kiocb *call, struct iov_iter *memory)
{
	return xfs_transfer(OCCURRED_xfs_file_write, call, memory, 1);
}

#endif
