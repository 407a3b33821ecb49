/* SPDX-License-Identifier: MIT */
/* everything.h - asks libreader all that it can tell of a trace. */
#ifndef TEST_FUZZ_EVERYTHING_H
#define TEST_FUZZ_EVERYTHING_H

#include <stdint.h>

/* What a trace turned out to be, for comparison with another reader. */
struct everything {
	int opened; /* else errno of reader_open() is in `error` */
	int error;
	unsigned problems; /* before and after reader_verify() */
	unsigned found;
	uint64_t stored, in_flight, unreadable, lost;
};

/*
 * Reads the trace `dir` in every way there is. What must hold of any trace, however damaged, is
 * asserted: whoever calls it sees a broken promise as an abort.
 */
struct everything read_everything(const char *dir);

#endif
