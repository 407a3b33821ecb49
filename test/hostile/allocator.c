/* SPDX-License-Identifier: MIT */
/*
 * allocator.c - a preload with an allocator of the kind of jemalloc, only worse: each request makes traced calls under the allocator's one lock,
 * as it does with its settings and with memory that it gets and gives back. Who then allocates would wait for
 * itself: that is told, and the process ends with 99.
 *
 * ALLOCATOR_FILE names the file that gets a byte for each pwrite().
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define AREA_SIZE (256u << 20)

static atomic_flag lock = ATOMIC_FLAG_INIT;
static __thread int inside __attribute__((tls_model("initial-exec")));
static uint8_t *area;
static size_t used;
static int fd = -1;

/* Before each block. */
struct header {
	size_t size, reserved;
};

static void enter(void)
{
	static const char text[] = "the allocator is called by itself\n";

	if (inside++) {
		(void)!write(2, text, sizeof(text) - 1);
		_exit(99);
	}
	while (atomic_flag_test_and_set(&lock))
		;
}

static void leave(void)
{
	atomic_flag_clear(&lock);
	inside--;
}

static void begin(void)
{
	char target[16];

	(void)!readlink("/etc/allocator.conf", target, sizeof(target));
	area = mmap(NULL, AREA_SIZE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* A file of its own is opened as soon as there is an environment. */
static void make_calls(void)
{
	char *name = environ ? getenv("ALLOCATOR_FILE") : NULL;
	void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(page, 4096, MADV_DONTNEED);
	munmap(page, 4096);
	if (fd == -1 && name)
		fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (fd != -1)
		(void)!pwrite(fd, "x", 1, 0); /* appended */
}

static void *take(size_t size, size_t alignment)
{
	uint8_t *block = NULL;
	int saved = errno;

	enter();
	if (!area)
		begin();
	if (alignment < sizeof(struct header))
		alignment = sizeof(struct header);
	used = (used + sizeof(struct header) + alignment - 1) & ~(alignment - 1);
	if (size < AREA_SIZE - used) {
		block = area + used;
		((struct header *)block)[-1].size = size;
		used += size;
	}
	make_calls();
	leave();
	errno = block ? saved : ENOMEM;
	return block;
}

void *malloc(size_t size)
{
	return take(size, 0);
}

void free(void *block)
{
	int saved = errno;

	if (!block)
		return;
	enter();
	make_calls();
	leave();
	errno = saved;
}

void *calloc(size_t count, size_t size)
{
	return count && size > SIZE_MAX / count ? NULL : take(count * size, 0); /* fresh: zeros */
}

void *realloc(void *block, size_t size)
{
	size_t old = block ? ((struct header *)block)[-1].size : 0;
	void *new = take(size, 0);

	if (new &&block)
		memcpy(new, block, old < size ? old : size);
	return new;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return take(size, alignment);
}

void *memalign(size_t alignment, size_t size)
{
	return take(size, alignment);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
	*block = take(size, alignment);
	return *block ? 0 : ENOMEM;
}
