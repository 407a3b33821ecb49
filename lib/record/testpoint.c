/* SPDX-License-Identifier: MIT */
/* testpoint.c - dying where a test asks for it. */
#include "record/testpoint.h"

#ifdef RECORDER_TEST_HOOKS

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "record/sys.h"
#include "record/text.h"

void test_point(const char *place)
{
	static _Atomic uint64_t passed;
	const char *wanted = getenv("RECORDER_TEST_KILL");
	size_t length = strlen(place);
	uint64_t number;

	if (!wanted || strncmp(wanted, place, length) || wanted[length] != ':')
		return;
	wanted += length + 1;
	if (text_read_u64(&wanted, &number) && atomic_fetch_add(&passed, 1) + 1 == number)
		sys_call(SYS_kill, sys_getpid(), SIGKILL, 0, 0, 0, 0);
}

#endif
