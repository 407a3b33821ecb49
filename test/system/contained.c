/* SPDX-License-Identifier: MIT */
/* Two threads that write now and then for some seconds, each call at another offset of a file. */
#include <fcntl.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 150
#define CALLS 40

static int fd;

static void *work(void *data)
{
	long first = *(const long *)data;

	for (int round = 0; round < ROUNDS; round++) {
		nanosleep(&(struct timespec){.tv_nsec = 15000000}, NULL);
		for (int i = 0; i < CALLS; i++)
			if (pwrite(fd, "12345678", 8, first++ * 8) != 8)
				return data;
	}
	return NULL;
}

int main(void)
{
	long first = 0, second = ROUNDS * CALLS;
	pthread_t thread;
	void *failed, *other;

	fd = open("contained.out", O_CREAT | O_RDWR, 0600);
	if (fd < 0 || pthread_create(&thread, NULL, work, &second))
		return 1;
	failed = work(&first);
	pthread_join(thread, &other);
	return failed || other;
}
