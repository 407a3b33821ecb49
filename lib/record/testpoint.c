/* SPDX-License-Identifier: MIT */
/* testpoint.c - dying, or getting a signal, where a test asks for it. */
#include "record/testpoint.h"

#ifdef RECORDER_TEST_HOOKS

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "record/sys.h"
#include "record/text.h"

/* Whether this is the passage that the variable asks for, PLACE:N. */
static bool asked(const char *variable, const char *place, _Atomic uint64_t *passed)
{
	const char *wanted = getenv(variable);
	size_t length = strlen(place);
	uint64_t number;

	if (!wanted || strncmp(wanted, place, length) || wanted[length] != ':')
		return false;
	wanted += length + 1;
	return text_read_u64(&wanted, &number) && atomic_fetch_add(passed, 1) + 1 == number;
}

static void raise_here(int signal)
{
	sys_call(SYS_tgkill, sys_getpid(), sys_gettid(), signal, 0, 0, 0);
}

void test_point(const char *place)
{
	static _Atomic uint64_t kill_passed, signal_passed;

	if (asked("RECORDER_TEST_KILL", place, &kill_passed))
		raise_here(SIGKILL);
	if (asked("RECORDER_TEST_SIGNAL", place, &signal_passed))
		raise_here(SIGUSR1);
}

bool test_without(const char *thing)
{
	const char *without = getenv("RECORDER_TEST_WITHOUT");

	return without && !strcmp(without, thing);
}

#endif
