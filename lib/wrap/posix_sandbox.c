/* SPDX-License-Identifier: MIT */
/*
 * posix_sandbox.c - prctl, which is passed on, and syscall, which is recorded as what it calls. A seccomp filter that they install is
 * noticed.
 *
 * Both are variadic in the headers. Here they take what libc's own take: registers, and one word of the caller's stack.
 */
#include "wrap/wrapper.h"

#include <dlfcn.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include "record/sandbox.h"
#include "record/sharing.h"
#include "wrap/posix_syscall.h"

typedef int prctl_fn(int option, unsigned long a, unsigned long b, unsigned long c,
		     unsigned long d);

static prctl_fn *next_prctl;
static syscall_function *next_syscall;

static __attribute__((noinline)) void *find(const char *name)
{
	int saved = errno;
	void *next;

	runtime_enter();
	next = dlsym(RTLD_NEXT, name);
	runtime_leave();
	errno = saved;
	return next;
}

/* Not at the first call: that may come in a signal handler, or in a sandbox. */
__attribute__((constructor)) static void find_both(void)
{
	next_prctl = find("prctl");
	next_syscall = find("syscall");
}

/* What is taken from the process; TAKES_CLOCK: calls and the time stamp counter. */
enum taken { TAKES_NOTHING, TAKES_CALLS, TAKES_CLOCK };

static enum taken taken_by_prctl(long option, long a)
{
	if (option == PR_SET_SECCOMP)
		return a == SECCOMP_MODE_STRICT ? TAKES_CLOCK : TAKES_CALLS;
	return option == PR_SET_TSC && a == PR_TSC_SIGSEGV ? TAKES_CLOCK : TAKES_NOTHING;
}

static enum taken taken_by_syscall(long number, long a, long b)
{
	if (number == SYS_seccomp && a == SECCOMP_SET_MODE_STRICT)
		return TAKES_CLOCK;
	if (number == SYS_seccomp && a == SECCOMP_SET_MODE_FILTER)
		return TAKES_CALLS;
	return number == SYS_prctl ? taken_by_prctl(a, b) : TAKES_NOTHING;
}

static void taken_or_not(bool entered, enum taken taken, bool failed)
{
	if (!failed)
		sandbox_entered(taken == TAKES_CLOCK);
	else if (entered)
		sandbox_leave();
}

WRAPPER int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	prctl_fn *next = next_prctl ? next_prctl : (prctl_fn *)find("prctl");
	enum taken taken = taken_by_prctl(option, (long)a);
	bool entered = taken && sandbox_enter();
	int result = next(option, a, b, c, d);

	if (taken)
		taken_or_not(entered, taken, result == -1);
	return result;
}

/* With SECCOMP_FILTER_FLAG_TSYNC a positive result is the thread that could not follow: nothing is installed. */
static bool has_failed(long number, long b, long result)
{
	return result == -1 ||
	       (number == SYS_seccomp && result > 0 && !(b & SECCOMP_FILTER_FLAG_NEW_LISTENER));
}

static __attribute__((noinline)) long install(syscall_function *next, long number, long a, long b,
					      long c, long d, long e, long f)
{
	bool entered = sandbox_enter();
	long result = next(number, a, b, c, d, e, f);

	taken_or_not(entered, taken_by_syscall(number, a, b), has_failed(number, b, result));
	return result;
}

syscall_function *syscall_next(void)
{
	return next_syscall ? next_syscall : (syscall_function *)find("syscall");
}

/* What is not recorded passes by a jump, without a frame of ours: a child may return from it on another stack. */
WRAPPER long syscall(long number, long a, long b, long c, long d, long e, long f)
{
	syscall_function *next = syscall_next();
	record_function *record = syscall_record_of(number);

	if (taken_by_syscall(number, a, b))
		return install(next, number, a, b, c, d, e, f);
	if (number == SYS_clone)
		sharing_unseen((int)a);
	if (record)
		return record(next, CALL_SITE, a, b, c, d, e, f);
	return next(number, a, b, c, d, e, f);
}
