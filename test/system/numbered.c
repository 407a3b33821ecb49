/* SPDX-License-Identifier: MIT */
/*
 * FILE WRITES [BARRIER]: says what it calls itself and its other thread, and writes so often into the file with each of both; before that it waits, if that is asked for, until there is a file BARRIER.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WAITS 3000

static int fd, writes, other;

static void *work(void *first)
{
	if (first)
		other = (int)syscall(SYS_gettid);
	for (int i = 0; i < writes; i++)
		if (pwrite(fd, "12345678", 8, 8 * i) != 8)
			exit(1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 3)
		return 2;
	for (int i = 0; argc > 3 && access(argv[3], F_OK) != 0; i++) {
		if (i == WAITS)
			return 3;
		nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
	}
	fd = open(argv[1], O_CREAT | O_RDWR, 0600);
	writes = atoi(argv[2]);
	if (fd < 0 || pthread_create(&thread, NULL, work, &fd))
		return 1;
	work(NULL);
	pthread_join(thread, NULL);
	printf("%d %d\n", (int)getpid(), other);
	return 0;
}
