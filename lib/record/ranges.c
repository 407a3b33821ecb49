/* SPDX-License-Identifier: MIT */
/* ranges.c - a table of ranges, with a version in each slot: odd while somebody writes it. */
#include "record/ranges.h"

#include <stdatomic.h>

#define GROUPS 128u
#define GROUP_SLOTS 64u
#define NEAR                                                                                       \
	((uintptr_t)64                                                                             \
	 << 20) /* bytes; what is farther away begins a group of its own while there are some */

struct slot {
	_Atomic uint32_t version;
	_Atomic uint32_t file;
	_Atomic uintptr_t start, end; /* equal: free */
	_Atomic int64_t offset;
};

struct group {
	_Atomic uintptr_t low, high; /* both 0: nothing was ever in it */
	_Atomic uint32_t limit;      /* slots that were ever used */
	_Atomic uint32_t used;       /* that are now, about: a fork may come while one is taken */
	struct slot slots[GROUP_SLOTS];
};

struct ranges {
	_Atomic uint32_t limit; /* groups that were ever used */
	struct group groups[GROUPS];
};

size_t ranges_size(void)
{
	return sizeof(struct ranges);
}

/* ---- one slot ---- */

/* False: somebody is writing it. */
static bool slot_read(struct slot *slot, struct range *range)
{
	uint32_t version = atomic_load_explicit(&slot->version, memory_order_acquire);

	range->start = atomic_load_explicit(&slot->start, memory_order_relaxed);
	range->end = atomic_load_explicit(&slot->end, memory_order_relaxed);
	range->offset = atomic_load_explicit(&slot->offset, memory_order_relaxed);
	range->file = atomic_load_explicit(&slot->file, memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	return !(version & 1) &&
	       atomic_load_explicit(&slot->version, memory_order_relaxed) == version;
}

/* Replaces what was read, unless somebody else has; false then. */
static bool slot_replace(struct slot *slot, const struct range *old, const struct range *new)
{
	uint32_t version = atomic_load_explicit(&slot->version, memory_order_acquire);
	struct range now;

	if (!slot_read(slot, &now) || now.start != old->start || now.end != old->end ||
	    version & 1 || !atomic_compare_exchange_strong(&slot->version, &version, version + 1))
		return false;
	atomic_store_explicit(&slot->start, new->start, memory_order_relaxed);
	atomic_store_explicit(&slot->end, new->end, memory_order_relaxed);
	atomic_store_explicit(&slot->offset, new->offset, memory_order_relaxed);
	atomic_store_explicit(&slot->file, new->file, memory_order_relaxed);
	atomic_store_explicit(&slot->version, version + 2, memory_order_release);
	return true;
}

/* ---- a group ---- */

static void raise_to(_Atomic uint32_t *limit, uint32_t to)
{
	uint32_t now = atomic_load(limit);

	while (now < to && !atomic_compare_exchange_weak(limit, &now, to))
		;
}

/* Before the range is in it: who looks for the range finds the group. */
static void widen(struct group *group, const struct range *range)
{
	uintptr_t low = atomic_load(&group->low), high = atomic_load(&group->high);
	uintptr_t start = range->start ? range->start : 1; /* 0 means that there was nothing */

	while ((low == 0 || start < low) && !atomic_compare_exchange_weak(&group->low, &low, start))
		;
	while (range->end > high && !atomic_compare_exchange_weak(&group->high, &high, range->end))
		;
}

/* How far it lies from what is in the group. */
static uintptr_t distance(struct group *group, const struct range *range)
{
	uintptr_t low = atomic_load_explicit(&group->low, memory_order_relaxed);
	uintptr_t high = atomic_load_explicit(&group->high, memory_order_relaxed);

	if (range->start < low)
		return low - range->start;
	return range->end > high ? range->end - high : 0;
}

static bool overlaps(struct group *group, uintptr_t start, uintptr_t end)
{
	return atomic_load_explicit(&group->low, memory_order_relaxed) < end &&
	       atomic_load_explicit(&group->high, memory_order_relaxed) > start;
}

static bool add_to_group(struct group *group, const struct range *range)
{
	static const struct range nothing;
	struct range found;

	for (uint32_t i = 0; i < GROUP_SLOTS; i++) {
		if (!slot_read(&group->slots[i], &found) || found.start != found.end)
			continue;
		widen(group, range);
		raise_to(&group->limit, i + 1);
		if (!slot_replace(&group->slots[i], &nothing, range))
			continue;
		atomic_fetch_add_explicit(&group->used, 1, memory_order_relaxed);
		return true;
	}
	return false;
}

/* ---- all ---- */

/* The nearest of the groups that have room; NULL: none has. */
static struct group *nearest(struct ranges *ranges, const struct range *range)
{
	uint32_t fresh = atomic_load(&ranges->limit);
	struct group *found = NULL;
	uintptr_t least = UINTPTR_MAX;

	for (uint32_t i = 0; i < fresh && least > 0; i++) {
		struct group *group = &ranges->groups[i];
		uintptr_t far = distance(group, range);

		if (far < least &&
		    atomic_load_explicit(&group->used, memory_order_relaxed) < GROUP_SLOTS) {
			found = group;
			least = far;
		}
	}
	if (least <= NEAR || fresh == GROUPS)
		return found;
	/* it may be somebody else's by now, and has room all the same */
	raise_to(&ranges->limit, fresh + 1);
	return &ranges->groups[fresh];
}

void ranges_add(struct ranges *ranges, const struct range *range)
{
	struct group *group = nearest(ranges, range);

	if (!group || add_to_group(group, range))
		return;
	/* somebody else took the last slot */
	for (uint32_t i = 0; i < GROUPS; i++)
		if (add_to_group(&ranges->groups[i], range)) {
			raise_to(&ranges->limit, i + 1);
			return;
		}
}

/* Takes [start, end) out of the range in a slot of the group. */
static void cut(struct ranges *ranges, struct group *group, struct slot *slot, uintptr_t start,
		uintptr_t end)
{
	struct range old, low, high;

	if (!slot_read(slot, &old) || old.start >= end || old.end <= start)
		return;
	low = high = old;
	low.end = old.start < start ? start : old.start;
	high.start = old.end > end ? end : old.end;
	high.offset += (int64_t)(high.start - old.start);
	if (low.start == low.end)
		low = (struct range){0};
	if (!slot_replace(slot, &old, &low))
		return;
	if (low.start == low.end)
		atomic_fetch_sub_explicit(&group->used, 1, memory_order_relaxed);
	if (high.start < high.end)
		ranges_add(ranges, &high);
}

static void cut_group(struct ranges *ranges, struct group *group, uintptr_t start, uintptr_t end)
{
	uint32_t limit = atomic_load_explicit(&group->limit, memory_order_acquire);

	for (uint32_t i = 0; i < limit; i++)
		cut(ranges, group, &group->slots[i], start, end);
}

void ranges_cut(struct ranges *ranges, uintptr_t start, uintptr_t end)
{
	uint32_t limit = atomic_load_explicit(&ranges->limit, memory_order_acquire);

	for (uint32_t i = 0; i < limit; i++)
		if (overlaps(&ranges->groups[i], start, end))
			cut_group(ranges, &ranges->groups[i], start, end);
}

static void visit_group(struct group *group, uintptr_t start, uintptr_t end, range_visit *visit,
			void *data)
{
	uint32_t limit = atomic_load_explicit(&group->limit, memory_order_acquire);
	struct range found, changed;

	for (uint32_t i = 0; i < limit; i++) {
		if (!slot_read(&group->slots[i], &found) || found.start >= end ||
		    found.end <= start)
			continue;
		changed = found;
		if (visit(&changed, data))
			slot_replace(&group->slots[i], &found, &changed);
	}
}

void ranges_each(struct ranges *ranges, uintptr_t start, uintptr_t end, range_visit *visit,
		 void *data)
{
	uint32_t limit = atomic_load_explicit(&ranges->limit, memory_order_acquire);

	for (uint32_t i = 0; i < limit; i++)
		if (overlaps(&ranges->groups[i], start, end))
			visit_group(&ranges->groups[i], start, end, visit, data);
}

#ifdef UNIT_TEST
#include <string.h>

#include "unittest.h"

#define RANGES_TEST_PAGES 2000u
#define RANGES_TEST_AT ((uintptr_t)1 << 40)

static struct ranges ranges_test;
static uint32_t ranges_test_files[RANGES_TEST_PAGES]; /* what each page is of; 0: nothing */

/* Each page, of one place or of several that lie far apart. */
static uintptr_t ranges_test_page(uint32_t page)
{
	return RANGES_TEST_AT + ((uintptr_t)(page % 4) << 32) + (uintptr_t)page * 4096;
}

static bool ranges_test_find(struct range *range, void *data)
{
	*(struct range *)data = *range;
	return false;
}

/* What is found at a page: file and offset as they were given. */
static bool ranges_test_has(uint32_t page, uint32_t file)
{
	uintptr_t at = ranges_test_page(page);
	struct range found = {0};

	ranges_each(&ranges_test, at, at + 4096, ranges_test_find, &found);
	return found.file == file &&
	       (file == 0 || found.offset + (int64_t)(at - found.start) == (int64_t)at);
}

static uint32_t ranges_test_number(void)
{
	static uint32_t state = 1;

	state = state * 1103515245 + 12345;
	return state >> 8;
}

/* Up to 8 pages in a row of those that lie in one place. */
static void ranges_test_change(uint32_t file)
{
	uint32_t first =
		ranges_test_number() % (RANGES_TEST_PAGES / 4 - 8) * 4 + ranges_test_number() % 4;
	uint32_t count = 1 + ranges_test_number() % 8;
	uintptr_t start = ranges_test_page(first), end = start + (uintptr_t)count * 4 * 4096;

	ranges_cut(&ranges_test, start, end);
	if (file)
		ranges_add(&ranges_test, &(struct range){start, end, (int64_t)start, file});
	for (uint32_t i = 0; i < count; i++)
		ranges_test_files[first + 4 * i] = file;
}

TEST_CASE(ranges_are_what_was_added_and_not_cut)
{
	memset(&ranges_test, 0, sizeof(ranges_test));
	for (uint32_t i = 1; i <= 20000; i++)
		ranges_test_change(ranges_test_number() % 3 ? i : 0);
	for (uint32_t i = 0; i < RANGES_TEST_PAGES; i++)
		EXPECT(ranges_test_has(i, ranges_test_files[i]));
}

TEST_CASE(ranges_are_found_in_few_groups)
{
	unsigned groups = 0;

	memset(&ranges_test, 0, sizeof(ranges_test));
	for (uintptr_t i = GROUPS * GROUP_SLOTS; i > 0; i--)
		ranges_add(&ranges_test,
			   &(struct range){i * 8192, i * 8192 + 4096, 0, (uint32_t)i});
	for (uintptr_t i = GROUPS * GROUP_SLOTS; i > 0; i--) {
		struct range found = {0};

		ranges_each(&ranges_test, i * 8192, i * 8192 + 1, ranges_test_find, &found);
		EXPECT_EQ(found.file, i);
		for (unsigned k = 0; k < GROUPS; k++)
			groups += overlaps(&ranges_test.groups[k], i * 8192, i * 8192 + 1);
	}
	EXPECT_EQ(groups, GROUPS * GROUP_SLOTS);
	ranges_add(&ranges_test, &(struct range){4096, 8192, 0, 1}); /* there is no room */
	for (uint32_t k = 0; k < GROUPS; k++)
		EXPECT_EQ(atomic_load(&ranges_test.groups[k].used), GROUP_SLOTS);
	ranges_cut(&ranges_test, 0, UINTPTR_MAX);
	for (uint32_t k = 0; k < GROUPS; k++)
		EXPECT_EQ(atomic_load(&ranges_test.groups[k].used), 0);
}
#endif
