/* SPDX-License-Identifier: MIT */
/* ends.c - how processes and threads end in order, and what they still do then. */
#include "life.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_t thread_of(void *(*run)(void *), void *argument)
{
	pthread_t thread;

	check(!pthread_create(&thread, NULL, run, argument), "pthread_create");
	return thread;
}

static void at_end(void)
{
	mark("at-end", 2);
}

/* ---- the ways out of a process ---- */

static int end_exit(void)
{
	mark("before", 2);
	atexit(at_end);
	exit(11);
}

static int end_return(void)
{
	mark("before", 2);
	atexit(at_end);
	return 12;
}

static int end__exit(void)
{
	mark("before", 2);
	atexit(at_end);
	_exit(13);
}

static int end_raw_exit(void)
{
	mark("before", 2);
	syscall(SYS_exit_group, 14);
	return 1;
}

static int end_quick_exit(void)
{
	mark("before", 2);
	at_quick_exit(at_end);
	quick_exit(15);
}

static int end_abort(void)
{
	mark("before", 2);
	abort();
}

static void on_abort(int signal)
{
	(void)signal;
	mark("handler", 3);
}

static int end_abort_handler(void)
{
	signal(SIGABRT, on_abort);
	mark("before", 2);
	abort();
}

static jmp_buf back;

static void jump_back(int signal)
{
	mark("handler", 3);
	siglongjmp(back, signal);
}

/* It does not end at all. */
static int end_abort_jump(void)
{
	signal(SIGABRT, jump_back);
	mark("before", 2);
	if (!sigsetjmp(back, 1))
		abort();
	mark("after", 4);
	return 16;
}

/* ---- threads ---- */

static void *exit_now(void *unused)
{
	(void)unused;
	mark("thread", 3);
	exit(17);
}

static int thread_exits(void)
{
	int pipes[2];
	char byte;

	atexit(at_end);
	mark("before", 2);
	pipe(pipes);
	thread_of(exit_now, NULL);
	read(pipes[0], &byte, 1);
	return 1;
}

static void *mark_forever(void *name)
{
	for (;;)
		mark(name, 1);
	return NULL;
}

static int return_with_threads(void)
{
	static char *names[] = {"t0", "t1", "t2"};

	for (int i = 0; i < 3; i++)
		thread_of(mark_forever, names[i]);
	for (int i = 0; i < 3; i++)
		await_marks(names[i], 100);
	mark("main", 2);
	return 18;
}

static int _exit_with_threads(void)
{
	return_with_threads();
	_exit(18);
}

static void *mark_later(void *unused)
{
	(void)unused;
	usleep(200000);
	mark("thread", 3);
	return NULL;
}

static int main_pthread_exit(void)
{
	atexit(at_end);
	mark("before", 2);
	thread_of(mark_later, NULL);
	pthread_exit(NULL);
}

/* exit() while another thread is in exit() already, or in its handlers. */
static void end_slowly(void)
{
	mark("at-end", 1);
	usleep(100000);
	mark("at-end", 1);
}

static int thread_marks_in_exit(void)
{
	atexit(end_slowly);
	thread_of(mark_forever, "t0");
	await_marks("t0", 10);
	return 19;
}

static int pipes[2];

static void cleanup(void *unused)
{
	(void)unused;
	mark("cleanup", 3);
}

static pthread_key_t key;

static void specific_gone(void *value)
{
	mark("specific", 1);
	if (value < (void *)3)
		pthread_setspecific(key, (char *)value + 1);
}

static void *read_forever(void *unused)
{
	char byte;

	(void)unused;
	pthread_setspecific(key, (void *)1);
	pthread_cleanup_push(cleanup, NULL);
	mark("thread", 3);
	read(pipes[0], &byte, 1);
	pthread_cleanup_pop(0);
	return NULL;
}

/* Cancelled inside of read(): cleanup handlers and later destructors of its data still mark. */
static int thread_cancelled(void)
{
	void *result;

	pthread_key_create(&key, specific_gone);
	pipe(pipes);
	for (int i = 0; i < 5; i++) {
		pthread_t thread = thread_of(read_forever, NULL);

		await_marks("thread", 3 * i + 3);
		usleep(20000);
		pthread_cancel(thread);
		pthread_join(thread, &result);
		check(result == PTHREAD_CANCELED, "pthread_join");
	}
	mark("after", 1);
	return 0;
}

/* Cancellation at a random moment of a thread that does nothing but call. */
static int thread_cancelled_busy(void)
{
	void *result;

	for (int i = 0; i < 50; i++) {
		pthread_t thread = thread_of(mark_forever, "t0");

		await_marks("t0", i);
		usleep((unsigned)(i * 37 % 500));
		pthread_cancel(thread);
		pthread_join(thread, &result);
		check(result == PTHREAD_CANCELED, "pthread_join");
	}
	mark("after", 1);
	return 0;
}

static void *raw_end(void *unused)
{
	(void)unused;
	mark("thread", 3);
	syscall(SYS_exit, 0);
	return NULL;
}

/* A thread that ends behind the back of libc. */
static int thread_raw_exit(void)
{
	thread_of(raw_end, NULL);
	await_marks("thread", 3);
	usleep(50000);
	mark("after", 1);
	return 0;
}

/* ---- plug-ins ---- */

static int plugged(int flags)
{
	void *plug;
	void (*work)(void);

	mark("before", 2);
	for (int i = 0; i < 3; i++) {
		plug = dlopen(getenv("LIFE_PLUG"), flags);
		check(plug, "dlopen");
		*(void **)&work = dlsym(plug, "plug_work");
		check(work, "dlsym");
		work();
		check(!dlclose(plug), "dlclose");
		mark("between", 1);
	}
	return 0;
}

static int plug_lazy(void)
{
	return plugged(RTLD_LAZY | RTLD_LOCAL);
}

static int plug_deep(void)
{
	return plugged(RTLD_NOW | RTLD_DEEPBIND);
}

/* Is gone when the process ends only. */
static int plug_kept(void)
{
	check(dlopen(getenv("LIFE_PLUG"), RTLD_NOW), "dlopen");
	mark("before", 2);
	return 0;
}

static int plug_preloaded(void)
{
	mark("before", 2);
	return 0;
}

/* ---- before and after main ---- */

static bool is_bracket(int argc, char **argv)
{
	return argc == 2 && !strcmp(argv[1], "bracket");
}

static bool bracketed;

__attribute__((constructor)) static void first(int argc, char **argv)
{
	bracketed = is_bracket(argc, argv);
	if (bracketed)
		mark("constructor", 2);
}

__attribute__((destructor)) static void last(void)
{
	if (bracketed)
		mark("destructor", 3);
}

static void on_end(int status, void *unused)
{
	(void)unused;
	check(status == 20, "status of on_exit()");
	mark("on-exit", 1);
}

static int bracket(void)
{
	mark("before", 2);
	on_exit(on_end, NULL);
	return 20;
}

/* A child forked by a handler at the end. */
static void fork_at_end(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		mark("child", 3);
		_exit(0);
	}
	await_child(pid, 0);
	mark("at-end", 2);
}

static int fork_in_atexit(void)
{
	atexit(fork_at_end);
	mark("before", 2);
	return 0;
}

const struct life_case ends[] = {
	{"end_exit", end_exit},
	{"end_return", end_return},
	{"end__exit", end__exit},
	{"end_raw_exit", end_raw_exit},
	{"end_quick_exit", end_quick_exit},
	{"end_abort", end_abort},
	{"end_abort_handler", end_abort_handler},
	{"end_abort_jump", end_abort_jump},
	{"thread_exits", thread_exits},
	{"return_with_threads", return_with_threads},
	{"_exit_with_threads", _exit_with_threads},
	{"main_pthread_exit", main_pthread_exit},
	{"thread_marks_in_exit", thread_marks_in_exit},
	{"thread_cancelled", thread_cancelled},
	{"thread_cancelled_busy", thread_cancelled_busy},
	{"thread_raw_exit", thread_raw_exit},
	{"plug_lazy", plug_lazy},
	{"plug_deep", plug_deep},
	{"plug_kept", plug_kept},
	{"plug_preloaded", plug_preloaded},
	{"bracket", bracket},
	{"fork_in_atexit", fork_in_atexit},
	{NULL, NULL},
};
