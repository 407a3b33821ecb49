/* SPDX-License-Identifier: MIT */
/*
 * names COUNT TIMES: opens that many files of different names, one after the other, and each TIMES times: once, and again after a
 * few others. Prints the resident memory (KiB) after half of them and at the end.
 */
#include "resident.h"

#define BACK 10 /* names after which one comes again */

static int open_once(long number, int flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "name.%ld", number);
	fd = open(path, O_RDWR | flags, 0600);
	return fd < 0 || write(fd, "x", 1) != 1 || close(fd);
}

static int again(long number, long times)
{
	int failed = 0;
	char path[64];

	for (long i = 1; i < times; i++)
		failed |= open_once(number, 0);
	snprintf(path, sizeof(path), "name.%ld", number);
	return failed | unlink(path);
}

int main(int argc, char **argv)
{
	long count = argc > 2 ? atol(argv[1]) : 0, times = argc > 2 ? atol(argv[2]) : 0;
	long early = 0;

	for (long i = 0; i < count; i++) {
		if (open_once(i, O_CREAT) || (i >= BACK && again(i - BACK, times)))
			return 1;
		if (i == count / 2)
			early = resident();
	}
	for (long i = count - BACK; i < count; i++)
		if (again(i, times))
			return 1;
	return resident_report(early);
}
