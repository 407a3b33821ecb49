/* SPDX-License-Identifier: MIT */
/* wipe.c - see wipe.h */
#include "record/wipe.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/sys.h"

/* What most processes ask for comes out of one mapping: all of it has 670 KiB, in six pieces, of which some have a few bytes. */
#define POOL_SIZE (1u << 20)
#define ALIGNMENT 64u

static uint8_t *_Atomic pool;
static _Atomic size_t pool_used;

static void *map(size_t size, int advice)
{
	void *memory = sys_mmap(size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

	if (sys_is_error((long)memory))
		return NULL;
	if (sys_madvise(memory, size, advice)) {
		sys_munmap(memory, size);
		return NULL;
	}
	return memory;
}

/* NULL: there is no memory for it. */
static uint8_t *the_pool(void)
{
	uint8_t *made = atomic_load(&pool), *fresh;

	if (made)
		return made;
	fresh = map(POOL_SIZE, MADV_WIPEONFORK);
	if (!fresh || atomic_compare_exchange_strong(&pool, &made, fresh))
		return fresh;
	sys_munmap(fresh, POOL_SIZE);
	return made;
}

/* NULL: it is empty. */
static void *from_pool(size_t size)
{
	size_t used = atomic_load(&pool_used);
	uint8_t *memory = size <= POOL_SIZE ? the_pool() : NULL;

	if (!memory)
		return NULL;
	size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	while (size <= POOL_SIZE - used)
		if (atomic_compare_exchange_weak(&pool_used, &used, used + size))
			return memory + used;
	return NULL;
}

void *wipe_alloc(size_t size)
{
	void *memory = from_pool(size);

	return memory ? memory : map(size, MADV_WIPEONFORK);
}

void *wipe_alloc_unforked(size_t size)
{
	return map(size, MADV_DONTFORK);
}

#ifdef UNIT_TEST
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unittest.h"

#define PIECES 300u

/* Some fit into the pool together, and some do not. */
TEST_CASE(wiped_memory_is_zero_and_apart)
{
	static const size_t sizes[] = {1, 12, 64, 65, 1544, 16384, 700000, 2000000};
	uint8_t *pieces[PIECES];

	for (unsigned i = 0; i < PIECES; i++) {
		size_t size = sizes[i % (sizeof(sizes) / sizeof(*sizes))];

		pieces[i] = wipe_alloc(size);
		REQUIRE(pieces[i]);
		EXPECT_EQ((uintptr_t)pieces[i] % ALIGNMENT, 0);
		for (size_t at = 0; at < size; at += 61)
			EXPECT_EQ(pieces[i][at], 0);
		memset(pieces[i], 0xa5, size < 2000 ? size : 2000);
	}
	EXPECT(pool_used > POOL_SIZE / 2 && pool_used <= POOL_SIZE);
}

/* Whether a child sees anything of them. */
static bool seen_by_child(const uint8_t *one, const uint8_t *other)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(*one || *other);
	EXPECT_EQ(waitpid(child, &status, 0), child);
	return status != 0;
}

TEST_CASE(wiped_memory_is_zero_again_in_a_child)
{
	uint8_t *small = wipe_alloc(10), *large = wipe_alloc(2 * POOL_SIZE);
	uint8_t *plain = map(1, MADV_WIPEONFORK);

	REQUIRE(small && large && plain);
	*small = large[5000] = *plain = 1;
	if (seen_by_child(plain, plain))
		return; /* QEMU does not do it */
	EXPECT(!seen_by_child(small, large + 5000));
	EXPECT(*small && large[5000]);
}
#endif
