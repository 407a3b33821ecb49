/* SPDX-License-Identifier: MIT */
/* latest COUNT PACE END: COUNT writes, a millisecond of rest after each PACE of them (0: none); ends by kill, segv, abort or exit. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long count = argc > 3 ? atol(argv[1]) : 0, pace = argc > 3 ? atol(argv[2]) : 0;
	volatile char *volatile nowhere = NULL;
	int fd = open("data", O_CREAT | O_WRONLY, 0600);

	for (long i = 0; i < count; i++) {
		if (pwrite(fd, "x", 1, i) != 1)
			return 1;
		if (pace && i % pace == 0)
			nanosleep(&(struct timespec){0, 1000000}, NULL);
	}
	if (count == 0)
		return 2;
	if (!strcmp(argv[3], "kill"))
		raise(SIGKILL);
	if (!strcmp(argv[3], "segv"))
		*nowhere = 1;
	if (!strcmp(argv[3], "abort"))
		abort();
	return 0;
}
