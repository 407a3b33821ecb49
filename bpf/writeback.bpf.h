/* SPDX-License-Identifier: MIT */
/*
 * writeback.bpf.h - files of the job that the kernel writes back, and who wrote them: a thread of the kernel does it, when the writer has gone on, or has ended.
 *
 * What ties the two is the inode: the last task of the job that made a page of it dirty is the writer. Somebody else's pages of the same file go with them. Pages of a block device, where a file system has its
 * tables, are nobody's.
 */
#ifndef RECORDER_BPF_WRITEBACK_BPF_H
#define RECORDER_BPF_WRITEBACK_BPF_H

#include "bpf/occurrences.bpf.h"

struct writer {
	u64 start; /* of the process, boot time */
	u32 pid, tid;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, struct file_key);
	__type(value, struct writer);
} writers SEC(".maps");

enum writeback_arg {
	WRITEBACK_INODE,
	WRITEBACK_DEVICE,
	WRITEBACK_PAGES,
	WRITEBACK_WHY,
	WRITEBACK_FLUSHER
};

/* Who wrote the file; NULL: nobody of the job. */
static __always_inline struct writer *writer_of(struct inode *inode)
{
	struct file_key key = key_of(inode);

	return bpf_map_lookup_elem(&writers, &key);
}

/* What the kernel's thread has begun is the writer's. */
static __always_inline void set_writer(struct occurrence_event *event, const struct writer *writer)
{
	event->start = writer->start;
	event->head.pid = writer->pid;
	event->head.tid = writer->tid;
}

#define MODE_TYPE 0170000
#define MODE_BLOCK 0060000

/* Of a block device: a file system has its tables there, which many have changed. */
static __always_inline bool is_of_device(struct inode *inode)
{
	return (BPF_CORE_READ(inode, i_mode) & MODE_TYPE) == MODE_BLOCK;
}

static __always_inline int page_is_dirty(struct address_space *mapping)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = state_of_user(task);
	struct writer writer = {}, *known;
	struct inode *inode;
	struct file_key key;
	u32 tid = task->flags & IS_IO_WORKER ? task->tgid : task->pid;

	if (!state || !mapping)
		return 0;
	inode = BPF_CORE_READ(mapping, host);
	if (!inode || is_of_device(inode))
		return 0;
	state->late_uncounted = 1;
	key = key_of(inode);
	known = bpf_map_lookup_elem(&writers, &key);
	if (known && known->tid == tid && known->pid == task->tgid)
		return 0;
	writer.start = BPF_CORE_READ(task, group_leader, start_boottime);
	writer.pid = task->tgid;
	writer.tid = tid;
	bpf_map_update_elem(&writers, &key, &writer, BPF_ANY);
	return 0;
}

SEC("tp_btf/writeback_dirty_folio")
int BPF_PROG(folio_dirtied, void *folio, struct address_space *mapping)
{
	return page_is_dirty(mapping);
}

/* Before Linux 5.18. */
SEC("tp_btf/writeback_dirty_page")
int BPF_PROG(page_dirtied, void *page, struct address_space *mapping)
{
	return page_is_dirty(mapping);
}

SEC("tp_btf/writeback_single_inode_start")
int BPF_PROG(writeback_begun, struct inode *inode)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = state_of_user(task);
	struct writer *writer = state ? NULL : writer_of(inode);
	struct occurrence_event event = {};

	if (!state && !writer)
		return 0;
	begin_occurrence(&event, OCCURRED_writeback_inode, task, state);
	if (writer) {
		set_writer(&event, writer);
		event.args[WRITEBACK_FLUSHER] = task->tgid;
	}
	set_file(&event, task, inode);
	event.args[WRITEBACK_INODE] = event.inode;
	event.args[WRITEBACK_DEVICE] = event.device;
	keep_pending((u64)inode, &event, state);
	return 0;
}

/* The words of enum writeback_flags in functions/kernel.events. */
static __always_inline u64 writeback_why(struct writeback_control *control)
{
	u64 why = BPF_CORE_READ(control, sync_mode) ? 1 : 0;

	if (BPF_CORE_READ_BITFIELD_PROBED(control, for_background))
		why |= 2;
	if (BPF_CORE_READ_BITFIELD_PROBED(control, for_kupdate))
		why |= 4;
	if (BPF_CORE_READ_BITFIELD_PROBED(control, for_sync))
		why |= 8;
	return why;
}

SEC("tp_btf/writeback_single_inode")
int BPF_PROG(writeback_ended, struct inode *inode, struct writeback_control *control,
	     unsigned long wanted)
{
	struct occurrence_event *event = pending_at((u64)inode);

	if (!event)
		return 0;
	event->args[WRITEBACK_PAGES] = wanted - BPF_CORE_READ(control, nr_to_write);
	event->args[WRITEBACK_WHY] = writeback_why(control);
	end_pending((u64)inode, event, bpf_ktime_get_ns(),
		    event->args[WRITEBACK_PAGES] << page_shift);
	return 0;
}

#endif
