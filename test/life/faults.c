/* SPDX-License-Identifier: MIT */
/* faults.c - signals that end the process, and handlers of its own for them. */
#include "life.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static char *volatile bad; /* an address that faults */
static volatile sig_atomic_t wanted_code;

static void *page(int protection)
{
	return mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* A page of a file that ends before it. */
static char *beyond_end(void)
{
	int fd = open("short", O_CREAT | O_RDWR, 0600);

	return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

/* ---- default actions ---- */

static int default_segv(void)
{
	mark("before", 2);
	*(volatile char *)page(PROT_NONE) = 1;
	return 1;
}

static int default_bus(void)
{
	mark("before", 2);
	*(volatile char *)beyond_end() = 1;
	return 1;
}

static int default_by(int signal)
{
	mark("before", 2);
	kill(getpid(), signal);
	return 1;
}

static int default_term(void)
{
	return default_by(SIGTERM);
}

static int default_kill(void)
{
	return default_by(SIGKILL);
}

/* One thread faults while three others write. */
static void *mark_forever(void *name)
{
	for (;;)
		mark(name, 1);
	return NULL;
}

static int default_segv_threads(void)
{
	static char *names[] = {"t0", "t1", "t2"};
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, mark_forever, names[i]);
	for (int i = 0; i < 3; i++)
		await_marks(names[i], 100);
	return default_segv();
}

/* ---- handlers of the program ---- */

static void on_fault(int signal, siginfo_t *info, void *context)
{
	check(info->si_signo == signal, "si_signo");
	check(info->si_code == wanted_code, "si_code");
	check(info->si_addr == bad, "si_addr");
	check(context, "ucontext");
	mark("handler", 3);
	_exit(42);
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO | flags};

	action.sa_sigaction = handler;
	sigaction(signal, &action, NULL);
}

static int handled_segv(void)
{
	bad = page(PROT_NONE);
	wanted_code = SEGV_ACCERR;
	handle(SIGSEGV, on_fault, 0);
	mark("before", 2);
	*(volatile char *)bad = 1;
	return 1;
}

static int handled_bus(void)
{
	bad = beyond_end();
	wanted_code = BUS_ADRERR;
	handle(SIGBUS, on_fault, 0);
	mark("before", 2);
	*(volatile char *)bad = 1;
	return 1;
}

static void on_fault_mend(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	check(info->si_addr == bad, "si_addr");
	mark("handler", 1);
	mprotect(bad, 4096, PROT_READ | PROT_WRITE);
}

/* The handler mends the page and the program goes on, five times. */
static int handled_segv_mended(void)
{
	handle(SIGSEGV, on_fault_mend, 0);
	for (int i = 0; i < 5; i++) {
		bad = page(PROT_NONE);
		*(volatile char *)bad = 1;
		mark("after", 1);
	}
	return 0;
}

/* Handles once and then dies of it, as crash reporters do. */
static void on_fault_again(int number, siginfo_t *info, void *context)
{
	(void)info;
	(void)context;
	mark("handler", 3);
	signal(number, SIG_DFL);
	raise(number);
}

static int handled_segv_reraised(void)
{
	handle(SIGSEGV, on_fault_again, 0);
	return default_segv();
}

static void on_term(int signal, siginfo_t *info, void *context)
{
	(void)context;
	check(signal == SIGTERM && info->si_code == SI_USER && info->si_pid == getpid(), "siginfo");
	mark("handler", 3);
	exit(43);
}

static int handled_term(void)
{
	handle(SIGTERM, on_term, 0);
	return default_by(SIGTERM);
}

static void on_overflow(int signal, siginfo_t *info, void *context)
{
	(void)info;
	(void)context;
	mark("handler", 3);
	_exit(signal);
}

static __attribute__((noinline)) int deeper(volatile char *above)
{
	volatile char room[4096];

	room[0] = above[0];
	return deeper(room) + room[1];
}

static int handled_overflow(void)
{
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	volatile char start[1] = {0};

	sigaltstack(&stack, NULL);
	handle(SIGSEGV, on_overflow, SA_ONSTACK);
	mark("before", 2);
	return deeper(start);
}

static sigjmp_buf back;

static void on_alarm_jump(int signal)
{
	mark("handler", 1);
	siglongjmp(back, signal);
}

/* A handler leaves read() for good, five times; the last time on a stack of its own. */
static int jumped_out_of_read(void)
{
	struct itimerval soon = {{0, 0},
				 {0, 150000}}; /* by then it is in read(), on a busy machine, too */
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	struct sigaction action = {.sa_handler = on_alarm_jump};
	int pipes[2];
	char byte;

	pipe(pipes);
	sigaltstack(&stack, NULL);
	for (volatile int i = 0; i < 5; i++) {
		action.sa_flags = i == 4 ? SA_ONSTACK : 0;
		sigaction(SIGALRM, &action, NULL);
		if (!sigsetjmp(back, 1)) {
			setitimer(ITIMER_REAL, &soon, NULL);
			read(pipes[0], &byte, 1);
		}
		mark("after", 1);
	}
	return 0;
}

const struct life_case faults[] = {
	{"default_segv", default_segv},
	{"default_bus", default_bus},
	{"default_term", default_term},
	{"default_kill", default_kill},
	{"default_segv_threads", default_segv_threads},
	{"handled_segv", handled_segv},
	{"handled_bus", handled_bus},
	{"handled_segv_mended", handled_segv_mended},
	{"handled_segv_reraised", handled_segv_reraised},
	{"handled_term", handled_term},
	{"handled_overflow", handled_overflow},
	{"jumped_out_of_read", jumped_out_of_read},
	{NULL, NULL},
};
