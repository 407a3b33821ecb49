/* SPDX-License-Identifier: MIT */
/* lanes.c - see lanes.h */
#include "lanes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "metavalue.h"

#define LANES_MAX 64u  /* of one thread; more overlaps share the last */
#define LANES_LATE 32u /* from here on for calls that come late and need not be inside of others */

/* Ends of the calls that are open at the present instant, outermost first: they never grow inward. */
struct stack {
	int64_t *ends;
	uint32_t depth, room;
};

struct thread_lanes {
	uint64_t key; /* stream << 32 | thread, plus 1; 0: free */
	uint32_t tid;
	uint32_t number; /* in the trace */
	uint32_t turn;   /* of lanes_begin() that it was used in last */
	uint32_t naming; /* of lanes_forget_names(), the same */
	bool signal;
	bool beneath; /* recorded from outside of a process that is recorded from inside, too */
	const char *name, *library;
	int64_t last; /* begin of the record before */
	unsigned count;
	struct {
		bool used;
		struct stack stack;
	} lanes[LANES_MAX];
};

struct process {
	uint32_t pid;
	bool synthetic;
	uint32_t named; /* of the first stream: the naming that it was named in last */
	unsigned first; /* stream of the process */
};

struct lanes {
	const struct reader *trace;
	struct process *processes; /* by stream */
	unsigned streams;
	struct thread_lanes **threads; /* hashed by key, a power of two of them */
	size_t thread_room, thread_count;
	uint32_t next_synthetic;
	uint32_t *first_thread; /* number in the trace, by stream */
	uint32_t all_threads;
	uint32_t turn, naming;
	uint64_t last_key; /* and what was found for it */
	struct thread_lanes *last;
	struct lane_top top;
};

/* Processes ------------------------------------------------------------------- */

/* One machine, and one space of process numbers on it, as far as that is known. A container has a name of its own for the machine. */
static bool same_place(const struct reader_stream *one, const struct reader_stream *other)
{
	if (one->pid_ns && other->pid_ns && one->pid_ns != other->pid_ns)
		return false;
	if (strcmp(one->boot_id, other->boot_id) != 0)
		return false;
	return *one->boot_id || !strcmp(one->host, other->host);
}

/* Two streams are of one process: same pid, same start; one exec'ed from the other, or recorded from outside. */
static bool same_process(const struct reader *trace, unsigned a, const struct reader_stream *one,
			 unsigned b, const struct reader_stream *other)
{
	return one->pid == other->pid && one->rank == other->rank && one->world == other->world &&
	       (one->image != other->image ||
		meta_is_from_outside(trace, a) != meta_is_from_outside(trace, b)) &&
	       same_place(one, other) &&
	       meta_number(trace, a, "pid.start") == meta_number(trace, b, "pid.start");
}

/* Streams in the order of their pid; equal ones by number, those from outside last: the process is named by the others. */
struct by_pid {
	uint32_t pid;
	unsigned stream;
	bool outside;
};

static int compare_pids(const void *a, const void *b)
{
	const struct by_pid *one = a, *other = b;

	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	if (one->outside != other->outside)
		return one->outside ? 1 : -1;
	return one->stream < other->stream ? -1 : 1;
}

/* The process that stream number `at` of `sorted` belongs to, among the streams before it with its pid. */
static const struct process *find_process(struct lanes *lanes, const struct by_pid *sorted,
					  unsigned at)
{
	struct reader_stream stream = {.sz = sizeof(stream)}, other = {.sz = sizeof(other)};

	if (reader_stream(lanes->trace, sorted[at].stream, &stream))
		return NULL;
	for (unsigned i = at; i-- > 0 && sorted[i].pid == sorted[at].pid;)
		if (!reader_stream(lanes->trace, sorted[i].stream, &other) &&
		    same_process(lanes->trace, sorted[at].stream, &stream, sorted[i].stream,
				 &other))
			return &lanes->processes[sorted[i].stream];
	return NULL;
}

static void number_processes(struct lanes *lanes, const struct by_pid *sorted)
{
	for (unsigned i = 0; i < lanes->streams; i++) {
		struct process *process = &lanes->processes[sorted[i].stream];
		const struct process *same = find_process(lanes, sorted, i);

		if (same) {
			*process = *same;
			continue;
		}
		process->first = sorted[i].stream;
		process->pid = sorted[i].pid;
		process->synthetic = sorted[i].pid == 0 || sorted[i].pid >= LANES_FIRST_SYNTHETIC ||
				     (i > 0 && sorted[i - 1].pid == sorted[i].pid);
		if (process->synthetic)
			process->pid = lanes->next_synthetic++;
	}
}

static int read_processes(struct lanes *lanes)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	struct by_pid *sorted = calloc(lanes->streams + 1, sizeof(*sorted));
	uint32_t threads = 0;

	lanes->processes = calloc(lanes->streams + 1, sizeof(*lanes->processes));
	lanes->first_thread = calloc(lanes->streams + 1, sizeof(*lanes->first_thread));
	if (!sorted || !lanes->processes || !lanes->first_thread) {
		free(sorted);
		return -ENOMEM;
	}
	for (unsigned i = 0; i < lanes->streams; i++) {
		sorted[i].stream = i;
		sorted[i].outside = meta_is_from_outside(lanes->trace, i);
		if (!reader_stream(lanes->trace, i, &stream))
			sorted[i].pid = stream.pid;
		lanes->first_thread[i] = threads;
		threads += reader_thread_count(lanes->trace, i);
	}
	lanes->all_threads = threads;
	qsort(sorted, lanes->streams, sizeof(*sorted), compare_pids);
	number_processes(lanes, sorted);
	free(sorted);
	return 0;
}

struct lanes *lanes_new(const struct reader *trace)
{
	struct lanes *lanes = calloc(1, sizeof(*lanes));
	struct reader_info info = {.sz = sizeof(info)};

	if (!lanes || reader_info(trace, &info)) {
		free(lanes);
		return NULL;
	}
	lanes->trace = trace;
	lanes->streams = info.streams;
	lanes->next_synthetic = LANES_FIRST_SYNTHETIC;
	lanes->turn = lanes->naming = 1;
	lanes->top.key = LANE_NONE;
	if (read_processes(lanes)) {
		lanes_free(lanes);
		return NULL;
	}
	return lanes;
}

void lanes_free(struct lanes *lanes)
{
	if (!lanes)
		return;
	for (size_t i = 0; i < lanes->thread_room; i++) {
		struct thread_lanes *thread = lanes->threads[i];

		for (unsigned k = 0; thread && k < thread->count; k++)
			free(thread->lanes[k].stack.ends);
		free(thread);
	}
	free(lanes->threads);
	free(lanes->processes);
	free(lanes->first_thread);
	free(lanes);
}

uint32_t lanes_pid(const struct lanes *lanes, unsigned stream)
{
	return lanes->processes[stream].pid;
}

bool lanes_pid_is_synthetic(const struct lanes *lanes, unsigned stream)
{
	return lanes->processes[stream].synthetic;
}

unsigned lanes_first_stream(const struct lanes *lanes, unsigned stream)
{
	return lanes->processes[stream].first;
}

uint32_t lanes_behind_all(const struct lanes *lanes)
{
	return lanes->next_synthetic + (lanes->all_threads + 1) * LANES_MAX;
}

void lanes_begin(struct lanes *lanes)
{
	lanes->turn++;
	lanes->top.key = LANE_NONE;
}

bool lanes_name_process(struct lanes *lanes, unsigned stream)
{
	struct process *first = &lanes->processes[lanes->processes[stream].first];
	bool named = first->named == lanes->naming;

	first->named = lanes->naming;
	return !named;
}

void lanes_forget_names(struct lanes *lanes)
{
	lanes->naming++;
	lanes->top.key = LANE_NONE;
}

/* Threads --------------------------------------------------------------------- */

static struct thread_lanes **find_thread(struct thread_lanes **table, size_t room, uint64_t key)
{
	size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 32) & (room - 1);

	while (table[at] && table[at]->key != key)
		at = (at + 1) & (room - 1);
	return &table[at];
}

static int grow_table(struct lanes *lanes)
{
	size_t room = lanes->thread_room ? 2 * lanes->thread_room : 64;
	struct thread_lanes **table = calloc(room, sizeof(struct thread_lanes *));

	if (!table)
		return -ENOMEM;
	for (size_t i = 0; i < lanes->thread_room; i++)
		if (lanes->threads[i])
			*find_thread(table, room, lanes->threads[i]->key) = lanes->threads[i];
	free(lanes->threads);
	lanes->threads = table;
	lanes->thread_room = room;
	return 0;
}

/* The file name of the library whose function the thread was started with; "" if it is the program's own, or not known. */
static const char *library_of(const struct lanes *lanes, unsigned stream, const char *module)
{
	struct reader_stream info = {.sz = sizeof(info)};
	const char *slash = strrchr(module, '/');

	if (reader_stream(lanes->trace, stream, &info) || !strcmp(info.exe, module))
		return "";
	return slash ? slash + 1 : module;
}

static void describe_thread(const struct lanes *lanes, struct thread_lanes *thread,
			    const struct recorder_record *record)
{
	struct reader_thread info = {.sz = sizeof(info)};
	int number = reader_thread_of(lanes->trace, record->stream, record->thread, &info);

	thread->tid = record->tid;
	thread->beneath = lanes->processes[record->stream].first != record->stream &&
			  meta_is_from_outside(lanes->trace, record->stream);
	thread->name = thread->library = "";
	thread->number = lanes->all_threads;
	if (number < 0)
		return;
	thread->number = lanes->first_thread[record->stream] + (unsigned)number;
	thread->name = info.name;
	thread->library = library_of(lanes, record->stream, info.module);
	thread->signal = info.signal;
}

static struct thread_lanes *thread_of(struct lanes *lanes, const struct recorder_record *record)
{
	uint64_t key = lane_key(record) + 1;
	struct thread_lanes **place;

	if (key == lanes->last_key)
		return lanes->last;
	if (2 * lanes->thread_count >= lanes->thread_room && grow_table(lanes))
		return NULL;
	place = find_thread(lanes->threads, lanes->thread_room, key);
	lanes->last_key = key;
	lanes->last = *place;
	if (*place)
		return *place;
	lanes->last_key = 0;
	*place = calloc(1, sizeof(**place));
	if (!*place)
		return NULL;
	lanes->last_key = key;
	lanes->last = *place;
	(*place)->key = key;
	lanes->thread_count++;
	describe_thread(lanes, *place, record);
	return *place;
}

/* Whether a call fits in or behind what is open; calls that have ended by then are dropped. */
static bool stack_takes(struct stack *stack, const struct recorder_record *record)
{
	while (stack->depth > 0 && stack->ends[stack->depth - 1] <= record->tstart)
		stack->depth--;
	return stack->depth == 0 || record->tend <= stack->ends[stack->depth - 1];
}

static int stack_push(struct stack *stack, int64_t end)
{
	if (stack->depth == stack->room) {
		uint32_t room = stack->room ? 2 * stack->room : 16;
		int64_t *ends = realloc(stack->ends, room * sizeof(*ends));

		if (!ends)
			return -ENOMEM;
		stack->ends = ends;
		stack->room = room;
	}
	stack->ends[stack->depth++] = end;
	return 0;
}

/* Empties all lanes of a thread. */
static void start_again(struct thread_lanes *thread, uint32_t turn)
{
	for (unsigned i = 0; i < thread->count; i++) {
		thread->lanes[i].stack.depth = 0;
		thread->lanes[i].used &= thread->turn == turn;
	}
	thread->count = thread->turn == turn ? thread->count : 0;
	thread->turn = turn;
	thread->last = INT64_MIN;
}

/* Threads whose definitions are lost all have the tid 0, which viewers would take for one thread. */
static uint32_t lane_tid(const struct lanes *lanes, const struct thread_lanes *thread, unsigned at)
{
	if (at == 0 && thread->tid > 0 && thread->tid < LANES_FIRST_SYNTHETIC)
		return thread->tid;
	return lanes->next_synthetic + thread->number * LANES_MAX + at;
}

static void set_top(struct lanes *lanes, struct thread_lanes *thread)
{
	struct stack *stack = &thread->lanes[0].stack;

	if (thread->count != 1 || thread->signal || thread->beneath || stack->depth != 1)
		return;
	lanes->top = (struct lane_top){lanes->last_key - 1, lane_tid(lanes, thread, 0),
				       &thread->last, stack->ends};
}

int lanes_place(struct lanes *lanes, const struct recorder_record *record, struct lane *lane)
{
	struct thread_lanes *thread = thread_of(lanes, record);
	bool late;
	unsigned at;

	lanes->top.key = LANE_NONE;
	if (!thread)
		return -ENOMEM;
	late = thread->turn == lanes->turn && record->tstart < thread->last;
	if (late || thread->turn != lanes->turn)
		start_again(thread, lanes->turn);
	for (unsigned i = 0; thread->naming != lanes->naming && i < thread->count; i++)
		thread->lanes[i].used = false;
	thread->naming = lanes->naming;
	thread->last = record->tstart;
	lane->signal = thread->signal || record->flags & RECORDER_IN_SIGNAL;
	/* a handler's calls lie anywhere in its thread's, and when a call was left is not quite known: such are
	 * never on the thread's own lane */
	at = lane->signal || record->flags & RECORDER_LEFT ? late ? LANES_LATE : 1 : 0;
	lane->beneath = thread->beneath;
	/* what lies in no call of the process may overlap some, of which nothing is known here */
	if (thread->beneath && record->level == 0 && at == 0)
		at = 1;
	while (at < thread->count && at < LANES_MAX - 1 &&
	       !stack_takes(&thread->lanes[at].stack, record))
		at++;
	if (at >= thread->count)
		thread->count = at + 1;
	lane->fresh = !thread->lanes[at].used;
	thread->lanes[at].used = true;
	lane->tid = lane_tid(lanes, thread, at);
	lane->thread = thread->number;
	lane->number = at;
	lane->thread_name = thread->name;
	lane->library = thread->library;
	if (stack_push(&thread->lanes[at].stack, record->tend))
		return -ENOMEM;
	set_top(lanes, thread);
	return 0;
}

uint32_t lanes_own_tid(struct lanes *lanes, const struct recorder_record *record)
{
	const struct thread_lanes *thread = thread_of(lanes, record);

	return thread && !thread->signal ? lane_tid(lanes, thread, 0) : 0;
}

struct lane_top *lanes_top(struct lanes *lanes)
{
	return &lanes->top;
}
