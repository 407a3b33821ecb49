/* SPDX-License-Identifier: MIT */
/*
 * calls.bpf.h - system calls: kept in the task's storage when they begin; sent, or added to a sum, when they end.
 */
#ifndef RECORDER_BPF_CALLS_BPF_H
#define RECORDER_BPF_CALLS_BPF_H

#include "bpf/files.bpf.h"
#include "bpf/functions.bpf.h"
#include "bpf/sums.bpf.h"
#include "bpf/switches.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, EVENT_CALLS_MAX);
	__type(key, u32);
	__type(value, struct call_rule);
} rules SEC(".maps");

/* All are wanted: those that have no rule and those of 32-bit code, too. */
const volatile unsigned char all_calls = 1;

#define COMPAT_STATUS 2 /* TS_COMPAT of x86 */

static __always_inline bool is_compat(struct task_struct *task)
{
#if defined(__TARGET_ARCH_x86)
	return task->thread_info.status & COMPAT_STATUS;
#else
	return false;
#endif
}

static __always_inline void read_args(struct call_event *call, struct pt_regs *regs)
{
#if defined(__TARGET_ARCH_x86)
	call->args[0] = regs->di;
	call->args[1] = regs->si;
	call->args[2] = regs->dx;
	call->args[3] = regs->r10;
	call->args[4] = regs->r8;
	call->args[5] = regs->r9;
#else
	call->args[0] = regs->orig_x0;
	for (int i = 1; i < 6; i++)
		call->args[i] = regs->regs[i];
#endif
}

/* A path that is in no memory yet is read once more when the call has ended: the kernel has had to read it by then. */
static __always_inline void read_text(struct call_event *call, u64 address)
{
	long size = bpf_probe_read_user_str(call->text, sizeof(call->text), (const void *)address);

	call->flags &= ~(CALL_TEXT_CUT | CALL_TEXT_LOST);
	call->text_size = 0;
	if (size <= 0) {
		if (address)
			call->flags |= CALL_TEXT_LOST;
		return;
	}
	call->text_size = (u32)(size - 1) & (EVENT_TEXT_MAX - 1);
	if (size == sizeof(call->text))
		call->flags |= CALL_TEXT_CUT;
}

static __always_inline u64 arg_of(const struct call_event *call, u32 which)
{
	switch (which) {
	case 1:
		return call->args[0];
	case 2:
		return call->args[1];
	case 3:
		return call->args[2];
	case 4:
		return call->args[3];
	case 5:
		return call->args[4];
	}
	return 0;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(call_begins, struct pt_regs *regs, long number)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = state_of(task);
	u32 index = number;
	struct call_rule *rule;

	if (!state)
		return 0;
	is_on(task, state);
	rule = bpf_map_lookup_elem(&rules, &index);
	if (!all_calls && (!rule || !rule->wanted || is_compat(task)))
		return 0;
	state->call.flags = is_compat(task) ? CALL_COMPAT : 0;
	state->call.call = number;
	state->call.text_size = 0;
	state->call.level = state->depth;
	read_args(&state->call, regs);
	if (rule && !(state->call.flags & CALL_COMPAT)) {
		if (rule->descriptor && !rule->makes)
			identify(task, state, arg_of(&state->call, rule->descriptor));
		if (rule->text)
			read_text(&state->call, arg_of(&state->call, rule->text));
	}
	state->moves = rule && rule->moves;
	state->in_call = 1;
	state->call.begin = bpf_ktime_get_ns();
	return 0;
}

static __always_inline void send_call(struct task_struct *task, struct task_state *state, u64 now)
{
	u64 size =
		offsetof(struct call_event, text) + (state->call.text_size & (EVENT_TEXT_MAX - 1));

	if (sends_sums)
		add_to_sum(task, state, now);
	state->in_call = 0;
	if (!sends_calls)
		return;
	begin_event(&state->call.head, EVENT_CALL, task, now);
	send(state, &state->call.head, size);
}

/* What is known only now. */
static __always_inline void complete(struct task_struct *task, struct task_state *state)
{
	u32 index = state->call.call;
	struct call_rule *rule = bpf_map_lookup_elem(&rules, &index);

	if (!rule || state->call.flags & CALL_COMPAT)
		return;
	if (state->call.flags & CALL_TEXT_LOST)
		read_text(&state->call, arg_of(&state->call, rule->text));
	if (rule->makes && state->call.result >= 0)
		identify(task, state, state->call.result);
	if (rule->moves && state->call.flags & CALL_APPENDS && state->call.result > 0)
		find_appended(task, state, arg_of(&state->call, rule->descriptor));
}

SEC("tp_btf/sys_exit")
int BPF_PROG(call_ends, struct pt_regs *regs, long result)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct task_state *state = state_of(task);
	u64 now;

	if (!state)
		return 0;
	is_on(task, state);
	if (!state->in_call && !state->executed)
		return 0;
	now = bpf_ktime_get_ns();
	if (state->in_call) {
		state->call.result = result;
		complete(task, state);
		send_call(task, state, now);
	}
	if (state->executed)
		functions_end(task, state, now);
	return 0;
}

/* The call that a thread ends in. */
static __always_inline void call_left(struct task_struct *task, struct task_state *state, u64 now)
{
	if (!state->in_call)
		return;
	state->call.flags |= CALL_NO_RETURN;
	state->call.result = 0;
	send_call(task, state, now);
}

#endif
