/* SPDX-License-Identifier: MIT */
/*
 * owning.c - a program that defines functions of libc itself, for all libraries in the process: write() without libc, open() by way of the next
 * one, and malloc() from an area of its own. `pwrite` is libc's, and so counted.
 */
#include "../bare.h"
#include "hostile.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/syscall.h>

static uint8_t area[16 << 20] __attribute__((aligned(16)));
static _Atomic size_t used;
static unsigned long own_writes, own_opens;

ssize_t write(int fd, const void *buffer, size_t size)
{
	own_writes++;
	return bare(SYS_write, fd, buffer, size);
}

int open(const char *path, int flags, ...)
{
	int (*next)(const char *, int, ...) =
		(int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	own_opens++;
	return next(path, flags, mode);
}

void *malloc(size_t size)
{
	size_t at = atomic_fetch_add(&used, ((size + 15) & ~(size_t)15) + 16);

	if (at + size + 16 > sizeof(area)) {
		errno = ENOMEM;
		return NULL;
	}
	*(size_t *)(void *)(area + at) = size;
	return area + at + 16;
}

void free(void *block)
{
	(void)block;
}

void *calloc(size_t count, size_t size)
{
	return malloc(count * size);
}

void *realloc(void *block, size_t size)
{
	size_t old = block ? *(size_t *)(void *)((uint8_t *)block - 16) : 0;
	void *new = malloc(size);

	return new &&block ? memcpy(new, block, old < size ? old : size) : new;
}

static void *work(void *data)
{
	char path[32];

	for (int i = 0; i < 100; i++) {
		char *text = strdup("text");
		int fd;

		snprintf(path, sizeof(path), "own.%d", i);
		fd = open(path, O_RDWR | O_CREAT, 0600);
		puts_many(fd, 5);
		if (write(fd, text, 4) != 4)
			abort();
		free(text);
		close(fd);
	}
	return data;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	printf("writes %lu opens %lu\n", own_writes, own_opens);
	fflush(stdout);
	report(REPORT);
	return 0;
}
