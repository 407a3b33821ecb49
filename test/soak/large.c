/* SPDX-License-Identifier: MIT */
/*
 * large ROUNDS: calls whose arguments are larger than anybody stores: paths and link targets of a megabyte, 1,024 parts, 10,000
 * arguments of a program. Prints the resident memory (KiB) after a hundredth of the rounds and at the end.
 */
#include "resident.h"

#include <errno.h>
#include <sys/uio.h>

#define LONG (1 << 20)
#define PARTS 1024
#define ARGS 10000

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 0, early = 0;
	static struct iovec parts[PARTS];
	static char *args[ARGS + 1];
	char *path = malloc(LONG + 1);
	int fd = open("data", O_RDWR | O_CREAT, 0600);

	memset(path, 'p', LONG);
	path[LONG] = '\0';
	for (int i = 0; i < PARTS; i++)
		parts[i] = (struct iovec){path, (size_t)i % 8};
	for (int i = 0; i < ARGS; i++)
		args[i] = "argument";
	for (long i = 0; i < count; i++) {
		if (open(path, O_RDONLY) != -1 || errno != ENAMETOOLONG)
			return 1;
		if (symlink(path, "link") != -1 || errno != ENAMETOOLONG)
			return 1;
		if (pwritev(fd, parts, PARTS, 0) != PARTS / 8 * 28)
			return 1;
		if (execv("/nonexistent/program", args) != -1 || errno != ENOENT)
			return 1;
		if (i == count / 100)
			early = resident();
	}
	return resident_report(early);
}
