/* SPDX-License-Identifier: MIT */
/*
 * testpoint.h - named places where the tests' build of the library can be made to die or to be interrupted.
 *
 * The library that is installed has none of it. The tests' one (RECORDER_TEST_HOOKS) kills itself at the n-th passage of
 * a place, RECORDER_TEST_KILL=PLACE:N, or sends SIGUSR1 to the thread that passes, RECORDER_TEST_SIGNAL=PLACE:N. It also
 * does without something that the machine has, RECORDER_TEST_WITHOUT=THING. And each rank can be a machine of its own, with a clock
 * that is wrong: RECORDER_TEST_CLOCK=OFFSET:DRIFT,... in ns and ns a second, those of rank 0 first, then from the front again.
 */
#ifndef RECORDER_RECORD_TESTPOINT_H
#define RECORDER_RECORD_TESTPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef RECORDER_TEST_HOOKS
void test_point(const char *place);
bool test_without(const char *thing);
/* What a clock of the system says there. */
int64_t test_clock(int64_t ns);
/* Makes the boot id that of a machine of the rank's own, if clocks are wrong. */
void test_machine(char *boot_id, size_t size);
#else
static inline void test_point(const char *place)
{
	(void)place;
}

static inline bool test_without(const char *thing)
{
	(void)thing;
	return false;
}

static inline int64_t test_clock(int64_t ns)
{
	return ns;
}

static inline void test_machine(char *boot_id, size_t size)
{
	(void)boot_id;
	(void)size;
}
#endif

#endif
