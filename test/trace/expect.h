/* SPDX-License-Identifier: MIT */
/*
 * expect.h - what a traced test program is written with: it makes calls and tells which lines
 * recorder2text is to show for them (without rank, thread and times).
 *
 *	int fd = open("data", O_RDONLY);
 *
 *	expect("0 posix open(path=\"data\", flags=O_RDONLY) = %s", on_file(fd, "data"));
 *
 * Lines are kept in memory and written by expect_end() with a bare system call: telling what
 * is expected leaves no record. The program runs in an empty directory; $PWD is its name.
 */
#ifndef RECORDER_TEST_EXPECT_H
#define RECORDER_TEST_EXPECT_H

#include "../bare.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TEXTS 8 /* texts alive at a time */

static char expect_lines[1 << 18];
static size_t expect_size;

__attribute__((format(printf, 1, 2))) static inline void expect(const char *format, ...)
{
	size_t room = sizeof(expect_lines) - expect_size;
	int keep = errno, length;
	va_list args;

	va_start(args, format);
	length = vsnprintf(expect_lines + expect_size, room, format, args);
	va_end(args);
	if (length < 0 || (size_t)length + 1 >= room)
		abort();
	expect_size += (size_t)length;
	expect_lines[expect_size++] = '\n';
	errno = keep;
}

/* To be called once in each process; the value is for main() to return. */
static inline int expect_end(void)
{
	if (bare(SYS_write, 1, expect_lines, expect_size) != (long)expect_size)
		return 1;
	expect_size = 0;
	return 0;
}

/* A forked child starts with nothing expected. */
static inline void expect_forked(void)
{
	expect_size = 0;
}

static inline char *expect_text(void)
{
	static char texts[TEXTS][512];
	static unsigned next;

	return texts[next++ % TEXTS];
}

/* A result, with errno's name if it is -1. */
static inline const char *returned(long result)
{
	char *text = expect_text();

	if (result == -1)
		snprintf(text, 512, "-1 %s", strerrorname_np(errno));
	else
		snprintf(text, 512, "%ld", result);
	return text;
}

/* A descriptor and the file in the working directory that it stands for; -1: the failed result. */
static inline const char *on_file(int fd, const char *name)
{
	char *text = expect_text();

	if (fd == -1)
		return returned(-1);
	snprintf(text, 512, "%d \"%s%s%s\"", fd, getenv("PWD"), *name ? "/" : "", name);
	return text;
}

/* A descriptor of something that has no name of its own: "pipe". */
static inline const char *on_other(int fd, const char *what)
{
	char *text = expect_text();

	if (fd == -1)
		return returned(-1);
	snprintf(text, 512, "%d \"%s\"", fd, what);
	return text;
}

#endif
