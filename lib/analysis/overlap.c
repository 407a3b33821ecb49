/* SPDX-License-Identifier: MIT */
/* overlap.c - see overlap.h */
#include "analysis/overlap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/rows.h"

/* More calls that are open at once are of a broken trace: the earliest ends are taken for past. */
#define ENDS_MOST 65536u

struct overlap_thread {
	bool main;
	bool helps;    /* runs signal handlers, or is a library's own: it never computes */
	bool computes; /* when it is in no call */
	bool begun;
	uint64_t to_come; /* calls */
	uint32_t open[OVERLAP_KINDS];
	uint32_t has_open; /* a bit for each kind */
	unsigned place;    /* where it is counted */
};

/* ---- threads ---- */

static struct overlap_thread *add_thread(struct overlap_sweep *sweep, uint32_t index)
{
	struct overlap_thread *thread = calloc(1, sizeof(*thread));

	if (!thread)
		return NULL;
	if (idmap_set(&sweep->threads, index + 1, thread)) {
		free(thread);
		return NULL;
	}
	thread->place = OVERLAP_WAITS;
	sweep->in[OVERLAP_WAITS]++;
	return thread;
}

static struct overlap_thread *thread_of(struct overlap_sweep *sweep, uint32_t index)
{
	struct overlap_thread *thread;

	if (sweep->recent && sweep->recent_index == index)
		return sweep->recent;
	thread = idmap_get(&sweep->threads, index + 1);
	if (!thread)
		thread = add_thread(sweep, index);
	sweep->recent = thread;
	sweep->recent_index = index;
	return thread;
}

/* Threads that MPI and what is below it start: they wait for messages, mostly. */
static bool is_of_library(const char *module)
{
	static const char *const names[] = {"libopen-pal", "libopen-rte", "libprrte", "libpmix",
					    "libmpi",      "libucs",      "libuct",   "libucp",
					    "libfabric",   "libpsm",      "libevent", "libibverbs",
					    "librdmacm"};
	const char *slash = strrchr(module, '/');

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(slash ? slash + 1 : module, names[i], strlen(names[i])))
			return true;
	return false;
}

/* What a thread is in counts once, the first of: files, MPI, another call, a function of the program, nothing. */
static unsigned place_of(const struct overlap_thread *thread)
{
	if (thread->has_open)
		return (unsigned)__builtin_ctz(thread->has_open);
	return thread->computes ? OVERLAP_COMPUTES : OVERLAP_WAITS;
}

static void move(struct overlap_sweep *sweep, unsigned from, unsigned to)
{
	sweep->in[from]--;
	sweep->in[to]++;
	sweep->state =
		(sweep->in[OVERLAP_KIND_FILES] ? OVERLAP_FILES : 0u) |
		(sweep->in[OVERLAP_KIND_MESSAGES] ? OVERLAP_MESSAGES : 0u) |
		(sweep->in[OVERLAP_COMPUTES] + sweep->in[OVERLAP_KIND_PROGRAM] ? OVERLAP_PROGRAM
									       : 0u);
}

/* To where it is now. */
static void move_thread(struct overlap_sweep *sweep, struct overlap_thread *thread)
{
	unsigned place = place_of(thread);

	if (place == thread->place)
		return;
	move(sweep, thread->place, place);
	thread->place = place;
}

static int add_threads(struct overlap_sweep *sweep)
{
	const struct reader *trace = sweep->facts->trace;
	struct reader_thread facts = {.sz = sizeof(facts)};

	for (unsigned i = 0; i < reader_thread_count(trace, sweep->stream); i++) {
		struct overlap_thread *thread;

		if (reader_thread(trace, sweep->stream, i, &facts))
			continue;
		thread = thread_of(sweep, facts.index);
		if (!thread)
			return -ENOMEM;
		thread->main = facts.main;
		thread->helps = facts.signal || is_of_library(facts.module);
		thread->to_come = facts.records;
		thread->begun = thread->computes = facts.main;
		move_thread(sweep, thread);
	}
	return 0;
}

/* ---- time ---- */

static void go_to(struct overlap_sweep *sweep, unsigned state, int64_t time)
{
	if (time > sweep->facts->end)
		time = sweep->facts->end;
	if (time <= sweep->now)
		return;
	if (!sweep->bin || !overlap_bin_take(sweep->bin, state, sweep->now, time))
		sweep->take(sweep->data, state, sweep->now, time);
	sweep->now = time;
}

/* ---- calls that are open ---- */

static int push_end(struct overlap_sweep *sweep, const struct overlap_end *end)
{
	uint32_t at = sweep->count;
	struct overlap_end *ends =
		rows_grown(sweep->ends, &sweep->room, sweep->count, sizeof(*ends));

	if (!ends)
		return -ENOMEM;
	sweep->ends = ends;
	sweep->count++;
	while (at > 0 && ends[(at - 1) / 2].at > end->at) {
		ends[at] = ends[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	ends[at] = *end;
	return 0;
}

static struct overlap_end pop_end(struct overlap_sweep *sweep)
{
	struct overlap_end *ends = sweep->ends, first = ends[0], moved = ends[--sweep->count];
	uint32_t at = 0;

	for (;;) {
		uint32_t below = 2 * at + 1;

		if (below + 1 < sweep->count && ends[below + 1].at < ends[below].at)
			below++;
		if (below >= sweep->count || ends[below].at >= moved.at)
			break;
		ends[at] = ends[below];
		at = below;
	}
	ends[at] = moved;
	return first;
}

static void close_call(struct overlap_sweep *sweep)
{
	struct overlap_end end = pop_end(sweep);
	struct overlap_thread *thread = end.thread;

	sweep->alone = false;
	go_to(sweep, sweep->state, end.at);
	if (--thread->open[end.kind] == 0)
		thread->has_open &= ~(1u << end.kind);
	if (thread->to_come == 0 && !thread->main)
		thread->computes = false;
	move_thread(sweep, thread);
}

/* Whether the one call that is open has ended, and its thread makes another one of its kind, as by far the most calls are followed. */
static bool goes_on(const struct overlap_sweep *sweep, const struct overlap_end *next,
		    int64_t begin)
{
	return sweep->alone && sweep->ends[0].thread == next->thread &&
	       sweep->ends[0].kind == next->kind && sweep->ends[0].at <= begin &&
	       (next->thread->to_come > 0 || next->thread->main);
}

/* If the last call is the only one that is open: finds what the process will be in once it has ended. */
static void look_ahead(struct overlap_sweep *sweep, const struct overlap_thread *thread)
{
	unsigned state = sweep->state;
	unsigned place = thread->computes ? OVERLAP_COMPUTES : OVERLAP_WAITS;

	sweep->alone = sweep->count == 1;
	if (!sweep->alone)
		return;
	move(sweep, thread->place, place);
	sweep->between = sweep->state;
	move(sweep, place, thread->place);
	sweep->state = state;
}

static void open_call(struct overlap_sweep *sweep, struct overlap_thread *thread,
		      enum overlap_kind kind)
{
	if (!thread->begun) {
		thread->begun = true;
		thread->computes = !thread->helps;
	}
	thread->open[kind]++;
	thread->has_open |= 1u << kind;
	move_thread(sweep, thread);
}

int overlap_call(struct overlap_sweep *sweep, const struct recorder_record *record,
		 enum overlap_kind kind)
{
	struct overlap_thread *thread = thread_of(sweep, record->thread);
	/* of calls that follow each other closely the sum is known, not where each of them lies */
	struct overlap_end end = {record->tstart, thread, kind};
	int error = 0;

	if (!thread)
		return -ENOMEM;
	add_to(&end.at, record->busy);
	if (goes_on(sweep, &end, record->tstart)) {
		go_to(sweep, sweep->state, sweep->ends[0].at);
		go_to(sweep, sweep->between, record->tstart);
		sweep->ends[0].at = end.at;
	} else {
		while (sweep->count > 0 &&
		       (sweep->ends[0].at <= record->tstart || sweep->count >= ENDS_MOST))
			close_call(sweep);
		go_to(sweep, sweep->state, record->tstart);
		open_call(sweep, thread, kind);
		error = push_end(sweep, &end);
		look_ahead(sweep, thread);
	}
	thread->to_come -= thread->to_come < record->repeat ? thread->to_come : record->repeat;
	return error;
}

/* ---- from begin to end ---- */

int overlap_begin(struct overlap_sweep *sweep, const struct facts *facts, unsigned stream,
		  overlap_taker *take, void *data, struct overlap_bin *bin)
{
	struct reader_stream about = {.sz = sizeof(about)};

	*sweep = (struct overlap_sweep){
		.facts = facts, .stream = stream, .take = take, .data = data, .bin = bin};
	reader_stream(facts->trace, stream, &about);
	sweep->now = about.start > facts->begin ? about.start : facts->begin;
	sweep->last = about.end;
	return add_threads(sweep);
}

void overlap_end(struct overlap_sweep *sweep)
{
	while (sweep->count > 0)
		close_call(sweep);
	go_to(sweep, sweep->state, sweep->last);
}

void overlap_release(struct overlap_sweep *sweep)
{
	for (uint32_t i = 0; i < sweep->threads.count; i++)
		free(sweep->threads.entries[i].value);
	idmap_release(&sweep->threads);
	free(sweep->ends);
}

#ifdef UNIT_TEST
#include "unittest.h"

static int64_t unit_times[OVERLAP_STATES];

static void unit_take(void *data, unsigned state, int64_t begin, int64_t end)
{
	(void)data;
	unit_times[state] += end - begin;
}

static void unit_call(struct overlap_sweep *sweep, uint32_t thread, int64_t begin, int64_t end,
		      enum overlap_kind kind)
{
	struct recorder_record record = {
		.thread = thread, .tstart = begin, .tend = end, .busy = end - begin, .repeat = 1};

	EXPECT_EQ(overlap_call(sweep, &record, kind), 0);
}

static void unit_begin(struct overlap_sweep *sweep, const struct facts *facts)
{
	memset(unit_times, 0, sizeof(unit_times));
	*sweep = (struct overlap_sweep){.facts = facts, .take = unit_take, .last = 1000};
	thread_of(sweep, 0)->main = true;
	thread_of(sweep, 0)->begun = thread_of(sweep, 0)->computes = true;
	move_thread(sweep, thread_of(sweep, 0));
	thread_of(sweep, 1)->to_come = 2;
	thread_of(sweep, 2)->helps = true;
}

/*
 * thread 0: computes but for 100-200 in MPI and 300-400 in a call on files with MPI within
 * thread 1: 150-250 and 350-450 on files, and is gone
 */
TEST_CASE(overlap_is_of_unions)
{
	const struct facts facts = {.end = 2000};
	struct overlap_sweep sweep;

	unit_begin(&sweep, &facts);
	unit_call(&sweep, 0, 100, 200, OVERLAP_KIND_MESSAGES);
	unit_call(&sweep, 1, 150, 250, OVERLAP_KIND_FILES);
	unit_call(&sweep, 0, 300, 400, OVERLAP_KIND_FILES);
	unit_call(&sweep, 0, 310, 330, OVERLAP_KIND_MESSAGES);
	unit_call(&sweep, 1, 350, 450, OVERLAP_KIND_FILES);
	overlap_end(&sweep);
	EXPECT_EQ(unit_times[OVERLAP_MESSAGES], 50);
	EXPECT_EQ(unit_times[OVERLAP_FILES | OVERLAP_MESSAGES], 50);
	EXPECT_EQ(unit_times[OVERLAP_FILES | OVERLAP_PROGRAM], 50 + 50 + 50);
	EXPECT_EQ(unit_times[OVERLAP_FILES], 50);
	EXPECT_EQ(unit_times[OVERLAP_PROGRAM], 100 + 50 + 550);
	EXPECT_EQ(unit_times[0], 0);
	overlap_release(&sweep);
}

TEST_CASE(overlap_stays_in_its_window_and_lets_handlers_not_compute)
{
	const struct facts facts = {.begin = 0, .end = 500};
	struct overlap_sweep sweep;

	unit_begin(&sweep, &facts);
	unit_call(&sweep, 2, 10, 20, OVERLAP_KIND_OTHER);
	unit_call(&sweep, 0, 400, 900, OVERLAP_KIND_FILES);
	overlap_end(&sweep);
	EXPECT_EQ(unit_times[OVERLAP_PROGRAM], 400);
	EXPECT_EQ(unit_times[OVERLAP_FILES], 100);
	overlap_release(&sweep);
}

TEST_CASE(overlap_knows_threads_of_libraries)
{
	EXPECT(is_of_library("/usr/lib/x86_64-linux-gnu/libopen-pal.so.40.30.2"));
	EXPECT(is_of_library("libpmix.so.2"));
	EXPECT(!is_of_library("/usr/lib/libgomp.so.1"));
	EXPECT(!is_of_library("/opt/libmpi/bin/app"));
	EXPECT(!is_of_library(""));
}

TEST_CASE(overlap_of_a_broken_trace_is_bounded)
{
	const struct facts facts = {.end = INT64_MAX};
	struct overlap_sweep sweep;

	unit_begin(&sweep, &facts);
	for (int64_t i = 0; i < 200000; i++)
		unit_call(&sweep, 0, i, 1000000 - i, OVERLAP_KIND_FILES);
	EXPECT(sweep.room <= ENDS_MOST);
	overlap_end(&sweep);
	EXPECT_EQ(sweep.in[OVERLAP_KIND_FILES], 0);
	overlap_release(&sweep);
}
#endif
