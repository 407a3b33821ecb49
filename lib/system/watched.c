/* SPDX-License-Identifier: MIT */
/* watched.c - see watched.h */
#include "system/watched.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bpf/kernel_events.h"
#include "read/index.h"
#include "system/begun_program.h"
#include "system/call_record.h"
#include "system/occurrences.h"
#include "system/running_process.h"
#include "system/sum_record.h"
#include "system/watched_files.h"

#define TICK 10000000u /* ns of a clock tick of /proc, USER_HZ: the same on all machines */

struct watched_task;

struct process {
	struct watched_stream *stream;
	uint32_t pid, threads;
	uint64_t start;             /* clock ticks since boot; 0 not known */
	struct watched_task *tasks; /* all of it, also those that wait for what they have begun */
	uint32_t waiting;           /* how many of these there are */
	struct watched_job job;
	bool ended; /* and its stream goes on: the first process's to the very end, others' until what they have begun has ended, too */
	uint32_t status;
	struct begun_program begun; /* what was told of the program that is about to be executed */
	bool waits; /* for the command to be executed: what it does before is the recorder's */
	struct index file_index; /* over `files` */
	uint32_t *files; /* numbers of watched_files; the position plus 1 is the stream's id */
	uint32_t file_count, file_room;
};

struct watched_task {
	struct process *process;
	uint32_t index, tid;
	uint32_t next; /* number of its next call */
	/* occurrences that end elsewhere: those that have come, and, when the thread has ended, how many it has begun */
	uint32_t late_come, late_begun;
	bool ended;
	struct watched_task *sibling;
	uint64_t summed; /* calls in its sums */
};

struct watched {
	const struct watch_place *place;
	struct idmap tasks;     /* by tid; NULL: it has ended */
	struct idmap processes; /* by pid, likewise */
	struct watched_files *files;
	struct watched_counts counts;
	uint32_t alive;
	struct process *first;
	const struct function_name *functions;
	uint32_t function_count;
	bool detached;
};

static const struct watched_job nobodys_job = {{0, -1, NULL}, ""};

/* Processes and threads -------------------------------------------------------------- */

static void drop_task(struct watched *watched, struct watched_task *task)
{
	struct watched_task **at = &task->process->tasks;

	while (*at != task)
		at = &(*at)->sibling;
	*at = task->sibling;
	if (idmap_get(&watched->tasks, task->tid) == task)
		idmap_set(&watched->tasks, task->tid, NULL);
	if (task->ended)
		task->process->waiting--;
	free(task);
}

static void release_process(struct watched *watched, struct process *process, const char *reason)
{
	int signal = (int)(process->status & 0x7f);

	while (process->tasks)
		drop_task(watched, process->tasks);
	if (idmap_get(&watched->processes, process->pid) == process)
		idmap_set(&watched->processes, process->pid, NULL);
	watched_stream_end(process->stream, reason,
			   signal ? 128 + signal : (int)(process->status >> 8 & 0xff));
	index_release(&process->file_index);
	begun_program_forget(&process->begun);
	free(process->files);
	free(process);
}

/* If it has ended, and all that it has begun. Its pid can be another process's from now on. */
static void end_process(struct watched *watched, struct process *process)
{
	if (!process->ended || process->waiting > 0)
		return;
	watched->alive--;
	if (process != watched->first)
		release_process(watched, process, "exit");
	else
		idmap_set(&watched->processes, process->pid, NULL);
}

/* One stream of the machine tells them. */
static void describe_mounts(const struct watched *watched, struct process *process)
{
	const char *text = watched_mounts_text(watched_files_mounts(watched->files));

	if (*text)
		watched_stream_describe(process->stream, "mounts", text, strlen(text));
}

/* An ended process whose pid another one has now is not waited for any more. */
static struct process *process_of(struct watched *watched, const struct watched_facts *facts)
{
	struct process *process = idmap_get(&watched->processes, facts->pid);

	if (process && !process->ended)
		return process;
	if (process) {
		while (process->tasks)
			drop_task(watched, process->tasks);
		end_process(watched, process);
	}
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = facts->pid;
	process->start = facts->pid_start;
	process->job = facts->job;
	process->stream = watched_stream_new(watched->place, facts);
	if (!process->stream || idmap_set(&watched->processes, facts->pid, process)) {
		if (process->stream)
			watched_stream_end(process->stream, NULL, 0);
		free(process);
		return NULL;
	}
	watched->alive++;
	if (!watched->first) {
		watched->first = process;
		describe_mounts(watched, process);
	}
	watched->counts.processes++;
	return process;
}

static struct watched_task *add_task(struct watched *watched, struct process *process, uint32_t tid,
				     uint64_t now, const char *name)
{
	struct watched_task *task = calloc(1, sizeof(*task)), *old;
	int64_t index = task ? watched_stream_thread(process->stream, tid, now, name) : -ENOMEM;

	old = idmap_get(&watched->tasks, tid);
	if (index < 0 || idmap_set(&watched->tasks, tid, task)) {
		free(task);
		return NULL;
	}
	if (old) /* its end was lost, or it is waited for */
		drop_task(watched, old);
	task->process = process;
	task->sibling = process->tasks;
	process->tasks = task;
	task->index = (uint32_t)index;
	task->tid = tid;
	process->threads++;
	watched->counts.threads++;
	return task;
}

/* That of an event; one whose begin was lost is made here. */
static struct watched_task *task_of(struct watched *watched, const struct event_head *head)
{
	struct watched_task *task = idmap_get(&watched->tasks, head->tid);
	struct watched_facts facts = {.pid = head->pid, .start = head->time, .job = nobodys_job};
	struct process *process;

	if (task)
		return task;
	process = process_of(watched, &facts);
	return process ? add_task(watched, process, head->tid, head->time, NULL) : NULL;
}

/* `late`: what it has begun that ends elsewhere. */
static void end_task(struct watched *watched, struct watched_task *task, uint32_t late)
{
	task->process->threads--;
	if (late <= task->late_come) {
		drop_task(watched, task);
		return;
	}
	task->late_begun = late;
	task->ended = true;
	task->process->waiting++;
}

/* Records ---------------------------------------------------------------------------- */

/* The stream's id of a file that the kernel told of; 0: it did not. */
static uint32_t file_id(struct watched *watched, struct process *process, uint32_t device,
			uint64_t inode)
{
	int64_t number = watched_files_find(watched->files, device, inode), found;
	uint32_t key = (uint32_t)number, hash, position;
	const struct watched_file *file;
	const struct watched_mount *mount;
	struct def_file def;
	uint8_t payload[2048];

	if (number < 0)
		return 0;
	position = hash = index_hash(&key, sizeof(key));
	while ((found = index_next(&process->file_index, hash, &position)) >= 0)
		if (process->files[found] == key)
			return (uint32_t)found + 1;
	if (process->file_count == process->file_room) {
		uint32_t room = process->file_room ? 2 * process->file_room : 16;
		uint32_t *files = realloc(process->files, room * sizeof(*files));

		if (!files)
			return 0;
		process->files = files;
		process->file_room = room;
	}
	if (index_add(&process->file_index, hash, process->file_count))
		return 0;
	process->files[process->file_count++] = key;
	file = watched_file(watched->files, key);
	mount = watched_mount(watched_files_mounts(watched->files), file->device);
	def = (struct def_file){.id = process->file_count,
				.type = file->mode & S_IFMT,
				.device = watched_device(file->device),
				.inode = file->inode,
				.size = file->size,
				.fs_magic = file->magic,
				.mount = mount ? mount->number : 0,
				.path = {file->path, strlen(file->path)}};
	watched_stream_define(process->stream, DEF_FILE, payload,
			      def_file_pack(payload, sizeof(payload), &def));
	return process->file_count;
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

static int add_occurrence(struct watched *watched, struct process *process, uint32_t index,
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

static int take_function(struct watched *watched, struct watched_task *task,
			 const struct function_event *event)
{
	struct watched_stream *stream = task->process->stream;
	struct raw_record record;

	if (event->function >= watched->function_count)
		return -EINVAL;
	if (task->process->waits)
		return 0;
	if (event->beyond > 0)
		watched_stream_lost(stream, task->index, event->beyond, LOSS_TOO_DEEP);
	watched->counts.too_deep += event->beyond;
	if (!watched_stream_knows(stream, function_record_id(event->function)))
		function_record_define(stream, event->function,
				       &watched->functions[event->function]);
	function_record_make(&record, event);
	watched->counts.functions++;
	watched->counts.records++;
	return watched_stream_add(stream, task->index, &record);
}

/* What ended elsewhere is its thread's, which can have ended before; the first process's, if nothing is known of that any more. */
static int take_late(struct watched *watched, const struct occurrence_event *event)
{
	struct watched_task *task = idmap_get(&watched->tasks, event->head.tid);
	struct process *process = task ? task->process : NULL;
	int error;

	if (!process || process->pid != event->head.pid ||
	    (process->start && process->start != event->start / TICK))
		return watched->first ? add_occurrence(watched, watched->first, 0, event) : 0;
	error = add_occurrence(watched, process, task->index, event);
	if (event->flags & OCCURRENCE_COUNTED)
		task->late_come++;
	if (task->ended && task->late_come >= task->late_begun) {
		drop_task(watched, task);
		end_process(watched, process);
	}
	return error;
}

/* How many calls all sums of the thread have; beyond those that came they were lost. */
static void check_sums(struct watched *watched, struct watched_task *task, uint64_t before)
{
	if (before > task->summed) {
		watched_stream_lost(task->process->stream, task->index, before - task->summed,
				    LOSS_RING_FULL);
		watched->counts.lost += before - task->summed;
	}
	task->summed = before;
}

static int take_sum(struct watched *watched, struct watched_task *task,
		    const struct sum_event *event)
{
	struct watched_stream *stream = task->process->stream;
	uint16_t function = sum_record_function(&event->sum);
	union sum_record_room room;
	uint32_t file = 0;

	check_sums(watched, task, event->before);
	task->summed += event->sum.count;
	if (task->process->waits)
		return 0;
	if (!watched_stream_knows(stream, function))
		sum_record_define(stream, function);
	if (event->sum.flags & CALL_HAS_FILE)
		file = file_id(watched, task->process, event->sum.device, event->sum.inode);
	sum_record_make(&room, event, file, watched->place->interval,
			watched_stream_last(stream, task->index));
	watched->counts.summed += event->sum.count;
	return watched_stream_add(stream, task->index, &room.record);
}

/* Events ----------------------------------------------------------------------------- */

static int take_fork(struct watched *watched, const struct fork_event *event)
{
	const struct process *parent = idmap_get(&watched->processes, event->head.pid);
	struct watched_facts facts = {.pid = event->child_pid,
				      .ppid = event->head.pid,
				      .pid_start = event->child_start / TICK,
				      .start = event->head.time,
				      .job = parent ? parent->job : nobodys_job};
	struct process *process = process_of(watched, &facts);
	char name[sizeof(event->name)];

	snprintf(name, sizeof(name), "%.*s", (int)sizeof(name) - 1, event->name);
	return process && add_task(watched, process, event->child_tid, event->head.time, name)
		       ? 0
		       : -ENOMEM;
}

static bool is_same_place(const struct watched_job *a, const struct watched_job *b)
{
	return a->rank.rank == b->rank.rank && !strcmp(a->world, b->world);
}

/* Which rank of which job the program is, by its environment: what the kernel has told of that, else what /proc still has. */
static bool find_job(const struct process *process, struct watched_job *job)
{
	const struct begun_text *told = &process->begun.texts[BEGUN_WITH_ENVIRONMENT];

	return told->size > 0 ? running_job_by(told->bytes, told->size, job)
			      : running_job(process->pid, job);
}

/* Of those of a rank the first one is its own process. */
static void look_for_job(struct process *process)
{
	struct watched_job job;

	if (!find_job(process, &job) || is_same_place(&process->job, &job))
		return;
	process->job = job;
	watched_stream_job(process->stream, &job, true);
}

/* A process that was there before. */
static void describe_running(struct process *process)
{
	running_describe_program(process->stream, process->pid);
	running_describe_arguments(process->stream, process->pid);
	look_for_job(process);
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

static int take_joined(struct watched *watched, const struct joined_event *event)
{
	bool is_new = !idmap_get(&watched->processes, event->head.pid);
	const struct process *parent = idmap_get(&watched->processes, event->parent);
	struct watched_facts facts = {.pid = event->head.pid,
				      .ppid = event->parent,
				      .pid_start = event->start / TICK,
				      .start = event->head.time,
				      .job = parent ? parent->job : nobodys_job};
	struct process *process = process_of(watched, &facts);
	char name[sizeof(event->name)];

	if (!process)
		return -ENOMEM;
	snprintf(name, sizeof(name), "%.*s", (int)sizeof(name) - 1, event->name);
	if (is_new)
		describe_running(process);
	return idmap_get(&watched->tasks, event->head.tid) ||
			       add_task(watched, process, event->head.tid, event->head.time, name)
		       ? 0
		       : -ENOMEM;
}

static int take_strings(struct watched *watched, const struct strings_event *event)
{
	struct process *process = idmap_get(&watched->processes, event->head.pid);

	return process ? begun_program_add(&process->begun, event) : 0;
}

static int take_exec(struct watched_task *task, const struct exec_event *event)
{
	const struct begun_text *told = &task->process->begun.texts[BEGUN_WITH_ARGUMENTS];
	struct watched_stream *stream = task->process->stream;

	look_for_job(task->process);
	name_after(task, event);
	if (event->text_size > 0 && event->text_size < EVENT_TEXT_MAX)
		watched_stream_describe(stream, "exe", event->text, event->text_size);
	if (told->size > 0)
		watched_stream_describe(stream, "argv", told->bytes, told->size);
	else
		running_describe_arguments(stream, task->process->pid);
	begun_program_forget(&task->process->begun);
	return 0;
}

static int take_exit(struct watched *watched, struct watched_task *task,
		     const struct exit_event *event)
{
	struct process *process = task->process;

	check_sums(watched, task, event->summed);
	end_task(watched, task, event->late);
	if (event->last || process->threads == 0) {
		process->status = event->status;
		process->ended = true;
		end_process(watched, process);
	}
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
		return take_fork(watched, (const struct fork_event *)head);
	case EVENT_EXEC:
		return take_exec(task, (const struct exec_event *)head);
	case EVENT_EXIT:
		return take_exit(watched, task, (const struct exit_event *)head);
	}
	return -EINVAL;
}

/* A thread that executes a program becomes its process's first one, and goes on with its numbers. */
static void move_task(struct watched *watched, const struct exec_event *event)
{
	struct watched_task *task = idmap_get(&watched->tasks, event->old_tid);

	if (!task || event->old_tid == event->head.tid || task->process->pid != event->head.pid ||
	    idmap_get(&watched->tasks, event->head.tid) ||
	    idmap_set(&watched->tasks, event->head.tid, task))
		return;
	idmap_set(&watched->tasks, event->old_tid, NULL);
	task->tid = event->head.tid;
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
	if (head->kind == EVENT_SUM)
		return ((const struct sum_event *)event)->sum.call < EVENT_CALLS_MAX + OCCURRENCES;
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
	if (head->kind == EVENT_JOINED)
		return take_joined(watched, event);
	if (head->kind == EVENT_STRINGS)
		return take_strings(watched, event);
	if (head->kind == EVENT_EXEC)
		move_task(watched, event);
	task = task_of(watched, head);
	if (!task)
		return -ENOMEM;
	if (head->number != task->next) {
		uint32_t lost = head->number - task->next;

		watched_stream_lost(task->process->stream, task->index, lost, LOSS_RING_FULL);
		watched->counts.lost += lost;
	}
	task->next = head->number + (uint32_t)event_is_numbered(head->kind);
	return dispatch(watched, task, head);
}

/* Begin and end ---------------------------------------------------------------------- */

struct watched *watched_new(const struct watch_place *place)
{
	struct watched *watched = calloc(1, sizeof(*watched));

	if (!watched)
		return NULL;
	watched->place = place;
	watched->files = watched_files_new();
	if (!watched->files) {
		free(watched);
		return NULL;
	}
	return watched;
}

void watched_functions(struct watched *watched, const struct function_name *names, uint32_t count)
{
	watched->functions = names;
	watched->function_count = count;
}

int watched_process(struct watched *watched, const struct watched_facts *facts, uint64_t now,
		    bool waits)
{
	struct process *process = process_of(watched, facts);
	char name[32] = "";

	if (!process)
		return -ENOMEM;
	process->waits = waits;
	if (waits)
		return add_task(watched, process, facts->pid, now, NULL) ? 0 : -ENOMEM;
	describe_running(process);
	running_name(facts->pid, name, sizeof(name));
	return add_task(watched, process, facts->pid, now, name) ? 0 : -ENOMEM;
}

void watched_detach(struct watched *watched)
{
	watched->detached = true;
}

void watched_flush(struct watched *watched, uint64_t older_than)
{
	for (uint32_t i = 0; i < watched->processes.count; i++) {
		struct process *process = watched->processes.entries[i].value;

		if (process)
			watched_stream_flush(process->stream, older_than);
	}
}

uint32_t watched_alive(const struct watched *watched)
{
	return watched->alive;
}

struct watched_counts watched_counts(const struct watched *watched)
{
	return watched->counts;
}

/* What a thread has begun that ended elsewhere, and did not come. */
static void account_for_late(struct watched *watched, uint64_t lost)
{
	for (uint32_t i = 0; i < watched->tasks.count; i++) {
		const struct watched_task *task = watched->tasks.entries[i].value;
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
	if (!watched->first || lost <= watched->counts.lost)
		return;
	watched_stream_lost(watched->first->stream, 0, lost - watched->counts.lost, LOSS_RING_FULL);
	watched->counts.lost = lost;
}

/* How a process has ended, by what is known when all is over. */
static const char *reason_of(const struct watched *watched, const struct process *process)
{
	if (process->ended)
		return "exit";
	return watched->detached ? "detached" : NULL;
}

void watched_free(struct watched *watched, uint64_t lost)
{
	account_for_late(watched, lost);
	account_for_lost(watched, lost);
	for (uint32_t i = 0; i < watched->processes.count; i++) {
		struct process *process = watched->processes.entries[i].value;

		if (process && process != watched->first)
			release_process(watched, process, reason_of(watched, process));
	}
	if (watched->first)
		release_process(watched, watched->first, reason_of(watched, watched->first));
	idmap_release(&watched->tasks);
	idmap_release(&watched->processes);
	watched_files_free(watched->files);
	free(watched);
}
