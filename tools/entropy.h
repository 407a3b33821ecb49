/* SPDX-License-Identifier: MIT */
/*
 * entropy.h - how few bytes the times of a trace can be stored in, as long as each is coded by itself.
 *
 * A record has two times: how long its thread was idle since the call before (or, for a call around that, how long ago it ended) and how
 * long it took, both in units of the resolution. Given function, level and call site in a process, each is a symbol and the bits behind
 * it: numbers up to 255 are symbols of their own, of the rest there are sixteen to each power of two. The floor is the entropy of the symbols, as
 * often as they occur, and the bits. It is of the data themselves: a coder also has to say how often they occur. One that sees more than
 * what is given here, or more than one time at once, may go below it.
 */
#ifndef RECORDER_TOOLS_ENTROPY_H
#define RECORDER_TOOLS_ENTROPY_H

#include <stdint.h>

#include <recorder/reader.h>

struct entropy {
	uint64_t records;   /* that have times of their own */
	int64_t resolution; /* ns: the finest of the trace's streams */
	double floor;       /* bytes that the times of the records take at least */
};

/* Reads the whole trace. 0, or the negative errno that stopped it. */
int entropy_measure(struct reader *trace, struct entropy *entropy);

#endif
