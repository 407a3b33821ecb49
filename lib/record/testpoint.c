/* SPDX-License-Identifier: MIT */
/* testpoint.c - dying, or getting a signal, where a test asks for it. */
#include "record/testpoint.h"

#ifdef RECORDER_TEST_HOOKS

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "format/job.h"
#include "format/variable.h"
#include "record/sys.h"
#include "record/text.h"

/* Whether this is the passage that the variable asks for, PLACE:N. */
static bool asked(const char *variable, const char *place, _Atomic uint64_t *passed)
{
	const char *wanted = variable_get(variable);
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
	const char *without = variable_get("RECORDER_TEST_WITHOUT");

	return without && !strcmp(without, thing);
}

static int64_t read_signed(const char **cursor)
{
	bool negative = **cursor == '-';
	uint64_t number = 0;

	*cursor += negative;
	text_read_u64(cursor, &number);
	return negative ? -(int64_t)number : (int64_t)number;
}

/* The entry of this rank, after those of the ranks before it. */
static void read_entry(const char *list, int64_t *offset, int64_t *drift)
{
	const char *cursor = list;

	for (int32_t rank = job_rank().rank; rank >= 0; rank--) {
		*offset = read_signed(&cursor);
		cursor += *cursor == ':';
		*drift = read_signed(&cursor);
		if (*cursor == ',')
			cursor++;
		else
			cursor = list;
	}
}

int64_t test_clock(int64_t ns)
{
	static int64_t offset, drift;
	static bool known;

	if (!known) {
		const char *list = variable_get("RECORDER_TEST_CLOCK");

		known = true;
		if (list)
			read_entry(list, &offset, &drift);
	}
	return ns + offset + (int64_t)((__int128)ns * drift / 1000000000);
}

void test_machine(char *boot_id, size_t size)
{
	size_t length = strlen(boot_id);
	struct textbuf text = text_in(boot_id + length, size - length);

	if (!variable_get("RECORDER_TEST_CLOCK"))
		return;
	text_add(&text, "-");
	text_add_u64(&text, (uint64_t)job_rank().rank);
}

#endif
