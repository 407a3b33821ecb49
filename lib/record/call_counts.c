/* SPDX-License-Identifier: MIT */
/* call_counts.c - see call_counts.h */
#include "record/call_counts.h"

#include <stdatomic.h>

#include "record/bulk.h"
#include "record/function.h"

#define GROUP 512u /* functions whose counts are a page */
#define GROUPS (FUNCTION_IDS / GROUP)

_Static_assert(FUNCTION_IDS % GROUP == 0 && GROUPS <= 64, "a bit for each group");

static _Atomic uint64_t recorded[FUNCTION_IDS] BULK, dropped[FUNCTION_IDS] BULK;
static _Atomic uint64_t recorded_groups, dropped_groups; /* bits of those in which was counted */

static void count(_Atomic uint64_t *counts, _Atomic uint64_t *groups, unsigned function,
		  uint64_t calls)
{
	if (function >= FUNCTION_IDS)
		return;
	atomic_fetch_or_explicit(groups, UINT64_C(1) << function / GROUP, memory_order_relaxed);
	atomic_fetch_add_explicit(&counts[function], calls, memory_order_relaxed);
}

void call_counts_record(uint16_t function, uint64_t calls)
{
	count(recorded, &recorded_groups, function, calls);
}

void call_counts_drop(uint16_t function)
{
	count(dropped, &dropped_groups, function, 1);
}

void call_counts_take_back(uint16_t function)
{
	if (function < FUNCTION_IDS)
		atomic_fetch_sub(&recorded[function], 1);
}

/* The first function from this one on whose group is among these; FUNCTION_IDS: none. */
static unsigned next_function(uint64_t groups, unsigned function)
{
	while (function < FUNCTION_IDS && !(groups >> function / GROUP & 1))
		function = (function / GROUP + 1) * GROUP;
	return function;
}

static void clear(_Atomic uint64_t *counts, _Atomic uint64_t *groups)
{
	uint64_t used = atomic_exchange(groups, 0);

	for (unsigned i = next_function(used, 0); i < FUNCTION_IDS; i = next_function(used, i + 1))
		atomic_store_explicit(&counts[i], 0, memory_order_relaxed);
}

void call_counts_clear(void)
{
	clear(recorded, &recorded_groups);
	clear(dropped, &dropped_groups);
}

static uint64_t count_of(_Atomic uint64_t *counts, uint64_t groups, unsigned function)
{
	return groups >> function / GROUP & 1 ? atomic_load(&counts[function]) : 0;
}

void call_counts_each(void (*each)(void *data, const struct call_count *count), void *data)
{
	uint64_t of_recorded = atomic_load(&recorded_groups);
	uint64_t of_dropped = atomic_load(&dropped_groups);
	uint64_t used = of_recorded | of_dropped;

	for (unsigned i = next_function(used, 0); i < FUNCTION_IDS;
	     i = next_function(used, i + 1)) {
		struct call_count one = {i, count_of(recorded, of_recorded, i),
					 count_of(dropped, of_dropped, i)};

		if (one.recorded || one.dropped)
			each(data, &one);
	}
}

#ifdef UNIT_TEST
#include "unittest.h"

static struct call_count counts_met[4];
static unsigned counts_met_count;

static void note_count(void *data, const struct call_count *count)
{
	(void)data;
	if (counts_met_count < 4)
		counts_met[counts_met_count] = *count;
	counts_met_count++;
}

static void expect_count(unsigned index, unsigned function, uint64_t calls, uint64_t drops)
{
	EXPECT_EQ(counts_met[index].function, function);
	EXPECT_EQ(counts_met[index].recorded, calls);
	EXPECT_EQ(counts_met[index].dropped, drops);
}

TEST_CASE(call_counts_of_functions)
{
	call_counts_clear();
	call_counts_record(FUNCTION_IDS - 1, 7);
	call_counts_record(3, UINT64_C(1) << 40);
	call_counts_record(3, 1);
	call_counts_record(4, 1);
	call_counts_take_back(4);
	call_counts_drop(GROUP);
	call_counts_record(FUNCTION_IDS, 1);
	counts_met_count = 0;
	call_counts_each(note_count, NULL);
	EXPECT_EQ(counts_met_count, 3);
	expect_count(0, 3, (UINT64_C(1) << 40) + 1, 0);
	expect_count(1, GROUP, 0, 1);
	expect_count(2, FUNCTION_IDS - 1, 7, 0);
	call_counts_clear();
	call_counts_drop(3);
	counts_met_count = 0;
	call_counts_each(note_count, NULL);
	EXPECT_EQ(counts_met_count, 1);
	expect_count(0, 3, 0, 1);
}
#endif
