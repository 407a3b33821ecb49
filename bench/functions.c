/* SPDX-License-Identifier: MIT */
/* functions.c - see functions.h */
#include "functions.h"

#include <stdarg.h>
#include <stdint.h>

#include "libc_function.h"
#include "record/clock.h"

#define STAMPS (1u << 9)

struct functions bare;

static uint64_t stamps[STAMPS];
static uint32_t count;

void functions_find(void)
{
	bare.pwrite = libc_function("pwrite");
	bare.pread = libc_function("pread");
	bare.write = libc_function("write");
	bare.read = libc_function("read");
	bare.lseek = libc_function("lseek");
	bare.open = libc_function("open");
	bare.close = libc_function("close");
	bare.stat = libc_function("stat");
	bare.fstat = libc_function("fstat");
	bare.rename = libc_function("rename");
	bare.unlink = libc_function("unlink");
}

static inline void stamp(void)
{
	stamps[count++ % STAMPS] = clock_ticks();
}

static ssize_t stamped_pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	ssize_t result;

	stamp();
	result = bare.pwrite(fd, bytes, size, at);
	stamp();
	return result;
}

static ssize_t stamped_pread(int fd, void *bytes, size_t size, off_t at)
{
	ssize_t result;

	stamp();
	result = bare.pread(fd, bytes, size, at);
	stamp();
	return result;
}

static ssize_t stamped_write(int fd, const void *bytes, size_t size)
{
	ssize_t result;

	stamp();
	result = bare.write(fd, bytes, size);
	stamp();
	return result;
}

static ssize_t stamped_read(int fd, void *bytes, size_t size)
{
	ssize_t result;

	stamp();
	result = bare.read(fd, bytes, size);
	stamp();
	return result;
}

static off_t stamped_lseek(int fd, off_t at, int from)
{
	off_t result;

	stamp();
	result = bare.lseek(fd, at, from);
	stamp();
	return result;
}

static int stamped_open(const char *path, int flags, ...)
{
	va_list rest;
	int result, mode;

	va_start(rest, flags);
	mode = va_arg(rest, int);
	va_end(rest);
	stamp();
	result = bare.open(path, flags, mode);
	stamp();
	return result;
}

static int stamped_close(int fd)
{
	int result;

	stamp();
	result = bare.close(fd);
	stamp();
	return result;
}

static int stamped_stat(const char *path, struct stat *status)
{
	int result;

	stamp();
	result = bare.stat(path, status);
	stamp();
	return result;
}

static int stamped_fstat(int fd, struct stat *status)
{
	int result;

	stamp();
	result = bare.fstat(fd, status);
	stamp();
	return result;
}

static int stamped_rename(const char *from, const char *to)
{
	int result;

	stamp();
	result = bare.rename(from, to);
	stamp();
	return result;
}

static int stamped_unlink(const char *path)
{
	int result;

	stamp();
	result = bare.unlink(path);
	stamp();
	return result;
}

const struct functions stamped = {stamped_pwrite, stamped_pread,  stamped_write, stamped_read,
				  stamped_lseek,  stamped_open,   stamped_close, stamped_stat,
				  stamped_fstat,  stamped_rename, stamped_unlink};
