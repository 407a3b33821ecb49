/* SPDX-License-Identifier: MIT */
/*
 * tree.bpf.h - whose events are recorded: tasks that have a piece of storage of ours. The recorder gives it to the first one, by its pidfd; who forks hands it on. What has none costs a look at a pointer.
 *
 * The storage is also where a call is kept between its begin and its end, and it goes with the task: nothing is to be cleaned up when the recorder dies.
 */
#ifndef RECORDER_BPF_TREE_BPF_H
#define RECORDER_BPF_TREE_BPF_H

#include "bpf/kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/kernel_events.h"

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct task_state);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 16 << 20);
} ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, COUNTERS);
	__type(key, u32);
	__type(value, u64);
} counters SEC(".maps");

static __always_inline void count(u32 counter)
{
	u64 *value = bpf_map_lookup_elem(&counters, &counter);

	if (value)
		(*value)++;
}

/* NULL: its events are not recorded, or not any more: its last one has been sent, though it goes on for a while (a file that is closed, a switch to another task). */
static __always_inline struct task_state *state_of(struct task_struct *task)
{
	struct task_state *state;

	/* most tasks have no storage at all: they are not to pay for a helper */
	if (bpf_core_field_exists(task->bpf_storage) && !task->bpf_storage)
		return NULL;
	state = bpf_task_storage_get(&tasks, task, 0, 0);
	return state && !state->ended ? state : NULL;
}

/*
 * Each time that so many bytes more wait in the ring the recorder is woken: a power of two. Waking costs more than an event, and when the recorder has to wait for a CPU that it was woken for, more does not help. It looks by
 * itself every 20 ms.
 */
const volatile unsigned long long wake_above = 1 << 20;

/* `size`: that of the event which is to be put in. */
static __always_inline u64 wake_if_much(u64 size)
{
	u64 waiting = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);
	u64 then = waiting + ((size + BPF_RINGBUF_HDR_SZ + 7) & ~7ull);

	return (waiting ^ then) & ~(wake_above - 1) ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

/* The recorder has to know of each process at once. */
const volatile unsigned char wakes_at_forks = 0;

/* The event has all but its number and size. `number`: the next one of its sequence. */
static __always_inline void send_by(u32 *number, struct event_head *head, u64 size)
{
	bool numbered = event_is_numbered(head->kind);

	head->number = *number;
	head->size = size;
	if (numbered)
		++*number;
	if (bpf_ringbuf_output(&ring, head, size,
			       wakes_at_forks && head->kind == EVENT_FORK ? BPF_RB_FORCE_WAKEUP
									  : wake_if_much(size)))
		count(numbered ? COUNTER_LOST : COUNTER_LOST_LIFE);
}

static __always_inline void send(struct task_state *state, struct event_head *head, u64 size)
{
	send_by(&state->number, head, size);
}

static __always_inline void begin_event(struct event_head *head, enum event_kind kind,
					struct task_struct *task, u64 now)
{
	head->kind = kind;
	head->pid = task->tgid;
	head->tid = task->pid;
	head->time = now;
}

static __always_inline u64 instruction_of(struct pt_regs *regs)
{
#if defined(__TARGET_ARCH_x86)
	return BPF_CORE_READ(regs, ip);
#else
	return BPF_CORE_READ(regs, pc);
#endif
}

#endif
