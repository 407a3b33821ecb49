/* SPDX-License-Identifier: MIT */
/*
 * numbers.bpf.h - what a process is called where it is itself: in a space of process numbers of its own, as containers have them, it has one number in that space and one in each around it.
 *
 * The kernel's task->pid is the number in the outermost space of the machine.
 */
#ifndef RECORDER_BPF_NUMBERS_BPF_H
#define RECORDER_BPF_NUMBERS_BPF_H

#include "bpf/tree.bpf.h"

/* How many spaces are around the one that the recorder is in. */
unsigned int recorder_level = 0;

static __always_inline struct upid *number_at(struct pid *pid, u32 level)
{
	return (void *)pid + bpf_core_field_offset(struct pid, numbers) +
	       (u64)level * bpf_core_type_size(struct upid);
}

static __always_inline u32 level_of(struct task_struct *task)
{
	return BPF_CORE_READ(task, thread_pid, level);
}

/* Of the task in that space; 0: it has none there. */
static __always_inline u32 number_in(struct task_struct *task, u32 level,
				     struct pid_namespace *space)
{
	struct pid *pid = BPF_CORE_READ(task, thread_pid);
	struct upid *number;

	if (!pid || BPF_CORE_READ(pid, level) < level)
		return 0;
	number = number_at(pid, level);
	if (space && BPF_CORE_READ(number, ns) != space)
		return 0;
	return BPF_CORE_READ(number, nr);
}

/* `parent`: one of the process that it was forked by. */
static __always_inline void set_numbers(struct task_numbers *numbers, struct task_struct *task,
					struct task_struct *parent)
{
	struct task_struct *leader = BPF_CORE_READ(task, group_leader);
	struct pid *pid = BPF_CORE_READ(task, thread_pid);
	struct pid_namespace *space;
	u32 level = level_of(task);

	if (!pid)
		return;
	space = BPF_CORE_READ(number_at(pid, level), ns);
	numbers->space = BPF_CORE_READ(space, ns.inum);
	numbers->tid = BPF_CORE_READ(number_at(pid, level), nr);
	numbers->pid = number_in(leader, level, space);
	numbers->parent = number_in(BPF_CORE_READ(parent, group_leader), level, space);
	numbers->here = number_in(leader, recorder_level, NULL);
}

#endif
