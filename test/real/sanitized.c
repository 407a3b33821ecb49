/* SPDX-License-Identifier: MIT */
/*
 * Built with a sanitizer and traced: files, threads, fork and exec that are in order, then the
 * mistake that the argument names.
 *
 *	sanitized none|overflow|read|leak|freed|race
 */
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define WRITES 100

extern char **environ;

static volatile int shared[WRITES]; /* many places, as a sanitizer may miss one */
static int adding;
static char *volatile lost;

/* WRITES blocks by pwrite, and back by read. */
static int copy_blocks(const char *name)
{
	int fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0644), sum = 0, value;

	for (int i = 0; i < WRITES; i++)
		if (pwrite(fd, &i, sizeof(i), (off_t)i * (off_t)sizeof(i)) != sizeof(i))
			abort();
	while (read(fd, &value, sizeof(value)) == sizeof(value))
		sum += value;
	close(fd);
	return sum;
}

static void *in_thread(void *argument)
{
	char name[32];

	snprintf(name, sizeof(name), "thread.%d", *(int *)argument);
	if (copy_blocks(name) != WRITES * (WRITES - 1) / 2)
		abort();
	return NULL;
}

static void use_threads(void)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];

	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		if (pthread_create(&threads[i], NULL, in_thread, &numbers[i]))
			abort();
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void use_stdio(void)
{
	FILE *file = fopen("text", "w+");
	char line[64];

	for (int i = 0; i < WRITES; i++)
		fprintf(file, "line %d\n", i);
	rewind(file);
	while (fgets(line, sizeof(line), file))
		if (strncmp(line, "line ", 5) != 0)
			abort();
	fclose(file);
}

/* Status of the child, which must have ended by itself. */
static int wait_for(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		abort();
	return WEXITSTATUS(status);
}

static void use_processes(void)
{
	char *argv[] = {"cat", "thread.0", NULL};
	posix_spawn_file_actions_t actions;
	pid_t child = fork();

	if (child == 0)
		exit(copy_blocks("forked") == WRITES * (WRITES - 1) / 2 ? 3 : 4);
	printf("forked: %d\n", wait_for(child));
	child = vfork();
	if (child == 0) {
		execlp("cat", "cat", "text", "no-such-file", (char *)NULL);
		_exit(127);
	}
	printf("vforked: %d\n", wait_for(child));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "spawned", O_CREAT | O_WRONLY, 0644);
	if (posix_spawnp(&child, "cat", &actions, NULL, argv, environ))
		abort();
	posix_spawn_file_actions_destroy(&actions);
	printf("spawned: %d\n", wait_for(child));
	printf("system: %d\n", WEXITSTATUS(system("exit 7")));
}

/* Both threads are there before either begins; relaxed, as that orders nothing that a sanitizer knows of. */
static void *add(void *unused)
{
	(void)unused;
	__atomic_fetch_add(&adding, 1, __ATOMIC_RELAXED);
	while (__atomic_load_n(&adding, __ATOMIC_RELAXED) < 2)
		;
	for (int i = 0; i < WRITES; i++)
		shared[i]++;
	return NULL;
}

static void make_race(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, add, NULL);
	add(NULL);
	pthread_join(thread, NULL);
}

static void make_mistake(const char *which)
{
	volatile size_t behind = 12;
	char *block = calloc(1, 10);
	int fd = open("text", O_RDONLY);

	memset(block, 'b', 9);
	if (!strcmp(which, "overflow"))
		block[behind] = 'x';
	else if (!strcmp(which, "read") && read(fd, block, behind) < 0)
		abort();
	else if (!strcmp(which, "leak"))
		lost = malloc(4321);
	else if (!strcmp(which, "race"))
		make_race();
	lost = NULL;
	free(block);
	if (!strcmp(which, "freed") && !access(block, F_OK))
		abort();
	close(fd);
}

int main(int argc, char **argv)
{
	use_stdio();
	use_threads();
	use_processes();
	fflush(stdout);
	make_mistake(argc > 1 ? argv[1] : "none");
	puts("done");
	return 5;
}
