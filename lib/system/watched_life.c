/* SPDX-License-Identifier: MIT */
/* watched_life.c - see watched_life.h */
#include "system/watched_life.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "format/wire.h"
#include "system/running_process.h"

#define TASK_NAME_MAX 16

/* Which place in the job ------------------------------------------------------------- */

static bool is_same_place(const struct watched_job *a, const struct watched_job *b)
{
	return a->rank.rank == b->rank.rank && !strcmp(a->world, b->world);
}

/* Which rank of which job the program is, by its environment: what the kernel has told of that, else what /proc still has. */
static bool find_job(const struct watched_process *process, struct watched_job *job)
{
	const struct begun_text *told = &process->begun.texts[BEGUN_WITH_ENVIRONMENT];

	return told->size > 0 ? running_job_by(told->bytes, told->size, job)
			      : running_job(process->here, job);
}

/* Of those of a rank the first one is its own process. */
static void look_for_job(struct watched_process *process)
{
	struct watched_job job;

	if (!find_job(process, &job) || is_same_place(&process->job, &job))
		return;
	process->job = job;
	watched_stream_job(process->stream, &job, true);
}

/* Its place until it says another one, and its stream. */
static void set_parent(const struct watched_processes *processes, uint32_t parent,
		       struct watched_facts *facts)
{
	const struct watched_process *process = watched_process_find(processes, parent);

	facts->job = process ? process->job : watched_nobodys_job;
	facts->parent = process ? watched_stream_id(process->stream) : 0;
}

/* Begins ----------------------------------------------------------------------------- */

static void copy_name(char name[TASK_NAME_MAX], const char told[TASK_NAME_MAX])
{
	snprintf(name, TASK_NAME_MAX, "%.*s", TASK_NAME_MAX - 1, told);
}

/* What it is called itself, if that is known. */
static void set_numbers(struct watched_facts *facts, struct watched_thread_facts *thread,
			const struct task_numbers *numbers)
{
	if (!numbers->space)
		return;
	facts->pid = numbers->pid;
	facts->ppid = numbers->parent;
	facts->space = numbers->space;
	thread->tid = numbers->tid;
}

int watched_life_fork(struct watched_processes *processes, const struct fork_event *event)
{
	struct watched_facts facts = {.pid = event->child_pid,
				      .ppid = event->head.pid,
				      .outer = event->child_pid,
				      .pid_start = event->child_start / PID_START_TICK,
				      .start = event->head.time};
	char name[TASK_NAME_MAX];
	struct watched_thread_facts thread = {.number = event->child_tid,
					      .tid = event->child_tid,
					      .start = event->head.time,
					      .name = name};
	struct watched_process *process;

	set_numbers(&facts, &thread, &event->numbers);
	set_parent(processes, event->head.pid, &facts);
	copy_name(name, event->name);
	process = watched_process_of(processes, &facts, event->numbers.here);
	return process && watched_task_add(processes, process, &thread) ? 0 : -ENOMEM;
}

/* As /proc has it. */
static void describe_running(struct watched_process *process)
{
	running_describe_program(process->stream, process->here);
	running_describe_arguments(process->stream, process->here);
	look_for_job(process);
}

/* The first process; false: it is not that one. */
static bool take_root(struct watched_processes *processes, struct watched_facts *facts)
{
	if (!processes->root_is_awaited)
		return false;
	processes->root_is_awaited = false;
	facts->job = processes->root.job;
	facts->main = true;
	return true;
}

int watched_life_joined(struct watched_processes *processes, const struct joined_event *event)
{
	bool is_new = !watched_process_find(processes, event->head.pid), waits;
	struct watched_facts facts = {.pid = event->head.pid,
				      .ppid = event->parent,
				      .outer = event->head.pid,
				      .pid_start = event->start / PID_START_TICK,
				      .start = event->head.time};
	char name[TASK_NAME_MAX];
	struct watched_thread_facts thread = {.number = event->head.tid,
					      .tid = event->head.tid,
					      .start = event->head.time,
					      .name = name};
	struct watched_process *process;

	set_numbers(&facts, &thread, &event->numbers);
	set_parent(processes, event->parent, &facts);
	waits = take_root(processes, &facts) && processes->root.waits;
	process = watched_process_of(processes, &facts, event->numbers.here);
	if (!process)
		return -ENOMEM;
	copy_name(name, event->name);
	if (waits)
		process->waits = true, thread.name = NULL;
	else if (is_new)
		describe_running(process);
	return watched_task_find(processes, event->head.tid) ||
			       watched_task_add(processes, process, &thread)
		       ? 0
		       : -ENOMEM;
}

/* Programs --------------------------------------------------------------------------- */

int watched_life_strings(struct watched_processes *processes, const struct strings_event *event)
{
	struct watched_process *process = watched_process_find(processes, event->head.pid);

	if (!process)
		return 0;
	process->waits = false; /* the event of the program itself may be lost */
	return begun_program_add(&process->begun, event);
}

void watched_life_moves(struct watched_processes *processes, const struct exec_event *event)
{
	struct watched_task *task = watched_task_find(processes, event->old_tid);

	if (task && event->old_tid != event->head.tid && task->process->number == event->head.pid)
		watched_task_renumber(processes, task, event->head.tid);
}

/* The kernel calls a thread by the last name of the program that it executes. */
static void name_after(const struct watched_task *task, const struct exec_event *event)
{
	char text[EVENT_TEXT_MAX];
	const char *slash;

	if (event->text_size == 0 || event->text_size >= EVENT_TEXT_MAX)
		return;
	snprintf(text, sizeof(text), "%.*s", (int)event->text_size, event->text);
	slash = strrchr(text, '/');
	snprintf(text, sizeof(text), "%.15s", slash ? slash + 1 : text);
	watched_stream_rename(task->process->stream, task->index, text);
}

void watched_life_exec(struct watched_task *task, const struct exec_event *event)
{
	const struct begun_text *told = &task->process->begun.texts[BEGUN_WITH_ARGUMENTS];
	struct watched_stream *stream = task->process->stream;

	look_for_job(task->process);
	name_after(task, event);
	if (event->text_size > 0 && event->text_size < EVENT_TEXT_MAX)
		watched_stream_describe(stream, "exe", event->text, event->text_size);
	if (told->size > 0)
		watched_stream_arguments(stream, told->bytes, told->size);
	else
		running_describe_arguments(stream, task->process->here);
	begun_program_forget(&task->process->begun);
}

/* Ends ------------------------------------------------------------------------------- */

void watched_life_exit(struct watched_processes *processes, struct watched_task *task,
		       const struct exit_event *event)
{
	struct watched_process *process = task->process;

	watched_task_end(processes, task, event->head.time, event->late, event->late_sums);
	if (event->last || process->threads == 0) {
		if (!process->ended || event->last)
			process->status = event->status;
		if (process->end < event->head.time)
			process->end = event->head.time;
		process->ended = true;
		watched_process_end(processes, process);
	}
}
