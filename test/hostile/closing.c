/* SPDX-License-Identifier: MIT */
/* closing.c - programs that close every descriptor, or put their own on every number. */
#include "hostile.h"

#include <linux/close_range.h>
#include <sys/resource.h>

static int limit(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	return limit.rlim_cur < 4096 ? (int)limit.rlim_cur : 4096;
}

/* Lets only the report and one file live; everything again afterwards. */
static int begin(void)
{
	int fd = open("file", O_RDWR | O_CREAT, 0600);

	dup2(fd, 3);
	if (fd != 3)
		close(fd);
	puts_many(3, 100);
	return 3;
}

static void end(const char *what, long value)
{
	puts_many(3, 100);
	dprintf(1, "%s %ld\n", what, value);
	report(REPORT);
}

static int close_loop(void)
{
	long closed = 0;

	begin();
	for (int round = 0; round < 2; round++)
		for (int fd = 4; fd < limit() + 600; fd++)
			closed += close(fd) == 0;
	end("closed", closed);
	return 0;
}

static int range(void)
{
	int result;

	begin();
	result = close_range(4, ~0u, 0);
	result += close_range(4, ~0u, 0);
	end("close_range", result);
	return 0;
}

static int cloexec_range(void)
{
	begin();
	end("close_range", close_range(4, ~0u, CLOSE_RANGE_CLOEXEC));
	return 0;
}

static int from(void)
{
	begin();
	closefrom(4);
	end("next", dup(3));
	return 0;
}

static int onto_all(void)
{
	long good = 0;

	begin();
	for (int fd = 4; fd < limit(); fd++) {
		good += dup2(3, fd) == fd;
		put(fd, fd);
	}
	for (int fd = 4; fd < limit(); fd++)
		good += close(fd) == 0;
	end("duplicated", good);
	return 0;
}

static int onto_all_kept(void)
{
	long good = 0;

	begin();
	for (int fd = 4; fd < limit(); fd++)
		good += dup3(3, fd, 0) == fd;
	puts_many(3, 20000); /* rings are sealed meanwhile */
	dprintf(1, "open %d\n", open("other", O_RDWR | O_CREAT, 0600) == -1 ? errno : 0);
	end("duplicated", good);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct hostile_case cases[] = {
		{"loop", close_loop}, {"range", range},       {"cloexec", cloexec_range},
		{"from", from},       {"onto_all", onto_all}, {"onto_all_kept", onto_all_kept},
	};

	return argc < 2 ? 2 : RUN_CASE(cases, argv[1]);
}
