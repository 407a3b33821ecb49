/* SPDX-License-Identifier: MIT */
/* rank N: writes N times to rank.PID and sleeps a moment, so that all ranks of a job run at once. Knows nothing of MPI. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1, fd;
	char name[32];

	snprintf(name, sizeof(name), "rank.%ld", (long)getpid());
	fd = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
	for (int i = 0; i < count; i++)
		if (pwrite(fd, &i, sizeof(i), 4 * i) != sizeof(i))
			return 1;
	usleep(200000);
	return close(fd);
}
