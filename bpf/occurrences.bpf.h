/* SPDX-License-Identifier: MIT */
/*
 * occurrences.bpf.h - what the kernel does for a task besides its system calls: sent when it has happened, or kept until it ends, by the address of what stands for it in the kernel.
 */
#ifndef RECORDER_BPF_OCCURRENCES_BPF_H
#define RECORDER_BPF_OCCURRENCES_BPF_H

#include "bpf/files.bpf.h"
#include "bpf/latesums.bpf.h"

#define PENDING_MAX 16384

#define PAGE_SHIFT                                                                                 \
	12 /* of offsets that are told; the page cache's pages are larger on some machines */

const volatile unsigned int page_shift = PAGE_SHIFT;

/* By address: that of a request. It has been begun, and will be sent by whoever ends it. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, PENDING_MAX);
	__type(key, u64);
	__type(value, struct occurrence_event);
} pending SEC(".maps");

#define IS_IO_WORKER                                                                               \
	0x10 /* PF_IO_WORKER: a thread that the kernel has made for io_uring, without a fork */

/* The storage of the task, or of the process that a worker of io_uring belongs to. */
static __always_inline struct task_state *state_of_user(struct task_struct *task)
{
	struct task_state *state = state_of(task);

	if (!state && task->flags & IS_IO_WORKER)
		state = state_of(task->group_leader);
	return state;
}

/* The rest is zero. */
static __always_inline void begin_occurrence(struct occurrence_event *event, u32 what,
					     struct task_struct *task, struct task_state *state)
{
	event->head.kind = EVENT_OCCURRED;
	event->head.size = sizeof(*event);
	event->what = what;
	event->begin = bpf_ktime_get_ns();
	event->start = BPF_CORE_READ(task, group_leader, start_boottime);
	event->head.pid = task->tgid;
	event->head.tid = task->flags & IS_IO_WORKER ? task->tgid : task->pid;
	/* a worker of io_uring is in no call, whatever its process does */
	if (state && !(task->flags & IS_IO_WORKER)) {
		event->level = state->depth;
		if (state->in_call)
			event->flags |= OCCURRENCE_IN_CALL;
	}
	bpf_probe_read_kernel(event->name, sizeof(event->name), task->comm);
}

/* It has happened in the task itself, the current one, and its times are set; `bytes`: what it moved. */
static __always_inline void tell_own(struct task_struct *task, struct task_state *state,
				     struct occurrence_event *event, u64 bytes)
{
	struct sum_key key = {};

	if (sends_sums) {
		key.call = SUM_OCCURRENCES + event->what;
		if (event->flags & OCCURRENCE_HAS_FILE) {
			key.flags = CALL_HAS_FILE;
			key.inode = event->inode;
			key.device = event->device;
		}
		add_one(task, state, &key, event->head.time, event->head.time - event->begin,
			bytes);
	}
	if (!sends_calls)
		return;
	event->head.size = offsetof(struct occurrence_event, ranges);
	send(state, &event->head, event->head.size);
}

/* It happens now, in the task itself. */
static __always_inline void tell_instant(struct task_struct *task, struct task_state *state,
					 struct occurrence_event *event, u64 bytes)
{
	event->head.time = event->begin;
	tell_own(task, state, event, bytes);
}

static __always_inline struct occurrence_event *pending_at(u64 address)
{
	struct occurrence_event *event = bpf_map_lookup_elem(&pending, &address);

	return event && !(event->flags & OCCURRENCE_SENT) ? event : NULL;
}

/* `bytes`: what it moved. */
static __always_inline void send_pending(struct occurrence_event *event, u64 now, u64 bytes)
{
	event->head.time = now;
	if (sends_sums) {
		add_late(event, bytes);
		event->flags &= ~OCCURRENCE_COUNTED; /* the sum has told */
	}
	if (!sends_calls)
		return;
	if (bpf_ringbuf_output(&ring, event, sizeof(*event), wake_if_much(sizeof(*event))))
		count(COUNTER_LOST_LATE);
}

static __always_inline void end_pending(u64 address, struct occurrence_event *event, u64 now,
					u64 bytes)
{
	send_pending(event, now, bytes);
	event->flags |= OCCURRENCE_SENT; /* if the kernel cannot remove it now */
	bpf_map_delete_elem(&pending, &address);
}

/* Until end_pending(); the thread of `state` counts it, NULL: none does. What was at that address has ended without a word. */
static __always_inline void keep_pending(u64 address, struct occurrence_event *event,
					 struct task_state *state)
{
	struct occurrence_event *before = pending_at(address);

	if (before) {
		before->flags |= OCCURRENCE_NOTHING;
		send_pending(before, event->begin, 0);
	}
	event->flags |= OCCURRENCE_LATE;
	if (state) {
		event->flags |= OCCURRENCE_COUNTED;
		__sync_fetch_and_add(&state->late, 1);
	}
	if (bpf_map_update_elem(&pending, &address, event, BPF_ANY))
		count(COUNTER_LOST_LATE);
}

/* Which file it was for; its names are told, as far as the kernel has them at hand. */
static __always_inline void set_file(struct occurrence_event *event, struct task_struct *task,
				     struct inode *inode)
{
	struct file_key key = key_of(inode);
	struct hlist_node *alias;

	event->inode = key.inode;
	event->device = key.device;
	event->flags |= OCCURRENCE_HAS_FILE;
	if (is_told(inode, &key))
		return;
	alias = BPF_CORE_READ(inode, i_dentry.first);
	if (alias)
		tell_file(task, inode,
			  (void *)alias - bpf_core_field_offset(struct dentry, d_u.d_alias),
			  BPF_CORE_READ(inode, i_sb, s_root), &key);
}

#endif
