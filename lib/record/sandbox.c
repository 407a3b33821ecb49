/* SPDX-License-Identifier: MIT */
/* sandbox.c - entering and leaving the state without system calls. */
#include "record/sandbox.h"

#include <errno.h>
#include <string.h>

#include "record/clock.h"
#include "record/ending.h"
#include "record/function.h"
#include "record/open_calls.h"
#include "record/ring.h"
#include "record/selection.h"
#include "record/sharing.h"
#include "record/sys.h"
#include "record/variables.h"

/* Of a thread that is about to give up system calls, perhaps its clock as well: where that one ends. */
static __thread uint64_t last_ticks __attribute__((tls_model("initial-exec")));

static bool without_time;

/* What programs are told that it starts; 1 until it is known that the filter is there. */
static char enable[] = "RECORDER_ENABLE=1", disable[] = "RECORDER_ENABLE=0";

/* Unless the thread has given its clock up already. */
static void note_time(void)
{
	last_ticks = thread_mode(sharing_self()) == THREAD_NONE ? 0 : clock_ticks();
}

bool sandbox_enter(void)
{
	int saved = errno;

	note_time();
	if (sandbox_active())
		return false;
	if (ending_seal("seccomp")) {
		ring_reserve_all();
		symbol_resolve_plain();
		variable_put(enable);
		sys_forbidden = true;
	} else {
		sys_forbidden_here = true;
	}
	errno = saved;
	return true;
}

/* What a thread has in flight ends where its clock does, and it records nothing more. Not what a signal handler has interrupted in the recorder. */
static void end_with_clock(struct thread *thread)
{
	if (!thread || thread_mode(thread) != THREAD_ACTIVE || !thread_is_idle(thread))
		return;
	thread_set_busy(thread);
	call_drop_all_at(thread, last_ticks);
	thread_set_mode(thread, THREAD_NONE);
	thread_set_idle(thread);
}

void sandbox_entered(bool without_clock)
{
	struct thread *thread = sharing_self();

	if (sys_forbidden_here)
		return;
	enable[sizeof(enable) - 2] = '0';
	if (!without_clock && !clock_is_monotonic)
		return;
	without_time = true;
	selection_none();
	end_with_clock(thread->spare);
	end_with_clock(thread);
}

void sandbox_leave(void)
{
	sys_forbidden = sys_forbidden_here = false;
}

void sandbox_child_left(void)
{
	sys_forbidden_here = false;
}

bool sandbox_active(void)
{
	return sys_forbidden | sys_forbidden_here;
}

bool sandbox_has_clock(void)
{
	return !without_time;
}

size_t sandbox_environment_size(char *const environment[])
{
	size_t count = 0;

	while (environment && environment[count])
		count++;
	return (count + 2) * sizeof(*environment);
}

char *const *sandbox_environment(char *const environment[], char **copy)
{
	size_t count = 0;

	if (!environment)
		return environment;
	for (; *environment; environment++)
		if (strncmp(*environment, disable, sizeof(disable) - 2) != 0)
			copy[count++] = *environment;
	copy[count++] = disable;
	copy[count] = NULL;
	return copy;
}
