/* SPDX-License-Identifier: MIT */
/*
 * switches.bpf.h - when a thread of the job had no CPU: from when it was taken off one until it was put on one.
 */
#ifndef RECORDER_BPF_SWITCHES_BPF_H
#define RECORDER_BPF_SWITCHES_BPF_H

#include "bpf/occurrences.bpf.h"

static __always_inline void goes_off(struct task_struct *task, u64 why)
{
	struct task_state *state = state_of(task);

	if (!state)
		return;
	state->off_why = why;
	state->off_since = bpf_ktime_get_ns();
}

static __always_inline void comes_on(struct task_struct *task, struct task_struct *before)
{
	struct task_state *state = state_of(task);
	struct occurrence_event event = {};

	if (!state || !state->off_since)
		return;
	begin_occurrence(&event, OCCURRED_off_cpu, task, state);
	event.head.time = event.begin;
	event.begin = state->off_since;
	event.args[0] = state->off_why;
	event.args[1] = bpf_get_smp_processor_id();
	event.args[2] = before->pid;
	state->off_since = 0;
	send(state, &event.head, sizeof(event));
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
