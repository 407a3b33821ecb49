/* SPDX-License-Identifier: MIT */
/*
 * testpoint.h - named places where the tests' build of the library can be made to die or to be interrupted.
 *
 * The library that is installed has none of it. The tests' one (RECORDER_TEST_HOOKS) kills itself at the n-th passage of
 * a place, RECORDER_TEST_KILL=PLACE:N, or sends SIGUSR1 to the thread that passes, RECORDER_TEST_SIGNAL=PLACE:N. It also
 * does without something that the machine has, RECORDER_TEST_WITHOUT=THING.
 */
#ifndef RECORDER_RECORD_TESTPOINT_H
#define RECORDER_RECORD_TESTPOINT_H

#include <stdbool.h>

#ifdef RECORDER_TEST_HOOKS
void test_point(const char *place);
bool test_without(const char *thing);
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
#endif

#endif
