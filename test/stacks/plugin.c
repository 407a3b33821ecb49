/* SPDX-License-Identifier: MIT */
/* plugin.c - a library that makes a call of its own. NAME: of its function. */
#include <unistd.h>

long NAME(int fd);

long NAME(int fd)
{
	long result = pwrite(fd, "x", 1, 0);

	__asm__ volatile("");
	return result;
}
