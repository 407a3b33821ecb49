/* SPDX-License-Identifier: MIT */
/* heldchild.c - see heldchild.h */
#include "heldchild.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void wait_for_go(int fd)
{
	char byte;

	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
	close(fd);
}

pid_t held_fork(struct held_child *child)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		int error = errno;

		close(ends[0]);
		close(ends[1]);
		return -error;
	}
	if (pid == 0) {
		close(ends[1]);
		wait_for_go(ends[0]);
		return 0;
	}
	close(ends[0]);
	child->go = ends[1];
	return pid;
}

void held_release(struct held_child *child)
{
	close(child->go);
}
