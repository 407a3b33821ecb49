/* SPDX-License-Identifier: MIT */
/*
 * joins.bpf.h - what is there already: the first process of a job is told of before it is followed, and the tasks of a job that goes on get the storage that those have which are forked by it.
 *
 * The recorder gives it to the first thread of the job's first process, by a pidfd, when forks are already looked at. tasks_join() then goes through all tasks, and gives it to those of such a process, and to those whose parent has it. A
 * task that was forked by one which had it not yet is found when all are gone through again: the recorder does so until none is new. Of a cgroup it does so now and then, for those that are moved into it.
 */
#ifndef RECORDER_BPF_JOINS_BPF_H
#define RECORDER_BPF_JOINS_BPF_H

#include "bpf/numbers.bpf.h"

/* How many have joined, or have been told of. */
unsigned long long tasks_joined = 0;
/* The number of a process, where the recorder is: that one alone is told of, and joins nothing. 0: tasks join. */
unsigned int tells_alone = 0;
/* Those of this cgroup and of those below it join, too; 0: of none. */
const volatile unsigned long long joins_cgroup = 0;

#define CGROUPS_DEEP 32
#define IS_EXITING 0x4 /* PF_EXITING */

static __always_inline bool is_in_cgroup(struct task_struct *task)
{
	struct cgroup *group;

	/* the recorder may be in it itself: it goes through the tasks */
	if (!joins_cgroup || (u32)task->tgid == bpf_get_current_pid_tgid() >> 32)
		return false;
	group = BPF_CORE_READ(task, cgroups, dfl_cgrp);
	for (int i = 0; i < CGROUPS_DEEP && group; i++) {
		if (BPF_CORE_READ(group, kn, id) == joins_cgroup)
			return true;
		group = BPF_CORE_READ(group, self.parent, cgroup);
	}
	return false;
}

static __always_inline void tell_joined(struct task_struct *task)
{
	struct joined_event event = {};

	begin_event(&event.head, EVENT_JOINED, task, bpf_ktime_get_ns());
	event.head.size = sizeof(event);
	event.parent = BPF_CORE_READ(task, real_parent, tgid);
	event.start = BPF_CORE_READ(task, group_leader, start_boottime);
	set_numbers(&event.numbers, task, BPF_CORE_READ(task, real_parent));
	bpf_probe_read_kernel(event.name, sizeof(event.name), task->comm);
	if (bpf_ringbuf_output(&ring, &event, sizeof(event), BPF_RB_NO_WAKEUP))
		count(COUNTER_LOST_LIFE);
	tasks_joined++;
}

SEC("iter/task")
int tasks_join(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;

	/* who reads this is the recorder */
	recorder_level = level_of(bpf_get_current_task_btf());
	if (!task || !task->group_leader || !task->real_parent)
		return 0;
	if (tells_alone) {
		if (task->pid == task->tgid && number_in(task, recorder_level, NULL) == tells_alone)
			tell_joined(task);
		return 0;
	}
	if (state_of(task))
		return 0;
	if (task->flags & IS_EXITING) /* its end may have been told */
		return 0;
	if (!state_of(task->group_leader) && !state_of(task->real_parent) && !is_in_cgroup(task))
		return 0;
	/* before its first call, which can be at once */
	tell_joined(task);
	if (!bpf_task_storage_get(&tasks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE))
		count(COUNTER_NO_MEMORY);
	return 0;
}

#endif
