/* SPDX-License-Identifier: MIT */
/*
 * posix_clone.c - the wrappers of what makes a process of this one: fork, vfork and clone.
 *
 * fork is recorded by the parent alone: the open record lies in a ring that is the parent's. The child begins a stream of its own. What a child in its
 * parent's memory does is the parent's while that waits for it (vfork, CLONE_VFORK): its calls lie in the one that made it. One that runs beside its parent has
 * its thread-local storage to share (record/sharing.h). Any other begins a stream of its own.
 */
#include "wrap/wrapper.h"

#include <sched.h>
#include <stdarg.h>
#include <sys/types.h>
#include <unistd.h>

#include "record/descriptors.h"
#include "record/lifecycle.h"
#include "record/modules.h"
#include "record/pushed.h"
#include "record/sandbox.h"
#include "record/sharing.h"
#include "record/sys.h"
#include "record/workdir.h"
#include "wrap/posix_records.h"
#include "wrap/vfork.h"

typedef int clone_function(int (*)(void *), void *, int, void *, ...);

/* The child is about to be, with a stream of its own or as a guest. */
static void fork_start(struct call *call)
{
	modules_forking();
	pushed_start(call);
}

/* In the parent, which goes on. */
static void fork_stop(struct call *call, pid_t pid)
{
	pushed_stop(call);
	result_int(call, pid, pid == -1);
	pushed_leave(call);
}

pid_t fork_record(fork_function *next, unsigned function, uintptr_t site)
{
	struct call call;
	bool recorded = pushed_enter(&call, function, 0, site);
	pid_t pid;

	if (recorded)
		fork_start(&call);
	pid = next();
	if (pid == 0)
		lifecycle_forked_child();
	else if (recorded)
		fork_stop(&call, pid);
	return pid;
}

WRAPPER pid_t fork(void)
{
	return fork_record(function_next(SYM_fork), FN_fork, CALL_SITE);
}

WRAPPER pid_t __fork(void)
{
	return fork_record(function_next(SYM___fork), FN_fork, CALL_SITE);
}

WRAPPER pid_t _Fork(void)
{
	return fork_record(function_next(SYM__Fork), FN__Fork, CALL_SITE);
}

/* A child that its parent waits for. */
static void child_begins(int flags)
{
	descriptors_child_begins();
	sharing_vfork(flags);
}

/* The call's record stays open around those of the child, under a frame address that no unwinding of the stack passes. Returns their level. */
static uint32_t stay_open(struct call *call)
{
	call->thread->calls[call->record->level].frame = UINTPTR_MAX;
	pushed_start(call);
	return call->thread->level;
}

/* In the parent, when the child is gone; it may have been killed in the middle of a call. */
static void child_left(pid_t pid, uint32_t level)
{
	struct call call;

	sandbox_child_left();
	workdir_child_left();
	descriptors_child_left();
	if (level == 0)
		return;
	call.thread = sharing_self();
	call.record = call_open_record(call.thread, level - 1);
	pushed_stop(&call);
	call.thread->calls[level - 1].frame = (uintptr_t)&call;
	for (uint32_t i = level; i < call.thread->level; i++)
		call.thread->calls[i].frame = (uintptr_t)&call - 1; /* left, with the child */
	result_int(&call, pid, pid == -1);
	pushed_leave(&call);
}

uint32_t vfork_enter(uintptr_t site)
{
	struct call call;

	child_begins(CLONE_VM | CLONE_VFORK);
	return pushed_enter(&call, FN_vfork, 0, site) ? stay_open(&call) : 0;
}

pid_t vfork_leave(long pid, uint32_t level)
{
	if (sys_is_error(pid)) {
		errno = (int)-pid;
		pid = -1;
	}
	child_left((pid_t)pid, level);
	return (pid_t)pid;
}

/* What clone() was called with. */
struct cloning {
	clone_function *next;
	int (*start)(void *);
	void *stack;
	int flags;
	void *argument;
	void *parent_tid, *tls, *child_tid;
	uintptr_t site;
};

static pid_t really_clone(const struct cloning *cloning)
{
	return cloning->next(cloning->start, cloning->stack, cloning->flags, cloning->argument,
			     cloning->parent_tid, cloning->tls, cloning->child_tid);
}

static bool enter(struct call *call, const struct cloning *cloning)
{
	if (!pushed_enter(call, FN_clone, 1, cloning->site))
		return false;
	arg_int(call, 0, cloning->flags);
	return true;
}

/* The parent waits until the child ends or is another program. */
static pid_t clone_waiting(const struct cloning *cloning)
{
	struct call call;
	uint32_t level;
	pid_t pid;

	child_begins(cloning->flags);
	level = enter(&call, cloning) ? stay_open(&call) : 0;
	pid = really_clone(cloning);
	child_left(pid, level);
	return pid;
}

static pid_t clone_beside(const struct cloning *cloning)
{
	struct sharing sharing;
	struct call call;
	bool recorded = enter(&call, cloning);
	pid_t pid;

	if (recorded)
		fork_start(&call);
	sharing = sharing_begin(cloning->flags);
	pid = really_clone(cloning);
	sharing_began(&sharing, pid);
	if (recorded)
		fork_stop(&call, pid);
	return pid;
}

/* The last three are not always there, and then not looked at: what the caller has in their places is handed on, as libc's own clone() does. */
WRAPPER int clone(int (*start)(void *), void *stack, int flags, void *argument, ...)
{
	struct cloning cloning = {function_next(SYM_clone),
				  start,
				  stack,
				  flags,
				  argument,
				  NULL,
				  NULL,
				  NULL,
				  CALL_SITE};
	const int waits = CLONE_VM | CLONE_VFORK;
	va_list rest;

	va_start(rest, argument);
	cloning.parent_tid = va_arg(rest, void *);
	cloning.tls = va_arg(rest, void *);
	cloning.child_tid = va_arg(rest, void *);
	va_end(rest);
	if ((flags & (waits | CLONE_SETTLS)) == waits)
		return clone_waiting(&cloning);
	return clone_beside(&cloning);
}
