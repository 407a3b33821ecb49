/* SPDX-License-Identifier: MIT */
/* overhead.c - see overhead.h */
#include "record/overhead.h"

#include <stdatomic.h>

#include "record/bulk.h"
#include "record/call.h"
#include "record/call_counts.h"
#include "record/sys.h"

#define RECORDS 32u          /* that the cost of one is measured by */
#define ARGS 3u              /* of each */
#define SHORT_MAX (1u << 17) /* ticks: some 50 us */
#define SECOND INT64_C(1000000000)

static _Atomic uint64_t ticks;
static _Atomic uint64_t records[64]; /* by the binary logarithm of the ticks from one to the next */
static _Atomic int64_t cpu;          /* ns */

int64_t overhead_begin(void)
{
	return sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void overhead_end(int64_t begin)
{
	atomic_fetch_add_explicit(&cpu, overhead_begin() - begin, memory_order_relaxed);
}

void overhead_between(uint64_t start, uint64_t end)
{
	uint64_t taken = end - start;

	atomic_fetch_add_explicit(&ticks, taken < SHORT_MAX ? taken : SHORT_MAX,
				  memory_order_relaxed);
}

void overhead_records(uint32_t count, uint64_t span)
{
	uint64_t distance = count > 0 ? span / count : 0;
	unsigned log = 63 - (unsigned)__builtin_clzll(distance | 1);

	atomic_fetch_add_explicit(&records[log], count, memory_order_relaxed);
}

/* A thread with a ring of its own, which nobody reads: for records that are to be measured. */
static struct {
	struct ring_header ring;
	struct raw_record record;
	uint64_t args[ARGS];
	struct thread thread;
} apart BULK;

static void open_apart(void)
{
	struct thread *thread = &apart.thread;

	thread_set_mode(thread, THREAD_ACTIVE);
	thread->ring = &apart.ring;
	thread->data = (uint8_t *)&apart.record;
	thread->attention = UINT64_MAX;
}

/* All that a record is, of a call of nothing. */
static __attribute__((noinline)) void record_apart(void)
{
	struct thread *thread = &apart.thread;
	struct call call;

	thread_set_busy(thread);
	call_open(&call, thread, 0, 0, ARGS, CALL_SITE);
	for (unsigned i = 0; i < ARGS; i++)
		call.record->args[i] = i;
	call_start(&call);
	call_stop(&call);
	call_leave(&call);
	thread->position = 0;
}

/* Of the clock that is not the counter the readings are nearly all. */
static void read_clock_twice(void)
{
	clock_ticks();
	clock_ticks();
}

/* Ticks that RECORDS of them take: the least of some tries, for the thread may be interrupted. */
static uint64_t measure_records(void)
{
	void (*one)(void) = clock_is_monotonic ? read_clock_twice : record_apart;
	uint64_t least = UINT64_MAX;

	open_apart();
	for (unsigned try = 0; try < 3; try++) {
		uint64_t begin = clock_ticks(), taken;

		for (unsigned i = 0; i < RECORDS; i++)
			one();
		taken = clock_ticks() - begin;
		least = taken < least ? taken : least;
	}
	return least;
}

/* How many in a loop of nothing would take as long. */
static uint64_t count_as_of_nothing(uint64_t a_second)
{
	uint64_t dense = OVERHEAD_DENSE * a_second / (uint64_t)SECOND, count = 0;

	for (unsigned log = 0; log < 64; log++)
		count += atomic_load(&records[log]) *
			 ((uint64_t)1 << log < dense ? 1 : OVERHEAD_TIMES);
	return count;
}

static void add_recorded(void *data, const struct call_count *count)
{
	*(uint64_t *)data += count->recorded;
}

/* Calls that records stand for beside those that were timed. */
static uint64_t counted_calls(void)
{
	uint64_t calls = 0, timed = 0;

	call_counts_each(add_recorded, &calls);
	for (unsigned log = 0; log < 64; log++)
		timed += atomic_load(&records[log]);
	return calls > timed ? calls - timed : 0;
}

uint64_t overhead_estimate(const struct anchor *now)
{
	struct anchor first = clock_first_anchor();
	uint64_t a_second = clock_ticks_in(SECOND, &first, now);
	uint64_t count = count_as_of_nothing(a_second) + counted_calls() / OVERHEAD_COUNTED;
	unsigned __int128 all = (unsigned __int128)count * measure_records() / RECORDS;

	all += atomic_load(&ticks);
	return (uint64_t)(all * SECOND / a_second) + (uint64_t)atomic_load(&cpu);
}

void overhead_forked(void)
{
	atomic_store(&ticks, 0);
	for (unsigned log = 0; log < 64; log++)
		atomic_store(&records[log], 0);
	atomic_store(&cpu, 0);
}
