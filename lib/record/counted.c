/* SPDX-License-Identifier: MIT */
/* counted.c - see counted.h */
#include "record/counted.h"

#include "record/args.h"
#include "record/descriptors.h"
#include "record/glibc.h"
#include "record/modules.h"
#include "record/repeat.h"

#define COUNTED_MOST 255u
#define LIBC_KNOWN 16u /* a power of two */

/* Whether a function is libc's. */
static bool is_of_libc(const void *function)
{
	static const void *_Atomic known[LIBC_KNOWN];
	const void *_Atomic *place = &known[(uintptr_t)function / 16 % LIBC_KNOWN];

	if (atomic_load_explicit(place, memory_order_relaxed) == function)
		return true;
	if (modules_find((uintptr_t)function).module !=
	    modules_find((uintptr_t)gnu_get_libc_version).module)
		return false;
	atomic_store_explicit(place, function, memory_order_relaxed);
	return true;
}

/* Where the descriptor table keeps the file of a stream; NULL: it has no descriptor, or one that is not in the first part. */
static const uint32_t *file_of(const FILE *stream)
{
	const _Atomic uint32_t *first =
		atomic_load_explicit(&descriptor_first, memory_order_relaxed);
	int fd = stream_number(stream);

	if (!first || (unsigned)fd >= DESCRIPTOR_BLOCK)
		return NULL;
	return (const uint32_t *)&first[fd];
}

/* ---- the row ---- */

/* Calls that the records of the group stand for. */
static uint64_t group_calls(const struct thread *thread)
{
	uint64_t calls = 0;

	for (uint32_t i = 0; i < thread->counted_places; i++)
		calls += thread->counted[i].record->repeat;
	return calls;
}

/* Whether nothing else was recorded since its newest record. */
static bool is_open(const struct thread *thread)
{
	return thread->counted_places > 0 && thread->head == thread->run_end;
}

/* The most places that a group of the row has had. */
static uint32_t most_places(const struct thread *thread)
{
	return thread->counted_most > thread->counted_places ? thread->counted_most
							     : thread->counted_places;
}

/* How many calls may be counted in a record until one is timed. */
static uint32_t allowance(const struct thread *thread)
{
	uint64_t calls = thread->counted_before + group_calls(thread);
	uint32_t places = most_places(thread);
	uint64_t more = calls / 4 / (places ? places : 1);

	return more < COUNTED_MOST ? (uint32_t)more : COUNTED_MOST;
}

static void begin_row(struct thread *thread)
{
	thread->counted_before = thread->counted_most = 0;
	thread_forget_counted(thread);
}

static void begin_group(struct thread *thread)
{
	thread->counted_before += group_calls(thread);
	thread->counted_most = most_places(thread);
	thread_forget_counted(thread);
}

/* ---- places ---- */

/* NULL: the group has none. */
static struct counted_place *find(struct thread *thread, uintptr_t key, uintptr_t site)
{
	for (uint32_t i = 0; i < thread->counted_places; i++)
		if (counted_is_at(&thread->counted[i], key, site))
			return &thread->counted[i];
	return NULL;
}

struct counted_place *counted_claim_other(struct thread *thread, unsigned symbol,
					  const FILE *stream, uintptr_t site)
{
	if (!thread_is_idle(thread))
		return NULL;
	thread_set_busy(thread);
	if (thread_mode(thread) == THREAD_ACTIVE) {
		struct counted_place *place = find(thread, counted_key(symbol, stream), site);

		if (place) {
			thread->counted_at->then = place;
			thread->counted_at = place;
			return place;
		}
	}
	thread_set_idle(thread);
	return NULL;
}

static bool may_count(const struct raw_record *record, const uint32_t *file, const void *next)
{
	return file && record->level == 0 && !call_min_ticks && is_of_libc(next);
}

/* Whether the call's record becomes that at the thread's head, without further ado. */
static bool stays_in_place(const struct call *call)
{
	const struct thread *thread = call->thread;

	return thread_is_in_place(thread) && call_is_plain(call) &&
	       call->record->tend <= thread->attention;
}

static void add_place(struct thread *thread, struct raw_record *record, uintptr_t key,
		      const uint32_t *file, void *next, uint32_t more)
{
	struct counted_place *place = &thread->counted[thread->counted_places++];

	thread->counted_at->then = place;
	thread->counted_at = place;
	*place = (struct counted_place){
		.key = key,
		.site = record->callsite,
		.record = record,
		.limit = record->repeat + more,
		.file_id = *file,
		.file = file,
		.next = next,
		.then = &thread->counted[0],
	};
	if (more > 0 && record->repeat == 1)
		repeat_prepare(thread, record);
}

/* The record that is about to be stored, as one of the group or the first of another. */
static void follow(struct call *call, unsigned symbol, const FILE *stream, void *next)
{
	struct thread *thread = call->thread;
	struct raw_record *record = call->record;
	const uint32_t *file = file_of(stream);
	uintptr_t key = counted_key(symbol, stream);

	if (!is_open(thread) && most_places(thread) < 2)
		begin_row(thread);
	else if (!is_open(thread) || thread->counted_places == COUNTED_PLACES ||
		 find(thread, key, record->callsite))
		begin_group(thread);
	if (stays_in_place(call) && repeat_may_begin(record) && may_count(record, file, next))
		add_place(thread, record, key, file, next, allowance(thread));
	else
		begin_row(thread);
}

/* The newest record was added to: it may be counted on. */
static void go_on(struct thread *thread, struct raw_record *record, unsigned symbol,
		  const FILE *stream, void *next)
{
	const uint32_t *file = file_of(stream);
	uint32_t more = allowance(thread), places = thread->counted_places;

	if (places > 0 && thread->counted[places - 1].record == record)
		thread->counted_places--;
	else
		begin_row(thread);
	if (may_count(record, file, next) && record->repeat <= UINT32_MAX - COUNTED_MOST)
		add_place(thread, record, counted_key(symbol, stream), file, next, more);
	else
		begin_row(thread);
}

void counted_leave(struct call *call, unsigned symbol, const FILE *stream, void *next)
{
	struct raw_record *record = repeat_add(call);

	if (record) {
		go_on(call->thread, record, symbol, stream, next);
		repeat_close(call);
		return;
	}
	follow(call, symbol, stream, next);
	repeat_store(call);
}
