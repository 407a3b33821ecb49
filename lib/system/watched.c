/* SPDX-License-Identifier: MIT */
/* watched.c - see watched.h */
#include "system/watched.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bpf/kernel_events.h"
#include "format/wire.h"
#include "system/call_record.h"
#include "system/occurrences.h"
#include "system/process_files.h"
#include "system/sum_record.h"
#include "system/watched_files.h"
#include "system/watched_life.h"

struct watched {
	struct watched_processes processes;
	struct watched_files *files;
	struct watched_counts counts; /* of records */
	const struct function_name *functions;
	uint32_t function_count;
};

/* Records ---------------------------------------------------------------------------- */

static uint32_t file_id(const struct watched *watched, struct watched_process *process,
			uint32_t device, uint64_t inode)
{
	return process_files_id(&process->files, process->stream, watched->files, device, inode);
}

/* Whether reads and writes of it have a place. */
static bool is_seekable(const struct watched *watched, const struct call_event *event)
{
	int64_t number = event->flags & CALL_HAS_FILE
				 ? watched_files_find(watched->files, event->device, event->inode)
				 : -1;
	uint32_t type =
		number < 0 ? 0 : watched_file(watched->files, (uint32_t)number)->mode & S_IFMT;

	return type == S_IFREG || type == S_IFBLK;
}

static int take_call(struct watched *watched, struct watched_task *task,
		     const struct call_event *event)
{
	struct watched_stream *stream = task->process->stream;
	uint16_t function = call_record_function(event);
	union call_record_room room;
	uint32_t file = 0;

	if (!watched_stream_knows(stream, function))
		call_record_define(stream, function);
	if (event->flags & CALL_HAS_FILE)
		file = file_id(watched, task->process, event->device, event->inode);
	call_record_make(&room, event, file, is_seekable(watched, event));
	watched->counts.calls++;
	watched->counts.records++;
	return watched_stream_add(stream, task->index, &room.record);
}

static int add_occurrence(struct watched *watched, struct watched_process *process, uint32_t index,
			  const struct occurrence_event *event)
{
	union occurrence_room room;
	uint32_t file = 0;

	if (process->waits || event->flags & OCCURRENCE_NOTHING)
		return 0;
	if (!watched_stream_knows(process->stream, occurrence_function(event->what)))
		occurrence_define(process->stream, event->what);
	if (event->flags & OCCURRENCE_HAS_FILE)
		file = file_id(watched, process, event->device, event->inode);
	occurrence_record(&room, event, file);
	watched->counts.records++;
	return watched_stream_add(process->stream, index, &room.record);
}

static void take_too_deep(struct watched *watched, const struct watched_task *task, uint32_t count)
{
	if (count > 0)
		watched_stream_lost(task->process->stream, task->index, count, LOSS_TOO_DEEP);
	watched->counts.too_deep += count;
}

static int take_function(struct watched *watched, struct watched_task *task,
			 const struct function_event *event)
{
	struct watched_stream *stream = task->process->stream;
	struct raw_record record;

	if (event->function >= watched->function_count)
		return -EINVAL;
	if (task->process->waits)
		return 0;
	take_too_deep(watched, task, event->beyond);
	if (!watched_stream_knows(stream, function_record_id(event->function)))
		function_record_define(stream, event->function,
				       &watched->functions[event->function]);
	function_record_make(&record, event);
	watched->counts.functions++;
	watched->counts.records++;
	return watched_stream_add(stream, task->index, &record);
}

/* Who began what ended elsewhere, and may have ended before; NULL: nothing is known of it any more. */
static struct watched_task *late_task(const struct watched *watched, uint32_t pid, uint32_t tid,
				      uint64_t start)
{
	struct watched_task *task = watched_task_find(&watched->processes, tid);
	const struct watched_process *process = task ? task->process : NULL;

	if (!process || process->number != pid ||
	    (process->start && process->start != start / PID_START_TICK))
		return NULL;
	return task;
}

/* It is its thread's, or, if nothing is known of that, the first process's. */
static int take_late(struct watched *watched, const struct occurrence_event *event)
{
	struct watched_task *task =
		late_task(watched, event->head.pid, event->head.tid, event->start);
	int error;

	if (!task)
		return watched->processes.first
			       ? add_occurrence(watched, watched->processes.first, 0, event)
			       : 0;
	error = add_occurrence(watched, task->process, task->index, event);
	if (event->flags & OCCURRENCE_COUNTED)
		task->late_come++;
	watched_task_waits_less(&watched->processes, task);
	return error;
}

/* How many calls all sums of the thread have, but for off_cpu or of that; beyond those that came, *summed, they were lost. */
static void check_sums(struct watched *watched, struct watched_task *task, uint64_t *summed,
		       uint64_t before)
{
	if (before > *summed) {
		watched_stream_lost(task->process->stream, task->index, before - *summed,
				    LOSS_RING_FULL);
		watched->counts.lost += before - *summed;
	}
	*summed = before;
}

static void count_summed(struct watched_counts *counts, const struct call_sum *sum)
{
	if (sum->call >= SUM_FUNCTIONS)
		counts->functions_summed += sum->count;
	else if (sum->call < SUM_OCCURRENCES)
		counts->summed += sum->count;
}

/* `queue`: ns, of requests to disks. */
static int add_sum(struct watched *watched, struct watched_process *process, uint32_t index,
		   const struct sum_event *event, uint64_t queue)
{
	struct watched_stream *stream = process->stream;
	union sum_record_room room;
	uint32_t file = 0;

	if (process->waits)
		return 0;
	if (!watched_stream_knows(stream, sum_record_function(&event->sum)))
		sum_record_define(stream, &event->sum, watched->functions);
	if (event->sum.flags & CALL_HAS_FILE)
		file = file_id(watched, process, event->sum.device, event->sum.inode);
	sum_record_make(&room, event, file, watched->processes.place->interval,
			watched_stream_last(stream, index), queue);
	count_summed(&watched->counts, &event->sum);
	return watched_stream_add(stream, index, &room.record);
}

/* Times without a CPU, and their sums, have numbers of their own (bpf/switches.bpf.h). */
static bool is_of_off_cpu(const struct event_head *head)
{
	if (head->kind == EVENT_OCCURRED)
		return ((const struct occurrence_event *)head)->what == OCCURRED_off_cpu;
	return head->kind == EVENT_SUM &&
	       ((const struct sum_event *)head)->sum.call == SUM_OCCURRENCES + OCCURRED_off_cpu;
}

static int take_sum(struct watched *watched, struct watched_task *task,
		    const struct sum_event *event)
{
	uint64_t *summed = is_of_off_cpu(&event->head) ? &task->off_summed : &task->summed;

	if (event->sum.call >= SUM_FUNCTIONS + watched->function_count)
		return -EINVAL;
	check_sums(watched, task, summed, event->before);
	*summed += event->sum.count;
	if (!task->process->waits)
		take_too_deep(watched, task, event->beyond);
	return add_sum(watched, task->process, task->index, event, 0);
}

/* As take_late(), of many. */
static int take_late_sum(struct watched *watched, const struct late_sum_event *event)
{
	const struct late_key *key = &event->key;
	struct watched_task *task = late_task(watched, key->pid, key->tid, key->start);
	struct watched_process *process = task ? task->process : watched->processes.first;
	struct sum_event sum = {.head = event->head,
				.begin = key->begin,
				.sum = {.inode = key->inode,
					.device = key->device,
					.call = (__u16)(SUM_OCCURRENCES + key->what),
					.flags = key->flags,
					.count = event->sum.count,
					.time = event->sum.time,
					.bytes = event->sum.bytes}};
	int error = 0;

	if (process && sum.sum.count > 0)
		error = add_sum(watched, process, task ? task->index : 0, &sum, event->sum.queue);
	if (!task)
		return error;
	task->late_come += (uint32_t)event->sum.counted;
	watched_task_waits_less(&watched->processes, task);
	return error;
}

/* Events ----------------------------------------------------------------------------- */

/* That of an event; one whose begin was lost is made here, by the only numbers that are known of it. */
static struct watched_task *task_of(struct watched *watched, const struct event_head *head)
{
	struct watched_task *task = watched_task_find(&watched->processes, head->tid);
	struct watched_facts facts = {.pid = head->pid,
				      .outer = head->pid,
				      .start = head->time,
				      .job = watched_nobodys_job};
	struct watched_thread_facts thread = {.number = head->tid,
					      .tid = head->tid,
					      .start = head->time};
	struct watched_process *process;

	if (task)
		return task;
	process = watched_process_of(&watched->processes, &facts, 0);
	return process ? watched_task_add(&watched->processes, process, &thread) : NULL;
}

/* Those between the one that was to come and this one were lost. */
static void check_number(struct watched *watched, struct watched_task *task, uint32_t *next,
			 uint32_t number)
{
	uint32_t lost = number - *next;

	if (lost > 0) {
		watched_stream_lost(task->process->stream, task->index, lost, LOSS_RING_FULL);
		watched->counts.lost += lost;
	}
	*next = number;
}

static void count_event(struct watched *watched, struct watched_task *task,
			const struct event_head *head)
{
	uint32_t *next = is_of_off_cpu(head) ? &task->off_next : &task->next;

	check_number(watched, task, next, head->number);
	*next += (uint32_t)event_is_numbered(head->kind);
}

static int take_exit(struct watched *watched, struct watched_task *task,
		     const struct exit_event *event)
{
	check_sums(watched, task, &task->summed, event->summed);
	check_sums(watched, task, &task->off_summed, event->off_summed);
	check_number(watched, task, &task->off_next, event->off_number);
	watched_life_exit(&watched->processes, task, event);
	return 0;
}

static int dispatch(struct watched *watched, struct watched_task *task,
		    const struct event_head *head)
{
	if (head->kind == EVENT_EXEC)
		task->process->waits = false;
	switch (head->kind) {
	case EVENT_CALL:
		if (task->process->waits)
			return 0;
		return take_call(watched, task, (const struct call_event *)head);
	case EVENT_OCCURRED:
		return add_occurrence(watched, task->process, task->index,
				      (const struct occurrence_event *)head);
	case EVENT_FUNCTION:
		return take_function(watched, task, (const struct function_event *)head);
	case EVENT_SUM:
		return take_sum(watched, task, (const struct sum_event *)head);
	case EVENT_FORK:
		return watched_life_fork(&watched->processes, (const struct fork_event *)head);
	case EVENT_EXEC:
		watched_life_exec(task, (const struct exec_event *)head);
		return 0;
	case EVENT_EXIT:
		return take_exit(watched, task, (const struct exit_event *)head);
	}
	return -EINVAL;
}

/* The least that an event of a kind has; 0: no such kind. */
static size_t least_size(unsigned kind)
{
	static const size_t sizes[] = {
		[EVENT_CALL] = offsetof(struct call_event, text),
		[EVENT_FORK] = sizeof(struct fork_event),
		[EVENT_EXEC] = sizeof(struct exec_event),
		[EVENT_EXIT] = sizeof(struct exit_event),
		[EVENT_FILE] = sizeof(struct file_event),
		[EVENT_JOINED] = sizeof(struct joined_event),
		[EVENT_OCCURRED] = offsetof(struct occurrence_event, ranges),
		[EVENT_STRINGS] = sizeof(struct strings_event),
		[EVENT_SUM] = sizeof(struct sum_event),
		[EVENT_LATE_SUM] = sizeof(struct late_sum_event),
		[EVENT_LATE_ALL] = sizeof(struct event_head),
		[EVENT_FUNCTION] = sizeof(struct function_event),
	};

	return kind < sizeof(sizes) / sizeof(sizes[0]) ? sizes[kind] : 0;
}

static bool occurrence_is_whole(const struct occurrence_event *event, size_t size)
{
	return event->what < OCCURRENCES && event->range_count <= OCCURRENCE_RANGES &&
	       event->range_count * sizeof(event->ranges[0]) <=
		       size - offsetof(struct occurrence_event, ranges);
}

/* Whether all that it says of itself is right. */
static bool is_whole(const void *event, size_t size)
{
	const struct event_head *head = event;

	if (size < sizeof(*head) || least_size(head->kind) == 0 || size < least_size(head->kind))
		return false;
	if (head->kind == EVENT_CALL)
		return ((const struct call_event *)event)->text_size <=
		       size - offsetof(struct call_event, text);
	if (head->kind == EVENT_STRINGS)
		return begun_piece_is_whole(event);
	if (head->kind == EVENT_LATE_SUM)
		return ((const struct late_sum_event *)event)->key.what < OCCURRENCES;
	return head->kind != EVENT_OCCURRED || occurrence_is_whole(event, size);
}

int watched_event(struct watched *watched, const void *event, size_t size)
{
	const struct event_head *head = event;
	const struct occurrence_event *occurrence = event;
	struct watched_task *task;

	if (!is_whole(event, size))
		return -EINVAL;
	if (head->kind == EVENT_FILE)
		return watched_files_tell(watched->files, event);
	if (head->kind == EVENT_OCCURRED && occurrence->flags & OCCURRENCE_LATE)
		return take_late(watched, occurrence);
	if (head->kind == EVENT_LATE_SUM)
		return take_late_sum(watched, event);
	if (head->kind == EVENT_LATE_ALL) {
		watched_processes_summed(&watched->processes, head->time);
		return 0;
	}
	if (head->kind == EVENT_JOINED)
		return watched_life_joined(&watched->processes, event);
	if (head->kind == EVENT_STRINGS)
		return watched_life_strings(&watched->processes, event);
	if (head->kind == EVENT_EXEC)
		watched_life_moves(&watched->processes, event);
	task = task_of(watched, head);
	if (!task)
		return -ENOMEM;
	count_event(watched, task, head);
	return dispatch(watched, task, head);
}

/* Begin and end ---------------------------------------------------------------------- */

struct watched *watched_new(const struct watch_place *place)
{
	struct watched *watched = calloc(1, sizeof(*watched));

	if (!watched)
		return NULL;
	watched->processes.place = place;
	watched->files = watched_files_new();
	if (!watched->files) {
		free(watched);
		return NULL;
	}
	watched->processes.mounts = watched_files_mounts(watched->files);
	return watched;
}

void watched_functions(struct watched *watched, const struct function_name *names, uint32_t count)
{
	watched->functions = names;
	watched->function_count = count;
}

void watched_await_root(struct watched *watched, const struct watched_job *job, bool waits)
{
	watched->processes.root = (struct watched_root){*job, waits};
	watched->processes.root_is_awaited = true;
}

bool watched_has_root(const struct watched *watched)
{
	return watched->processes.first;
}

void watched_detach(struct watched *watched)
{
	watched->processes.detached = true;
}

void watched_flush(struct watched *watched, uint64_t older_than)
{
	watched_processes_flush(&watched->processes, older_than);
}

void watched_overdue(struct watched *watched, uint64_t then)
{
	watched_processes_overdue(&watched->processes, then);
}

bool watched_waits(const struct watched *watched)
{
	return watched_processes_wait(&watched->processes);
}

uint32_t watched_alive(const struct watched *watched)
{
	return watched->processes.alive;
}

bool watched_goes_on(const struct watched *watched)
{
	return watched_processes_go_on(&watched->processes);
}

struct watched_counts watched_counts(const struct watched *watched)
{
	struct watched_counts counts = watched->counts;

	counts.processes = watched->processes.process_count;
	counts.threads = watched->processes.thread_count;
	return counts;
}

/* What a thread has begun that ended elsewhere, and did not come. */
static void account_for_late(struct watched *watched, uint64_t lost)
{
	for (uint32_t i = 0; i < watched->processes.tasks.count; i++) {
		const struct watched_task *task = watched->processes.tasks.entries[i].value;
		uint64_t missing;

		if (!task || !task->ended || lost <= watched->counts.lost)
			continue;
		missing = task->late_begun - task->late_come;
		if (missing > lost - watched->counts.lost)
			missing = lost - watched->counts.lost;
		watched_stream_lost(task->process->stream, task->index, missing, LOSS_RING_FULL);
		watched->counts.lost += missing;
	}
}

/* What was lost of threads that were never heard of, or never again. */
static void account_for_lost(struct watched *watched, uint64_t lost)
{
	if (!watched->processes.first || lost <= watched->counts.lost)
		return;
	watched_stream_lost(watched->processes.first->stream, 0, lost - watched->counts.lost,
			    LOSS_RING_FULL);
	watched->counts.lost = lost;
}

void watched_free(struct watched *watched, uint64_t lost)
{
	account_for_late(watched, lost);
	account_for_lost(watched, lost);
	watched_processes_release(&watched->processes);
	watched_files_free(watched->files);
	free(watched);
}
