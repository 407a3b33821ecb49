/* SPDX-License-Identifier: MIT */
/* regions.c - see regions.h */
#include "record/regions.h"

#include <errno.h>
#include <recorder/recorder.h>
#include <stdatomic.h>
#include <string.h>

#include "record/args.h"
#include "record/critical.h"
#include "record/growing.h"
#include "record/lifecycle.h"
#include "record/named.h"
#include "record/paired.h"
#include "record/quick.h"
#include "record/readable.h"
#include "record/ring.h"

static _Atomic uint64_t unmatched;

uint64_t regions_unmatched(void)
{
	return atomic_load(&unmatched);
}

void regions_forked(void)
{
	atomic_store(&unmatched, 0);
}

/* ---- sites ---- */

/* That of all who have none of their own is not kept: sites that have a number need not ask whether it is that one. */
static uint32_t ask_number(struct recorder_site *site, enum kind result, unsigned *kept)
{
	uint32_t number = named_find(NAMED_USER, result, site->name, site->category);

	if (number == NAMED_NONE)
		return named_other(NAMED_USER, result);
	__atomic_store_n(kept, number, __ATOMIC_RELAXED);
	return number;
}

/* NAMED_NONE: this process is not recorded. 0, which is a function of the catalogue: nobody asked yet. Sites lie in the program's memory: what they say is judged. */
static uint32_t number_of(struct recorder_site *site)
{
	uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);

	if (likely(named_has(number)))
		return number;
	return lifecycle_start() ? ask_number(site, KIND_none, &site->number) : NAMED_NONE;
}

/* One place may have marks of several kinds, as spans have, and a region of the same name: the number of the latest one is kept. */
static uint32_t mark_number_of(struct recorder_site *site, enum kind result)
{
	uint32_t number = __atomic_load_n(&site->mark, __ATOMIC_RELAXED);

	if (named_has(number) && named_result(number) == result)
		return number;
	return lifecycle_start() ? ask_number(site, result, &site->mark) : NAMED_NONE;
}

/* Whether its first argument is the site's name; `kept`: that of the site. */
static bool is_other(const unsigned *kept, uint32_t number)
{
	return unlikely(__atomic_load_n(kept, __ATOMIC_RELAXED) != number) &&
	       named_is_other(number);
}

/* ---- begin and end ---- */

static __attribute__((noinline)) int begin(struct recorder_site *site, uintptr_t caller)
{
	uint32_t number = number_of(site);
	struct call call;
	unsigned args;

	if (number == NAMED_NONE)
		return -ENOSYS;
	args = is_other(&site->number, number);
	if (!paired_enter(&call, number, args, caller))
		return 0;
	if (args)
		arg_string(&call, 0, site->name);
	paired_start(&call);
	return 0;
}

/* Whether regions of that number are recorded, and defined. */
static CALL_INLINE bool is_on(uint32_t number)
{
	return named_has(number) && function_state_of(number) == FUNCTION_ON;
}

/* One that is filtered out. */
static CALL_INLINE bool is_off(uint32_t number)
{
	return named_has(number) && function_state_of(number) == FUNCTION_OFF;
}

static __attribute__((noinline)) int begin_off(void)
{
	paired_entered(false);
	return 0;
}

int region_begin(struct recorder_site *site, uintptr_t caller)
{
	uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);

	if (likely(is_on(number) &&
		   quick_begin_paired(number, caller, (uintptr_t)__builtin_dwarf_cfa())))
		return 0;
	return is_off(number) ? begin_off() : begin(site, caller);
}

/* The region at the top ends. */
static int leave(struct thread *thread)
{
	struct call call;

	paired_stop_top(&call, thread);
	pushed_leave(&call);
	return 0;
}

static bool is_region(const struct raw_record *record)
{
	return named_layer_of(record->function) == NAMED_USER;
}

static bool is_recorded(uint32_t number)
{
	return named_has(number) && function_state_of(number) != FUNCTION_OFF &&
	       function_state_of(number) != FUNCTION_PAUSED;
}

bool region_is_recorded(struct recorder_site *site)
{
	return is_recorded(number_of(site));
}

/* `number` NAMED_NONE: any region. */
static __attribute__((noinline)) bool is_of(const struct raw_record *record, uint32_t number)
{
	if (number == NAMED_NONE)
		return is_region(record);
	return record->function == number ||
	       (is_region(record) && named_base(record->function) == named_base(number));
}

static int miss(void)
{
	atomic_fetch_add(&unmatched, 1);
	return -ENOENT;
}

/* Not the innermost one: those inside of it that have no end are over, too. */
static int end_inner(struct thread *thread, uint32_t number)
{
	uint32_t level = thread->level;

	while (level > 0 && !is_of(call_open_record(thread, level - 1), number))
		if (!is_region(call_open_record(thread, --level)))
			return miss();
	if (level == 0)
		return miss();
	call_drop_inside(thread, level);
	return leave(thread);
}

static __attribute__((noinline)) int end(struct recorder_site *site)
{
	uint32_t number = site ? number_of(site) : NAMED_NONE;
	struct thread *thread = paired_thread();

	if (!thread)
		return !lifecycle_start() ? -ENOSYS : site && is_recorded(number) ? miss() : 0;
	if (unlikely(*paired_skipped(thread) && !is_recorded(number))) {
		--*paired_skipped(thread);
		return 0;
	}
	if (likely(thread->level > 0 && is_of(call_open_record(thread, thread->level - 1), number)))
		return leave(thread);
	return end_inner(thread, number);
}

static __attribute__((noinline)) int end_off(struct recorder_site *site)
{
	struct thread *thread = paired_thread();

	if (!thread || !*paired_skipped(thread))
		return end(site);
	--*paired_skipped(thread);
	return 0;
}

/* At `now`, and the thread is busy. */
static __attribute__((noinline)) int end_at(struct recorder_site *site, uint32_t number,
					    struct thread *thread, uint64_t now)
{
	if (thread->level > 0 && *paired_skipped(thread) == 0 && is_of(quick_top(thread), number)) {
		if (!quick_end(thread, 0, now))
			quick_leave(thread, now);
		return 0;
	}
	quick_give_up(thread);
	return end(site);
}

int region_end(struct recorder_site *site)
{
	uint32_t number = site ? __atomic_load_n(&site->number, __ATOMIC_RELAXED) : NAMED_NONE;
	struct thread *thread = thread_tls.self;
	uint64_t now;

	sanitizer_forget_left();
	if (unlikely((site && !is_on(number)) || !quick_claim(thread)))
		return is_off(number) ? end_off(site) : end(site);
	now = clock_counter();
	if (likely(quick_is_top(thread, number) && quick_end(thread, 0, now)))
		return 0;
	return end_at(site, number, thread, now);
}

/*
 * The level of the innermost region of that number with regions alone inside. -EBUSY: with calls of others; -ENOENT: there is none, whatever
 * else is in flight: main() may be, as a function by name.
 */
static int level_of(const struct thread *thread, uint32_t number)
{
	uint32_t level = thread->level;
	bool alone = true;

	while (level-- > 0) {
		if (is_of(call_open_record(thread, level), number))
			return alone ? (int)level : -EBUSY;
		alone &= is_region(call_open_record(thread, level));
	}
	return -ENOENT;
}

int region_inside(struct recorder_site *site)
{
	uint32_t number = number_of(site);
	const struct thread *thread = paired_thread();
	int level;

	if (!is_recorded(number))
		return number == NAMED_NONE ? -ENOSYS : 0;
	level = thread ? level_of(thread, number) : -ENOENT;
	return level < 0 ? level : (int)thread->level - 1 - level;
}

int region_cancel(struct recorder_site *site)
{
	struct thread *thread = paired_thread();
	int inside = region_inside(site);

	if (inside < 0 || !thread || !region_is_recorded(site))
		return inside < 0 ? inside : region_end(site);
	call_drop_inside(thread, thread->level - (uint32_t)inside);
	call_open_record(thread, thread->level - 1)->flags |= RECORD_DROP;
	return leave(thread);
}

/* ---- what is said of a region ---- */

static void put(struct call *call, unsigned index, const struct region_argument *argument)
{
	if (kind_class(argument->kind) == CLASS_STRING)
		arg_string(call, index, argument->text);
	else
		arg_int(call, index, (int64_t)argument->bits);
}

static int set(struct thread *thread, const struct region_argument *argument)
{
	struct call call = {thread, call_open_record(thread, thread->level - 1)};
	int index = named_argument(call.record->function, argument->key, argument->kind);

	if (index < 0)
		index = growing_add(thread, call.record, argument->key, argument->kind);
	if (index < 0)
		return index;
	put(&call, (unsigned)index, argument);
	thread->open_top = thread->calls[thread->level - 1].offset + call.record->size;
	thread->ring->open_top = thread->open_top;
	return 0;
}

/* What `argument` adds to a record at most. */
static uint32_t growth_of(const struct region_argument *argument)
{
	size_t length = 0;

	if (kind_class(argument->kind) == CLASS_STRING && argument->text &&
	    readable_string(argument->text, &length) && length > STRING_MAX)
		length = STRING_MAX;
	return 8 + (((uint32_t)(sizeof(struct string_block) + length) + 7) & ~7u);
}

/* Those inside of the region at `level` lie `distance` further up. */
static void move_inner(struct thread *thread, uint32_t level, uint32_t from, int32_t distance)
{
	uint32_t end = thread->open_top;

	memmove(thread->open + (uint32_t)((int32_t)from + distance), thread->open + from,
		end - from);
	while (++level < thread->level)
		thread->calls[level].offset += (uint32_t)distance;
	thread->open_top += (uint32_t)distance;
}

/*
 * Of a region with others inside, which nobody but us has an address of: they make room. Until that is done it is as if neither was in flight, for those who look at the
 * ring of a process that was killed.
 */
static int set_outer(struct thread *thread, uint32_t level, const struct region_argument *argument)
{
	uint32_t room = growth_of(argument), innermost = thread->level, top;
	uint32_t inner = thread->calls[level + 1].offset, behind;
	int result;

	if (thread->open_top + room > thread->open_size)
		return -ENOSPC;
	thread->ring->open_top = thread->calls[level].offset;
	compiler_barrier();
	move_inner(thread, level, inner, (int32_t)room);
	top = thread->open_top;
	thread->level = level + 1;
	result = set(thread, argument);
	thread->level = innermost;
	behind = thread->calls[level].offset + call_open_record(thread, level)->size;
	thread->open_top = top;
	move_inner(thread, level, inner + room, (int32_t)behind - (int32_t)(inner + room));
	compiler_barrier();
	thread->ring->open_top = thread->open_top;
	return result;
}

static int set_at(struct thread *thread, uint32_t level, const struct region_argument *argument)
{
	int saved = errno, result = -EBUSY;

	thread_set_busy(thread);
	critical_enter();
	if (thread_mode(thread) == THREAD_ACTIVE) {
		ring_settle(thread); /* a call that the region is told of inside of */
		result = level + 1 == thread->level ? set(thread, argument)
						    : set_outer(thread, level, argument);
	}
	critical_leave();
	thread_set_idle(thread);
	errno = saved;
	return result;
}

int region_set(const struct region_argument *argument)
{
	struct thread *thread = paired_thread();
	int level;

	if (!thread || thread->level == 0)
		return -ENOENT;
	if (*paired_skipped(thread))
		return 0;
	level = level_of(thread, NAMED_NONE);
	return level < 0 ? level : set_at(thread, (uint32_t)level, argument);
}

int region_set_of(struct recorder_site *site, const struct region_argument *argument)
{
	uint32_t number = number_of(site);
	struct thread *thread = paired_thread();
	int level;

	if (!thread)
		return lifecycle_start() ? -ENOENT : -ENOSYS;
	if (!is_recorded(number))
		return 0;
	level = level_of(thread, number);
	return level < 0 ? level : set_at(thread, (uint32_t)level, argument);
}

/* ---- without duration ---- */

int region_mark(struct recorder_site *site, enum kind result,
		const struct region_argument *argument, uintptr_t caller)
{
	uint32_t number = mark_number_of(site, result);
	struct call call;
	unsigned args = 0;

	if (number == NAMED_NONE)
		return -ENOSYS;
	args = is_other(&site->mark, number);
	if (argument)
		number = named_with(number, argument->key, argument->kind);
	if (number == NAMED_NONE || !pushed_enter(&call, number, args + (argument != NULL), caller))
		return 0;
	if (args)
		arg_string(&call, 0, site->name);
	if (argument)
		put(&call, args, argument);
	pushed_start(&call);
	thread_set_busy(call.thread);
	call.record->tend = call.record->tstart;
	pushed_leave(&call);
	return 0;
}
