/* SPDX-License-Identifier: MIT */
/*
 * life CASE: begins, multiplies and ends in the way of that name. life CASE COUNT: makes marks of
 * that name, as the program that others execute.
 */
#include "../bare.h"
#include "life.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

const char *self;

void mark(const char *name, int count)
{
	int fd = open(name, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);

	for (int i = 0; i < count; i++)
		if (write(fd, "x", 1) != 1)
			broken("write");
	close(fd);
}

long marks_of(const char *name)
{
	struct stat status;

	return bare(SYS_newfstatat, AT_FDCWD, name, &status, 0) ? -1 : (long)status.st_size;
}

void await_marks(const char *name, long count)
{
	struct timespec pause = {0, 1000000};

	for (int i = 0; marks_of(name) < count; i++) {
		if (i == 20000)
			broken(name);
		bare(SYS_nanosleep, &pause, NULL);
	}
}

void await_child(pid_t pid, int wanted)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		broken("waitpid");
	if (status != wanted) {
		dprintf(2, "wait status %x, wanted %x\n", status, wanted);
		broken("status of a child");
	}
}

void broken(const char *what)
{
	static const char text[] = "broken: ";

	bare(SYS_write, 2, text, sizeof(text) - 1);
	bare(SYS_write, 2, what, strlen(what));
	bare(SYS_write, 2, "\n", 1);
	bare(SYS_exit_group, 98);
	__builtin_unreachable();
}

void check(bool good, const char *what)
{
	if (!good)
		broken(what);
}

static const struct life_case *find(const struct life_case *table, const char *name)
{
	for (; table->name; table++)
		if (!strcmp(table->name, name))
			return table;
	return NULL;
}

int main(int argc, char **argv)
{
	static const struct life_case *const tables[] = {births, crowds, ends, faults};

	self = argv[0];
	if (argc == 3) {
		mark(argv[1], atoi(argv[2]));
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "nothing"))
		return 0;
	for (int i = 0; argc == 2 && i < 4; i++) {
		const struct life_case *row = find(tables[i], argv[1]);

		if (row)
			return row->run();
	}
	fprintf(stderr, "usage: life CASE | life MARK COUNT\n");
	return 97;
}
