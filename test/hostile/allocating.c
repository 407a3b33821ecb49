/* SPDX-License-Identifier: MIT */
/*
 * allocating.c - a program that allocates in all that it does, from before main() until after its handlers of exit(): in threads
 * that begin and end, beside others that load libraries, in children.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HANDLERS 70 /* libc allocates for them: room for 32 at a time */

static void allocate(unsigned count)
{
	for (unsigned i = 1; i <= count; i++)
		free(realloc(strdup("some text"), i * 100));
}

static void at_end(void)
{
	allocate(1);
}

/* Handlers are there in any number when the first call is recorded. */
__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("HANDLERS");

	for (int i = text ? atoi(text) : HANDLERS; i > 0; i--)
		atexit(at_end);
}

static void *work(void *data)
{
	allocate(50);
	return data;
}

/* Holds the loader's lock while it allocates. */
static void *load(void *data)
{
	for (int i = 0; i < 50; i++) {
		void *library = dlopen("libm.so.6", RTLD_NOW);

		dlsym(library, "no such symbol");
		dlclose(library);
	}
	return data;
}

static int child(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		allocate(20);
		setenv("CHILD", "1", 1);
		execl("/proc/self/exe", "allocating", "child", NULL);
		_exit(9);
	}
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

int main(int argc, char **argv)
{
	pthread_t threads[8];

	allocate(10);
	if (argc > 1) {
		printf("%s: %s\n", argv[1], getenv("CHILD"));
		return 0;
	}
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, i % 2 ? load : work, NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	setenv("PARENT", "1", 1);
	printf("child %d\n", child());
	return 5;
}
