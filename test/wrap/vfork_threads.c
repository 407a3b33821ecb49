/* SPDX-License-Identifier: MIT */
/*
 * vfork_threads.c - two threads make children by vfork while two others open and close: the
 * children return into their parents' frames, exec, fail to exec, exit. Exit 1 when a child does
 * not end as it should. vfork_threads.sh counts the records.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN 100
#define OPENS 1000

/* Odd children exec, even ones fail to and say so by their status. */
static void child(int number)
{
	if (write(STDOUT_FILENO, "c", 1) != 1)
		_exit(99);
	if (number & 1)
		execl("/bin/true", "true", (char *)NULL);
	execl("/nonexistent/program", "program", (char *)NULL);
	_exit(number & 63);
}

static pid_t start_child(int number)
{
	pid_t pid = vfork();

	if (pid == 0)
		child(number);
	return pid;
}

static void *make_children(void *unused)
{
	intptr_t wrong = 0;

	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = start_child(i);
		int status;

		if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
		    WEXITSTATUS(status) != (i & 1 ? 0 : i & 63))
			wrong++;
	}
	return unused ? unused : (void *)wrong;
}

static void *open_files(void *unused)
{
	intptr_t wrong = 0;

	for (int i = 0; i < OPENS; i++)
		wrong += close(open("/etc/passwd", O_RDONLY)) != 0;
	return unused ? unused : (void *)wrong;
}

int main(void)
{
	pthread_t threads[4];
	intptr_t wrong = 0;

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, i < 2 ? make_children : open_files, NULL);
	for (int i = 0; i < 4; i++) {
		void *result;

		pthread_join(threads[i], &result);
		wrong += (intptr_t)result;
	}
	return wrong != 0;
}
