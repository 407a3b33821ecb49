/* SPDX-License-Identifier: MIT */
/* system.bpf.c - the programs of `recorder system` in the kernel: process life here, all else in the headers. */
#include "bpf/begun.bpf.h"
#include "bpf/block.bpf.h"
#include "bpf/calls.bpf.h"
#include "bpf/filesystems.bpf.h"
#include "bpf/pages.bpf.h"
#include "bpf/switches.bpf.h"
#include "bpf/iouring.bpf.h"
#include "bpf/joins.bpf.h"
#include "bpf/writeback.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

SEC("tp_btf/sched_process_fork")
int BPF_PROG(task_forks, struct task_struct *parent, struct task_struct *child)
{
	struct task_state *state = state_of(parent), *made;
	struct fork_event event = {};

	if (!state)
		return 0;
	made = bpf_task_storage_get(&tasks, child, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!made)
		count(COUNTER_NO_MEMORY);
	check_cover(parent, child);
	begin_event(&event.head, EVENT_FORK, parent, bpf_ktime_get_ns());
	event.child_pid = child->tgid;
	event.child_tid = child->pid;
	event.child_start = BPF_CORE_READ(child, group_leader, start_boottime);
	set_numbers(&event.numbers, child, parent);
	bpf_probe_read_kernel(event.name, sizeof(event.name), child->comm);
	send(state, &event.head, sizeof(event));
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(task_executes, struct task_struct *task, int old_tid, struct linux_binprm *program)
{
	struct task_state *state = state_of(task);
	struct exec_event event = {};
	long size;

	if (!state)
		return 0;
	if (sends_sums) /* what was before is the other program's */
		send_all_sums(task, old_tid, state);
	send_begun_with(task);
	begin_event(&event.head, EVENT_EXEC, task, bpf_ktime_get_ns());
	event.old_tid = old_tid;
	size = bpf_probe_read_kernel_str(event.text, sizeof(event.text), program->filename);
	event.text_size = size > 0 ? size - 1 : 0;
	send(state, &event.head, sizeof(event));
	state->executed = state->depth; /* they end when execve() has, in which they are */
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(task_exits, struct task_struct *task)
{
	struct task_state *state = state_of(task);
	struct exit_event event = {};
	u64 now = bpf_ktime_get_ns();

	if (!state)
		return 0;
	call_left(task, state, now);
	if (state->depth)
		functions_end(task, state, now);
	if (sends_sums)
		send_all_sums(task, task->pid, state);
	event.summed = state->summed;
	event.off_summed = state->off_summed;
	event.off_number = state->off_number;
	begin_event(&event.head, EVENT_EXIT, task, now);
	event.status = task->exit_code;
	event.last = BPF_CORE_READ(task, signal, live.counter) == 0;
	event.late = state->late;
	event.late_sums = sends_sums && (state->late || state->late_uncounted);
	send(state, &event.head, sizeof(event));
	state->ended = 1;
	return 0;
}
