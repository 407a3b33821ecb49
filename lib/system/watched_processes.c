/* SPDX-License-Identifier: MIT */
/* watched_processes.c - see watched_processes.h */
#include "system/watched_processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read/life.h"

struct watched_process *watched_process_find(const struct watched_processes *processes,
					     uint32_t number)
{
	return idmap_get(&processes->processes, number);
}

struct watched_task *watched_task_find(const struct watched_processes *processes, uint32_t number)
{
	return idmap_get(&processes->tasks, number);
}

/* Ends ------------------------------------------------------------------------------- */

static void drop_task(struct watched_processes *processes, struct watched_task *task)
{
	struct watched_task **at = &task->process->tasks;

	while (*at != task)
		at = &(*at)->sibling;
	*at = task->sibling;
	if (idmap_get(&processes->tasks, task->number) == task)
		idmap_set(&processes->tasks, task->number, NULL);
	if (task->ended)
		task->process->waiting--;
	else
		task->process->threads--;
	free(task);
}

static void drop_tasks(struct watched_processes *processes, struct watched_process *process)
{
	while (process->tasks)
		drop_task(processes, process->tasks);
}

static void release(struct watched_processes *processes, struct watched_process *process,
		    const char *reason)
{
	int signal = (int)(process->status & 0x7f);

	drop_tasks(processes, process);
	if (idmap_get(&processes->processes, process->number) == process)
		idmap_set(&processes->processes, process->number, NULL);
	watched_stream_end(process->stream, reason,
			   signal ? 128 + signal : (int)(process->status >> 8 & 0xff),
			   process->end);
	begun_program_forget(&process->begun);
	process_files_release(&process->files);
	free(process);
}

void watched_process_end(struct watched_processes *processes, struct watched_process *process)
{
	if (!process->ended || process->threads > 0 || process->waiting > 0)
		return;
	processes->alive--;
	if (process != processes->first)
		release(processes, process, "exit");
	else
		idmap_set(&processes->processes, process->number, NULL);
}

/* It has ended, and not all that it has begun that ends elsewhere. */
static bool is_waited_for(const struct watched_task *task)
{
	return task->unsummed || task->late_come < task->late_begun;
}

void watched_task_end(struct watched_processes *processes, struct watched_task *task, uint64_t now,
		      uint32_t late, bool unsummed)
{
	task->late_begun = late;
	task->unsummed = unsummed;
	task->end = now;
	if (!is_waited_for(task)) {
		drop_task(processes, task);
		return;
	}
	task->ended = true;
	task->process->threads--;
	task->process->waiting++;
}

void watched_task_waits_less(struct watched_processes *processes, struct watched_task *task)
{
	struct watched_process *process = task->process;

	if (!task->ended || is_waited_for(task))
		return;
	drop_task(processes, task);
	watched_process_end(processes, process);
}

void watched_processes_summed(struct watched_processes *processes, uint64_t then)
{
	for (uint32_t i = 0; i < processes->tasks.count; i++) {
		struct watched_task *task = processes->tasks.entries[i].value;

		if (!task || !task->unsummed || task->end > then)
			continue;
		task->unsummed = false;
		watched_task_waits_less(processes, task);
	}
}

/* Those whose end has not come by now: it was lost. */
static void drop_unended(struct watched_processes *processes, struct watched_process *process)
{
	struct watched_task *task = process->tasks, *next;

	for (; task; task = next) {
		next = task->sibling;
		if (!task->ended)
			drop_task(processes, task);
	}
}

void watched_processes_overdue(struct watched_processes *processes, uint64_t then)
{
	for (uint32_t i = 0; i < processes->processes.count; i++) {
		struct watched_process *process = processes->processes.entries[i].value;

		if (!process || !process->ended || process->threads == 0 || process->end > then)
			continue;
		drop_unended(processes, process);
		watched_process_end(processes, process);
	}
}

bool watched_processes_wait(const struct watched_processes *processes)
{
	for (uint32_t i = 0; i < processes->processes.count; i++) {
		const struct watched_process *process = processes->processes.entries[i].value;

		if (process && process->waiting > 0)
			return true;
	}
	return false;
}

bool watched_processes_go_on(const struct watched_processes *processes)
{
	for (uint32_t i = 0; i < processes->processes.count; i++) {
		const struct watched_process *process = processes->processes.entries[i].value;

		if (process && !process->ended && (!process->here || life_is_there(process->here)))
			return true;
	}
	return false;
}

/* Begins ----------------------------------------------------------------------------- */

static struct watched_process *make(struct watched_processes *processes,
				    const struct watched_facts *facts, uint32_t here)
{
	struct watched_process *process = calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	process->number = facts->outer;
	process->here = here;
	process->start = facts->pid_start;
	process->job = facts->job;
	process->stream = watched_stream_new(processes->place, facts);
	if (!process->stream || idmap_set(&processes->processes, facts->outer, process)) {
		if (process->stream)
			watched_stream_end(process->stream, NULL, 0, 0);
		free(process);
		return NULL;
	}
	return process;
}

/* One stream of the machine tells them. */
static void describe_mounts(const struct watched_processes *processes,
			    struct watched_process *process)
{
	const char *text = watched_mounts_text(processes->mounts);

	if (*text)
		watched_stream_describe(process->stream, "mounts", text, strlen(text));
}

struct watched_process *watched_process_of(struct watched_processes *processes,
					   const struct watched_facts *facts, uint32_t here)
{
	struct watched_process *process = watched_process_find(processes, facts->outer);

	if (process && !process->ended)
		return process;
	if (process) {
		drop_tasks(processes, process);
		watched_process_end(processes, process);
	}
	process = make(processes, facts, here);
	if (!process)
		return NULL;
	processes->alive++;
	if (!processes->first) {
		processes->first = process;
		describe_mounts(processes, process);
	}
	processes->process_count++;
	return process;
}

/* Its end was lost, or it is waited for: another one has its number now. */
static void forget_task(struct watched_processes *processes, struct watched_task *task)
{
	struct watched_process *process = task->process;

	drop_task(processes, task);
	watched_process_end(processes, process);
}

struct watched_task *watched_task_add(struct watched_processes *processes,
				      struct watched_process *process,
				      const struct watched_thread_facts *facts)
{
	struct watched_task *task = calloc(1, sizeof(*task)), *old;
	int64_t index =
		task ? watched_stream_thread(process->stream, facts->tid, facts->start, facts->name)
		     : -ENOMEM;

	old = watched_task_find(processes, facts->number);
	if (index < 0 || idmap_set(&processes->tasks, facts->number, task)) {
		free(task);
		return NULL;
	}
	if (old)
		forget_task(processes, old);
	task->process = process;
	task->sibling = process->tasks;
	process->tasks = task;
	task->index = (uint32_t)index;
	task->number = facts->number;
	process->threads++;
	processes->thread_count++;
	return task;
}

bool watched_task_renumber(struct watched_processes *processes, struct watched_task *task,
			   uint32_t number)
{
	if (watched_task_find(processes, number) || idmap_set(&processes->tasks, number, task))
		return false;
	idmap_set(&processes->tasks, task->number, NULL);
	task->number = number;
	return true;
}

/* All -------------------------------------------------------------------------------- */

void watched_processes_flush(struct watched_processes *processes, uint64_t older_than)
{
	for (uint32_t i = 0; i < processes->processes.count; i++) {
		struct watched_process *process = processes->processes.entries[i].value;

		if (process)
			watched_stream_flush(process->stream, older_than);
	}
}

/* How a process has ended, by what is known when all is over. */
static const char *reason_of(const struct watched_processes *processes,
			     const struct watched_process *process)
{
	if (process->ended)
		return "exit";
	return processes->detached ? "detached" : NULL;
}

void watched_processes_release(struct watched_processes *processes)
{
	for (uint32_t i = 0; i < processes->processes.count; i++) {
		struct watched_process *process = processes->processes.entries[i].value;

		if (process && process != processes->first)
			release(processes, process, reason_of(processes, process));
	}
	if (processes->first)
		release(processes, processes->first, reason_of(processes, processes->first));
	idmap_release(&processes->tasks);
	idmap_release(&processes->processes);
}
