/* SPDX-License-Identifier: MIT */
/* readable.c - a cache of readable pages. */
#include "record/readable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/variable.h"
#include "record/byte_blocks.h"
#include "record/sanitizer.h"
#include "record/sys.h"

#define PAGE_SIZE_MIN (1ul << READABLE_PAGE)

_Atomic uintptr_t readable_cache[READABLE_CACHE];
_Atomic uintptr_t readable_break;
static readable_passing *_Atomic is_passing;

void readable_except(readable_passing *passing)
{
	atomic_store_explicit(&is_passing, passing, memory_order_release);
}

void readable_forget_all(void)
{
	for (unsigned i = 0; i < READABLE_CACHE; i++)
		atomic_store_explicit(&readable_cache[i], 0, memory_order_relaxed);
}

void readable_forget(const void *address, size_t size)
{
	uintptr_t first = (uintptr_t)address >> READABLE_PAGE;
	uintptr_t last = ((uintptr_t)address + size - 1) >> READABLE_PAGE;

	if (size == 0)
		return;
	if (last - first >= READABLE_CACHE) { /* also where it ends before it begins */
		readable_forget_all();
		return;
	}
	for (uintptr_t page = first; page <= last; page++)
		if (atomic_load_explicit(readable_entry(page), memory_order_relaxed) == page)
			atomic_store_explicit(readable_entry(page), 0, memory_order_relaxed);
}

/* What was in the heap and is so no more is forgotten. */
static void follow_break(void)
{
	uintptr_t now = readable_break_now();
	uintptr_t before = atomic_load_explicit(&readable_break, memory_order_relaxed);

	if (now == before)
		return;
	if (now < before)
		readable_forget((const void *)now, before - now);
	atomic_store_explicit(&readable_break, now, memory_order_relaxed);
}

/*
 * How the kernel is asked. rt_sigprocmask(2) reads a signal set before it sees that it is for nothing, in a tenth of the time that process_vm_readv(2) takes,
 * which some filters of system calls, and emulators, do not have.
 */
enum way { WAY_UNKNOWN, WAY_SET, WAY_COPY };

static _Atomic uint32_t way;

/* -EINVAL: it can be read; -EFAULT: it cannot. */
static int read_set(const void *address)
{
	return sys_sigprocmask(-1, address, NULL);
}

/* valgrind reports each address that a system call cannot read, but for those of process_vm_readv(2). */
static bool is_under_valgrind(void)
{
	const char *preload = variable_get("LD_PRELOAD");

	return preload && strstr(preload, "/vgpreload_");
}

/* What the kernel says of an address that can be read, and of one that cannot, tells whether it looks at all. */
static uint32_t choose_way(void)
{
	static const uint64_t empty;
	bool reads = !is_under_valgrind() && read_set(&empty) == -EINVAL &&
		     read_set((const void *)sizeof(empty)) == -EFAULT;

	return reads ? WAY_SET : WAY_COPY;
}

static bool copies(const void *address)
{
	char byte;
	long copied = sys_copy_from_self(&byte, address, 1);

	if (copied == -ENOSYS || copied == -EPERM)
		return read_set(address) == -EINVAL;
	return copied == 1;
}

bool readable_now(const void *address)
{
	uint32_t chosen = atomic_load_explicit(&way, memory_order_relaxed);
	int error;

	if (chosen == WAY_UNKNOWN) {
		chosen = choose_way();
		atomic_store_explicit(&way, chosen, memory_order_relaxed);
	}
	error = chosen == WAY_SET ? read_set(address) : -ENOSYS;
	return error == -EINVAL || (error != -EFAULT && copies(address));
}

static bool stays(const void *page)
{
	readable_passing *passing = atomic_load_explicit(&is_passing, memory_order_acquire);

	return !passing || !passing(page, PAGE_SIZE_MIN);
}

static bool page_readable(uintptr_t page)
{
	_Atomic uintptr_t *entry = readable_entry(page);
	const void *address = (const void *)(page << READABLE_PAGE);

	follow_break();
	if (atomic_load_explicit(entry, memory_order_relaxed) == page)
		return page != 0;
	if (!readable_now(address))
		return false;
	if (stays(address))
		atomic_store_explicit(entry, page, memory_order_relaxed);
	return true;
}

bool readable_slow(const void *address, size_t size)
{
	uintptr_t first = (uintptr_t)address >> READABLE_PAGE;
	uintptr_t last = ((uintptr_t)address + size - 1) >> READABLE_PAGE;

	if (size == 0)
		return true;
	if (last < first)
		return false;
	for (uintptr_t page = first; page <= last; page++)
		if (!page_readable(page))
			return false;
	return true;
}

sanitizer_reads_around bool readable_string(const char *string, size_t *length)
{
	const byte_block *block = block_of(string);
	unsigned ends;

	if (!page_readable((uintptr_t)string >> READABLE_PAGE))
		return false;
	ends = block_equal(*block, 0) & block_from(string);
	while (!ends) {
		block++;
		if ((const char *)block - string >= READABLE_MEASURED) {
			*length = READABLE_MEASURED;
			return true;
		}
		if ((uintptr_t)block % PAGE_SIZE_MIN == 0 &&
		    !page_readable((uintptr_t)block >> READABLE_PAGE))
			return false;
		ends = block_equal(*block, 0);
	}
	*length = (size_t)((const char *)block - string) + (size_t)__builtin_ctz(ends);
	return true;
}

#ifdef UNIT_TEST
#include <sys/mman.h>
#include <unistd.h>

#include "unittest.h"

#define PAGES 3u

static bool page_is(const uint8_t *pages, unsigned page, bool expected)
{
	return readable(pages + page * PAGE_SIZE_MIN + 5, 8) == expected;
}

TEST_CASE(readable_forgets_the_pages_of_a_range)
{
	uint8_t *pages =
		mmap(NULL, PAGES * PAGE_SIZE_MIN, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	EXPECT(pages != MAP_FAILED);
	for (unsigned page = 0; page < PAGES; page++)
		EXPECT(page_is(pages, page, true));
	mprotect(pages + PAGE_SIZE_MIN, PAGE_SIZE_MIN, PROT_NONE);
	readable_forget(pages + PAGE_SIZE_MIN - 1, 1);
	EXPECT(page_is(pages, 1, true)); /* so it is remembered */
	readable_forget(pages + 2 * PAGE_SIZE_MIN, 0);
	EXPECT(page_is(pages, 1, true));
	readable_forget(pages + PAGE_SIZE_MIN - 1, 2);
	EXPECT(page_is(pages, 0, true) && page_is(pages, 1, false) && page_is(pages, 2, true));
	mprotect(pages, PAGES * PAGE_SIZE_MIN, PROT_NONE);
	readable_forget(pages, SIZE_MAX);
	for (unsigned page = 0; page < PAGES; page++)
		EXPECT(page_is(pages, page, false));
	munmap(pages, PAGES * PAGE_SIZE_MIN);
}

static const void *passing_page;

static bool is_passing_page(const void *address, uint64_t length)
{
	(void)length;
	return address == passing_page;
}

TEST_CASE(readable_asks_each_time_for_what_others_take_away)
{
	uint8_t *pages =
		mmap(NULL, PAGES * PAGE_SIZE_MIN, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	EXPECT(pages != MAP_FAILED);
	passing_page = pages + PAGE_SIZE_MIN;
	readable_except(is_passing_page);
	for (unsigned page = 0; page < PAGES; page++)
		EXPECT(page_is(pages, page, true));
	mprotect(pages, PAGES * PAGE_SIZE_MIN, PROT_NONE);
	EXPECT(page_is(pages, 0, true) && page_is(pages, 1, false) && page_is(pages, 2, true));
	readable_except(NULL);
	readable_forget_all();
	munmap(pages, PAGES * PAGE_SIZE_MIN);
}

TEST_CASE(readable_forgets_the_heap_that_ended_earlier)
{
	uint8_t *end = sbrk(0), *pages = end + PAGE_SIZE_MIN - (uintptr_t)end % PAGE_SIZE_MIN;

	REQUIRE(brk(pages + PAGES * PAGE_SIZE_MIN) == 0);
	for (unsigned page = 0; page < PAGES; page++)
		EXPECT(page_is(pages, page, true));
	REQUIRE(brk(pages + PAGE_SIZE_MIN) == 0);
	EXPECT(page_is(pages, 0, true));
	for (unsigned page = 1; page < PAGES; page++) /* qemu keeps the memory */
		EXPECT(page_is(pages, page, readable_now(pages + page * PAGE_SIZE_MIN)));
	REQUIRE(brk(end) == 0);
}
#endif
