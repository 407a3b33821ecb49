/* SPDX-License-Identifier: MIT */
/* sandbox.c - entering and leaving the state without system calls. */
#include "record/sandbox.h"

#include <errno.h>
#include <string.h>

#include "record/clock.h"
#include "record/function.h"
#include "record/lifecycle.h"
#include "record/ring.h"
#include "record/selection.h"
#include "record/sys.h"
#include "record/variables.h"

/* What programs are told that it starts; 1 until it is known that the filter is there. */
static char enable[] = "RECORDER_ENABLE=1", disable[] = "RECORDER_ENABLE=0";

bool sandbox_enter(void)
{
	int saved = errno;

	if (sandbox_active())
		return false;
	if (lifecycle_seal("seccomp")) {
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

void sandbox_entered(bool without_clock)
{
	if (sys_forbidden_here)
		return;
	enable[sizeof(enable) - 2] = '0';
	if (without_clock || clock_is_monotonic)
		selection_none();
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
