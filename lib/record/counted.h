/* SPDX-License-Identifier: MIT */
/*
 * counted.h - characters that are counted, not timed.
 *
 * A character that is in memory is had in less time than a time stamp takes. Such a call (`quick` in the catalogue) is only counted in the record of a run
 * (repeat.h), when it begins, as it cannot fail and waits for nobody but the stream's lock: counted_claim(), counted_add().
 *
 * Programs seldom get characters from one place alone. A loop copies by getc() and putc(), a scanner gets one here and puts it back there, and std::cin of C++ does so for each
 * character of a word. So the newest records of a ring may be a group, each of another place: a function's symbol, a stream, and where it is called:
 *
 *	ring:	... | getc in.c:3 | putc out.c:7 | ungetc in.c:9 |	head
 *		      x 86          x 85           x 12
 *
 * The first call of a place is timed and stored, so the records of a group follow one another as those of other calls do; what comes of it then is counted where it is. The times of
 * a record are those of its calls that were timed: the newest record is a run that goes on, and a call that is timed is added to it; one of another place of the group
 * begins the next group. So does one too many for the table, and the first one after what else the thread records, or after sealing.
 *
 * Each record has an allowance of calls to be counted: a quarter of the calls of the row so far, shared by as many as a group of it had, up to COUNTED_MOST. A call beyond it is timed, as
 * is each that goes to the file. A row ends where something else is recorded, as long as all is of one place: the time of such a run is known that well. With several it goes on: a scanner
 * would have to learn at each line anew. When a call is counted without being added by repeat.c, `busy` has been set before.
 */
#ifndef RECORDER_RECORD_COUNTED_H
#define RECORDER_RECORD_COUNTED_H

#include <stdio.h>

#include "record/call.h"
#include "record/glibc.h"

/*
 * In place of call_leave() where the catalogue says `quick`: calls of `symbol` on `stream` may be counted alone from now on. `next` is the real function
 * behind it; if it is not libc's own, but that of another library which wants to see each call, they are not.
 */
void counted_leave(struct call *call, unsigned symbol, const FILE *stream, void *next);

/* Addresses of programs have less than 48 bits. Never 0. */
static CALL_INLINE uintptr_t counted_key(unsigned symbol, const FILE *stream)
{
	return ~((uintptr_t)stream ^ (uintptr_t)symbol << 48);
}

static CALL_INLINE bool counted_is_at(const struct counted_place *place, uintptr_t key,
				      uintptr_t site)
{
	return place->site == site && place->key == key;
}

/*
 * The place of the newest group that has such calls, if it came next the last time, too; else NULL. If it does, the thread is busy until counted_let_go(). Nothing of the stream has been looked at.
 */
static CALL_INLINE struct counted_place *counted_claim(struct thread *thread, unsigned symbol,
						       const FILE *stream, uintptr_t site)
{
	if (unlikely(!thread_is_idle(thread)))
		return NULL;
	thread_set_busy(thread);
	if (likely(thread_mode(thread) == THREAD_ACTIVE)) {
		struct counted_place *place = thread->counted_at->then;

		if (likely(counted_is_at(place, counted_key(symbol, stream), site))) {
			thread->counted_at = place;
			return place;
		}
	}
	thread_set_idle(thread);
	return NULL;
}

/* The same if it is any other place of the group. */
struct counted_place *counted_claim_other(struct thread *thread, unsigned symbol,
					  const FILE *stream, uintptr_t site);

static CALL_INLINE void counted_let_go(struct thread *thread)
{
	thread_set_idle(thread);
}

/* Whether nothing was recorded since the group's newest record, and the record of the place may be counted on from `repeat`. */
static CALL_INLINE bool counted_is_open(const struct thread *thread,
					const struct counted_place *place, unsigned function,
					uint32_t repeat)
{
	return thread->head == thread->run_end && thread->depth == 0 && repeat != place->limit &&
	       *place->file == place->file_id && function_state_of(function) == FUNCTION_ON;
}

/* Adds a call, if it may be added without its times. Returns the real function, else NULL. */
static CALL_INLINE void *counted_add(const struct thread *thread, const struct counted_place *place,
				     unsigned function)
{
	struct raw_record *record = place->record;
	uint32_t repeat = record->repeat;
	void *next = place->next;

	if (unlikely(!counted_is_open(thread, place, function, repeat)))
		return NULL;
	atomic_store_explicit((_Atomic uint32_t *)&record->repeat, repeat + 1,
			      memory_order_release);
	if (!next)
		__builtin_unreachable();
	return next;
}

/* Whether it may be done here and now what libc's function would do. */
static CALL_INLINE bool counted_is_direct(void)
{
	return __libc_single_threaded;
}

#endif
