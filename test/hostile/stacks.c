/* SPDX-License-Identifier: MIT */
/* stacks.c - many threads and small stacks; many file names; functions of libc that the program defines itself. */
#include "hostile.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

static int fd;

static void *work(void *data)
{
	(void)data;
	puts_many(fd, 20);
	return NULL;
}

static void start(pthread_t *thread)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
	if (pthread_create(thread, &attributes, work, NULL))
		abort();
	pthread_attr_destroy(&attributes);
}

static int in_turn(void)
{
	pthread_t thread;

	for (int i = 0; i < 10000; i++) {
		start(&thread);
		pthread_join(thread, NULL);
	}
	return 0;
}

static int at_once(void)
{
	static pthread_t threads[500];

	for (int i = 0; i < 500; i++)
		start(&threads[i]);
	for (int i = 0; i < 500; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static void handler(int signal)
{
	(void)signal;
	puts_many(fd, 20);
}

/* A guard page behind it: who needs more faults. */
static int alternate(void)
{
	size_t size = ((size_t)MINSIGSTKSZ + 4095) & ~(size_t)4095;
	char *area =
		mmap(NULL, size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t stack = {.ss_sp = area + 4096, .ss_size = size};
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};

	mprotect(area, 4096, PROT_NONE);
	if (sigaltstack(&stack, NULL) || sigaction(SIGUSR1, &action, NULL))
		return 8;
	for (int i = 0; i < 1000; i++)
		raise(SIGUSR1);
	return 0;
}

static long resident_kib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* Each open another name: the recorder's memory is bounded. */
static int names(void)
{
	long before;
	char path[64];

	put(fd, 0);
	before = resident_kib();
	for (int i = 0; i < 100000; i++) {
		snprintf(path, sizeof(path), "/dev/../proc/none/%d", i);
		if (i % 10 == 0)
			snprintf(path, sizeof(path), "names.%d", i);
		int opened = open(path, O_RDWR | O_CREAT, 0600);

		if (opened == -1)
			continue;
		put(opened, 0);
		close(opened);
		unlink(path);
	}
	printf("grown %s\n", resident_kib() - before < 16 << 10 ? "little" : "much");
	return 0;
}

int main(int argc, char **argv)
{
	static const struct hostile_case cases[] = {
		{"in_turn", in_turn},
		{"at_once", at_once},
		{"alternate", alternate},
		{"names", names},
	};
	int status;

	if (argc < 2)
		return 2;
	fd = open("file", O_RDWR | O_CREAT, 0600);
	status = RUN_CASE(cases, argv[1]);
	puts("over");
	report(REPORT);
	return status;
}
