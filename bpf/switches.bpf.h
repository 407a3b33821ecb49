/* SPDX-License-Identifier: MIT */
/*
 * switches.bpf.h - when a thread of the job had no CPU: from when it was taken off one until it was put on one.
 *
 * That can be in the midst of a program of ours at a function, which has taken a number and has not sent its event yet: so these have numbers of their own.
 */
#ifndef RECORDER_BPF_SWITCHES_BPF_H
#define RECORDER_BPF_SWITCHES_BPF_H

#include "bpf/occurrences.bpf.h"

static __noinline int send_off_cpu(struct task_struct *task, struct task_state *state, u64 end,
				   int cpu, u32 before)
{
	struct occurrence_event event = {};

	begin_occurrence(&event, OCCURRED_off_cpu, task, state);
	event.begin = state->off_since;
	event.head.time = end;
	event.args[0] = state->off_why;
	event.args[1] = cpu;
	event.args[2] = before;
	send_by(&state->off_number, &event.head, sizeof(event));
	return 0;
}

/* Until `end`, on that CPU; `before`: the thread that had it. */
static __noinline int was_off_cpu(struct task_struct *task, struct task_state *state, u64 end,
				  int cpu, u32 before)
{
	if (sends_sums)
		add_off_cpu(task, state, state->off_since, end);
	if (sends_calls)
		send_off_cpu(task, state, end, cpu, before);
	state->off_since = 0;
	return 0;
}

/*
 * What the thread does shows that it has a CPU. If it was not seen to come on, as a kernel can have tasks on which it runs no programs, and such a one had the CPU before, it has come on at the latest now. `before` is 0
 * then.
 */
static __always_inline void is_on(struct task_struct *task, struct task_state *state)
{
	if (state->off_since)
		was_off_cpu(task, state, bpf_ktime_get_ns(), bpf_get_smp_processor_id(), 0);
}

static __always_inline void goes_off(struct task_struct *task, u64 why)
{
	struct task_state *state = state_of(task);

	if (!state)
		return;
	if (state->off_since) /* nor did it do anything: how long it was off is not known */
		was_off_cpu(task, state, state->off_since, -1, 0);
	state->off_why = why;
	state->off_since = bpf_ktime_get_ns();
}

static __always_inline void comes_on(struct task_struct *task, struct task_struct *before)
{
	struct task_state *state = state_of(task);

	if (state && state->off_since)
		was_off_cpu(task, state, bpf_ktime_get_ns(), bpf_get_smp_processor_id(),
			    before->pid);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(task_switches, bool preempted, struct task_struct *from, struct task_struct *to,
	     unsigned int why)
{
	goes_off(from, why & 0xff);
	comes_on(to, from);
	return 0;
}

/* Before Linux 5.18. */
SEC("tp_btf/sched_switch")
int BPF_PROG(task_switches_without_why, bool preempted, struct task_struct *from,
	     struct task_struct *to)
{
	goes_off(from, BPF_CORE_READ(from, __state) & 0xff);
	comes_on(to, from);
	return 0;
}

#endif
