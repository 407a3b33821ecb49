/* SPDX-License-Identifier: MIT */
/*
 * steps.c - a short program with a bit of everything that makes the recorder call the system: files, a second thread, a child
 * that ends and one that becomes another program, a failing exec. It prints what each step gave, and exits with 7.
 *
 * steps WRITES: that many writes in each of the two threads.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned writes;

static void *write_file(void *name)
{
	uint64_t state = (uintptr_t)name & 1, good = 0;
	int fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);

	for (uint64_t i = 0; i < writes; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		good += pwrite(fd, &i, 8, (off_t)(state >> 48)) == 8;
	}
	close(fd);
	return (void *)(uintptr_t)good;
}

static int wait_for(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return status;
}

static void end_child(void)
{
	write_file((void *)"of-child");
	_exit(3);
}

int main(int argc, char **argv)
{
	char *const program[] = {"true", NULL};
	struct stat status = {0};
	void *good = NULL;
	pthread_t thread;
	pid_t child;
	int fd;

	writes = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
	if (pthread_create(&thread, NULL, write_file, (void *)"of-thread"))
		return 1;
	printf("writes %zu\n", (size_t)write_file((void *)"of-main"));
	pthread_join(thread, &good);
	printf("thread %zu\n", (size_t)good);
	printf("stat %d", stat("of-main", &status));
	printf(" %lld\n", (long long)status.st_size);
	fd = open("of-none", O_RDONLY);
	printf("none %d\n", fd);
	fd = open("of-main", O_RDONLY);
	printf("number %d\n", fd);
	printf("rename %d\n", rename("of-thread", "of-other"));
	fflush(stdout);
	child = fork();
	if (child == 0)
		end_child();
	printf("child %x\n", (unsigned)wait_for(child));
	fflush(stdout);
	child = fork();
	if (child == 0) {
		execv("/nonexistent", program);
		execv("/bin/true", program);
		_exit(4);
	}
	printf("program %x\n", (unsigned)wait_for(child));
	printf("umask %o\n", (unsigned)umask(077));
	fflush(stdout);
	return 7;
}
