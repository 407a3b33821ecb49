/* SPDX-License-Identifier: MIT */
/* resident.h - the memory of this process that is in use, by bare system calls, which leave no record. */
#ifndef RECORDER_TEST_RESIDENT_H
#define RECORDER_TEST_RESIDENT_H

#include "../bare.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* KiB; -1: not known */
static inline long resident(void)
{
	char text[128];
	int fd = (int)bare(SYS_openat, AT_FDCWD, "/proc/self/statm", O_RDONLY, 0);
	long size = bare(SYS_read, fd, text, sizeof(text) - 1);

	bare(SYS_close, fd);
	if (size <= 0)
		return -1;
	text[size] = '\0';
	return strtol(strchr(text, ' '), NULL, 10) * (getpagesize() / 1024);
}

/* "EARLY LATE": what it was and what it is. */
static inline int resident_report(long early)
{
	char line[64];

	snprintf(line, sizeof(line), "%ld %ld\n", early, resident());
	return bare(SYS_write, 1, line, strlen(line)) != (long)strlen(line);
}

#endif
