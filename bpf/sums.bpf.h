/* SPDX-License-Identifier: MIT */
/*
 * sums.bpf.h - the profile: calls of a thread, and what the kernel does in it besides, are added up by function, file and interval, and only sums are sent.
 *
 * Sums lie in the thread's own storage, so nobody else changes them, no lock is needed and nothing is shared between CPUs, whatever their number. There are SUM_PLACES of them, found by a hash of function and file;
 * what is in the place of another is sent, as all are when a call ends in a later interval, when the thread ends, and, by sums_left(), when the recorder does. So a sum may come in
 * parts, and what is known of a thread's calls is exact: those in sums for which the ring has no room are counted.
 *
 * Times without a CPU are added up by who gives the thread one, and that may be in the midst of a probe of the thread: so they have a place, an interval and a count that nobody else touches.
 */
#ifndef RECORDER_BPF_SUMS_BPF_H
#define RECORDER_BPF_SUMS_BPF_H

#include "bpf/tree.bpf.h"

const volatile unsigned char sends_calls = 1, sends_sums = 0;
/* ns; intervals begin at multiples of it, CLOCK_MONOTONIC + interval_shift. */
const volatile unsigned long long interval = 100000000, interval_shift = 0;

/* The event has the number of the next of its kind. `summed`: those of its kind so far. Whether the ring had room. */
static __always_inline bool put_sum(struct sum_event *event, struct task_struct *task, u32 tid,
				    struct task_state *state, struct call_sum *sum, u64 *summed)
{
	u32 lost = COUNTER_LOST_SUMMED;
	u64 *value;
	bool done;

	begin_event(&event->head, EVENT_SUM, task,
		    state->in_call ? state->call.begin : bpf_ktime_get_ns());
	event->head.tid = tid;
	event->head.size = sizeof(*event);
	event->before = *summed;
	event->sum = *sum;
	*summed += sum->count;
	done = !bpf_ringbuf_output(&ring, event, sizeof(*event), BPF_RB_NO_WAKEUP);
	if (!done) {
		value = bpf_map_lookup_elem(&counters, &lost);
		if (value)
			*value += sum->count;
	}
	sum->count = 0;
	return done;
}

/* `tid`: that of the task when it made the calls. */
static __always_inline void send_sum(struct task_struct *task, u32 tid, struct task_state *state,
				     struct call_sum *sum)
{
	struct sum_event event = {};

	event.head.number = state->number;
	event.begin = state->interval.begin;
	event.beyond = state->beyond;
	if (put_sum(&event, task, tid, state, sum, &state->summed))
		state->beyond = 0;
}

static __always_inline void send_off_sum(struct task_struct *task, u32 tid,
					 struct task_state *state)
{
	struct sum_event event = {};

	event.head.number = state->off_number;
	event.begin = state->off_interval.begin;
	put_sum(&event, task, tid, state, &state->off, &state->off_summed);
}

static __noinline int send_sums(struct task_struct *task, u32 tid, struct task_state *state)
{
	for (u32 i = 0; i < SUM_PLACES; i++)
		if (state->sums[i].count > 0)
			send_sum(task, tid, state, &state->sums[i]);
	return 0;
}

/* When the thread ends, or becomes another program's. */
static __noinline int send_all_sums(struct task_struct *task, u32 tid, struct task_state *state)
{
	send_sums(task, tid, state);
	if (state->off.count > 0)
		send_off_sum(task, tid, state);
	return 0;
}

static __always_inline u64 interval_begin(u64 now)
{
	return sum_interval_begin(now, interval, interval_shift);
}

static __always_inline void set_interval(struct sum_interval *is, u64 now)
{
	is->begin = interval_begin(now);
	is->end = is->begin + interval;
}

/* Of what it is a sum. */
struct sum_key {
	u64 inode;
	u32 device;
	__u16 call;
	__u8 flags; /* CALL_HAS_FILE, CALL_COMPAT */
};

static __always_inline bool is_of(const struct call_sum *sum, const struct sum_key *key)
{
	return sum->call == key->call && sum->flags == key->flags && sum->inode == key->inode &&
	       sum->device == key->device;
}

/* It ended at `now`. */
static __always_inline void add_one(struct task_struct *task, struct task_state *state,
				    const struct sum_key *key, u64 now, u64 time, u64 bytes)
{
	u64 hash = key->inode * 5 + key->call;
	struct call_sum *sum = &state->sums[(hash ^ hash >> 4) & (SUM_PLACES - 1)];

	if (now >= state->interval.end) {
		send_sums(task, task->pid, state);
		set_interval(&state->interval, now);
	}
	if (sum->count > 0 && !is_of(sum, key))
		send_sum(task, task->pid, state, sum);
	if (sum->count == 0) {
		sum->inode = key->inode;
		sum->device = key->device;
		sum->call = key->call;
		sum->flags = key->flags;
		sum->time = sum->bytes = 0;
	}
	sum->count++;
	sum->time += time;
	sum->bytes += bytes;
}

/* The call ended at `now`. */
static __always_inline void add_to_sum(struct task_struct *task, struct task_state *state, u64 now)
{
	struct sum_key key = {};

	key.flags = state->call.flags & (CALL_HAS_FILE | CALL_COMPAT);
	key.call = state->call.call;
	if (key.flags & CALL_HAS_FILE) {
		key.inode = state->call.inode;
		key.device = state->call.device;
	}
	add_one(task, state, &key, now, now - state->call.begin,
		state->moves && state->call.result > 0 ? state->call.result : 0);
}

/* The thread had no CPU from `begin` to `now`. */
static __always_inline void add_off_cpu(struct task_struct *task, struct task_state *state,
					u64 begin, u64 now)
{
	if (now >= state->off_interval.end) {
		if (state->off.count > 0)
			send_off_sum(task, task->pid, state);
		set_interval(&state->off_interval, now);
	}
	if (state->off.count == 0) {
		state->off.call = SUM_OCCURRENCES + OCCURRED_off_cpu;
		state->off.time = 0;
	}
	state->off.count++;
	state->off.time += now - begin;
}

/* What is left of tasks that go on, when no more calls are added. */
SEC("iter/task")
int sums_left(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct task_state *state = task ? state_of(task) : NULL;

	if (state)
		send_all_sums(task, task->pid, state);
	return 0;
}

#endif
