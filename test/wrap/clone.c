/* SPDX-License-Identifier: MIT */
/*
 * clone.c - children by clone(), which run beside their parent, in its memory and on its thread-local storage, or in its place.
 *
 * clone FLAGS CALLS [raw|vfork|turns]: the child writes a file CALLS times, as its parent does meanwhile or then. The child's file is child, the parent's parent.
 * vfork: now and then the parent vforks a child that closes what is open.
 * turns: the parent opens when the child has opened, and the child writes when the parent has opened: each has a file of the same number. What the
 * parent had open before is another file in the parent meanwhile, and the child writes to it, too: once, to the file inherited.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_SIZE (1 << 20)

static int calls;
static int inherited = -1;

static int turns;
static atomic_int turn; /* whose it is */

static void take_turn(int number)
{
	while (atomic_load(&turn) != number)
		sched_yield();
}

static void give_turn(int number)
{
	atomic_store(&turn, number);
}

/* A child that closes what is its own. */
static int vfork_and_close(int file)
{
	int status;
	pid_t pid = vfork();

	if (pid == 0) {
		close(file);
		_exit(0);
	}
	return waitpid(pid, &status, 0) == pid ? status : 1;
}

static int write_byte(int file, int offset)
{
	char byte = 0;

	return pwrite(file, &byte, 1, offset) == 1;
}

static int write_file(int file, int vforks)
{
	for (int i = 0; i < calls; i++)
		if (!write_byte(file, i % 100) ||
		    (vforks && i % vforks == 0 && vfork_and_close(file)))
			return 1;
	return close(file) == 0 ? 0 : 1;
}

static int write_all(const char *name, int vforks)
{
	return write_file(open(name, O_RDWR | O_CREAT, 0600), vforks);
}

static int child_in_turns(const char *name)
{
	int file = open(name, O_RDWR | O_CREAT, 0600);

	give_turn(1);
	take_turn(2);
	return !write_byte(inherited, 0) || write_file(file, 0);
}

static int parent_in_turns(const char *name)
{
	int file;

	take_turn(1);
	file = open(name, O_RDWR | O_CREAT, 0600);
	if (dup2(file, inherited) != inherited)
		return 1;
	give_turn(2);
	return write_file(file, 0);
}

static int child(void *name)
{
	_exit(turns ? child_in_turns(name) : write_all(name, 0));
}

#ifdef __x86_64__
/* The child returns from the system call to what lies on top of its stack. */
static void child_alone(void)
{
	child("child");
}

static pid_t clone_raw(int flags, char *end)
{
	void (**top)(void) = (void (**)(void))(((uintptr_t)end - 256) & ~(uintptr_t)15);

	*top = child_alone;
	return (pid_t)syscall(SYS_clone, (long)flags, top, NULL, NULL, NULL);
}
#else
static pid_t clone_raw(int flags, char *end)
{
	return clone(child, end, flags, "child");
}
#endif

int main(int argc, char **argv)
{
	char *stack = malloc(STACK_SIZE);
	int status = 0, failed, flags, vforks_every = 0;
	pid_t pid;

	if (argc < 3 || !stack)
		return 2;
	flags = (int)strtol(argv[1], NULL, 16);
	calls = atoi(argv[2]);
	if (argc > 3 && !strcmp(argv[3], "vfork"))
		vforks_every = 1000;
	turns = argc > 3 && !strcmp(argv[3], "turns");
	if (turns)
		inherited = open("inherited", O_RDWR | O_CREAT, 0600);
	pid = argc > 3 && !strcmp(argv[3], "raw")
		      ? clone_raw(flags, stack + STACK_SIZE)
		      : clone(child, stack + STACK_SIZE, flags, "child");
	failed = turns ? parent_in_turns("parent") : write_all("parent", vforks_every);
	if (pid == -1 || failed || waitpid(pid, &status, __WALL) != pid || status != 0)
		return 1;
	return write_all("after", 0);
}
