/* SPDX-License-Identifier: MIT */
/*
 * functions.c - a program whose functions are called a known number of times: functions CASE.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Compilers make no copies of these, do not inline them and do not leave out calls. */
#define OWN __attribute__((noipa))

OWN int leaf(int n)
{
	return n * 3 + 1;
}

OWN int branch(int n)
{
	return leaf(n) + leaf(n + 1);
}

OWN int tail(int n)
{
	return branch(n + 1);
}

OWN int deep(int n)
{
	int more = n <= 1 ? 0 : deep(n - 1);

	/* no loop is to be made of it */
	__asm__ volatile("" : "+r"(more));
	return more + 1;
}

OWN int written(const char *text)
{
	return (int)write(1, text, strlen(text));
}

OWN int loops(int n)
{
	int sum = 0;

	do
		sum += n;
	while (--n > 0);
	return sum;
}

static int fixed(void)
{
	int sum = 0;

	for (int i = 0; i < 100; i++)
		sum += branch(i);
	for (int i = 0; i < 10; i++)
		sum += tail(i) + loops(100);
	sum += deep(10) + deep(200);
	return written("done\n") + sum > 0 ? 0 : 1;
}

static jmp_buf back;

OWN void jumps(int n)
{
	if (leaf(n))
		longjmp(back, 1);
}

static int left(void)
{
	for (volatile int i = 0; i < 5; i++)
		if (!setjmp(back))
			jumps(i);
	return leaf(1) > 0 ? 0 : 1;
}

OWN void ends(void)
{
	leaf(1);
	_exit(3);
}

OWN void executes(char *const argv[])
{
	execv("/proc/self/exe", argv);
	exit(1);
}

/* On a stack of its own, which lies elsewhere. */
static void handle(int number)
{
	(void)number;
	leaf(2);
}

OWN int signalled(void)
{
	raise(SIGUSR1);
	return leaf(3) + 1;
}

/* Both stacks in one piece, that of handlers above. */
static char stacks[2][256 << 10];

static void *be_signalled(void *unused)
{
	stack_t stack = {.ss_sp = stacks[1], .ss_size = sizeof(stacks[1])};
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	return signalled() > 0 ? unused : stacks;
}

static int on_another_stack(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	void *result;

	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stacks[0], sizeof(stacks[0]));
	if (pthread_create(&thread, &attributes, be_signalled, NULL) ||
	    pthread_join(thread, &result))
		return 1;
	return result ? 1 : 0;
}

static void *call_many(void *unused)
{
	for (int i = 0; i < 250; i++) {
		/* memory comes and goes, while the kernel has to tell where a function is */
		munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
		branch(i);
	}
	return unused;
}

static int threads(void)
{
	pthread_t ids[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&ids[i], NULL, call_many, NULL))
			return 1;
	for (int i = 0; i < 4; i++)
		pthread_join(ids[i], NULL);
	return 0;
}

/* Children that call at once, and others when those have ended. */
static int forks(void)
{
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();

		if (child == 0) {
			branch(i);
			_exit(0);
		}
		waitpid(child, NULL, 0);
		leaf(i);
	}
	return 0;
}

/* Whether somebody has put a breakpoint there. */
static int probed(void)
{
#if defined(__x86_64__)
	return *(volatile unsigned char *)leaf == 0xcc;
#else
	return *(volatile unsigned *)leaf == 0xd4200000 + (5 << 5);
#endif
}

/* Until it is told to end: first what it finds, then what it finds when that has changed. */
static int waits(void)
{
	int before = probed();

	printf("%d\n", before);
	fflush(stdout);
	while (probed() == before)
		usleep(1000);
	printf("%d\n", probed());
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	char *const again[] = {argv[0], "fixed", NULL};

	if (!strcmp(what, "fixed"))
		return fixed();
	if (!strcmp(what, "left"))
		return left();
	if (!strcmp(what, "ends"))
		ends();
	if (!strcmp(what, "executes"))
		executes(again);
	if (!strcmp(what, "deepest"))
		return deep(1000) == 1000 ? 0 : 1;
	if (!strcmp(what, "stack"))
		return on_another_stack();
	if (!strcmp(what, "threads"))
		return threads();
	if (!strcmp(what, "forks"))
		return forks();
	if (!strcmp(what, "probed"))
		return printf("%d\n", probed()) > 0 ? 0 : 1;
	if (!strcmp(what, "waits"))
		return waits();
	return 2;
}
