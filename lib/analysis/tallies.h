/* SPDX-License-Identifier: MIT */
/*
 * tallies.h - calls of one kind that lie in one bin of time, put together before they count.
 *
 * A call counts in sums of its function, its file, its rank's share of that and its place in the program, and in bins of several series. Mostly the one
 * after it, or the one after that, counts in the very same. So the calls of a stream are added up by what they count in, and what has come together
 * is counted when a call comes in another bin of time, or one of another kind needs the room.
 *
 *	bins    |         |         |         |
 *	calls    r w r w r==w r w r w          r, w: a tally each in each bin
 *	                  a call that lies in no one bin counts by itself
 *
 * Time of a call is taken off the call around it, in the tally of that one's kind: which may then have less self time in a bin than none, as
 * the bin before has it.
 */
#ifndef RECORDER_ANALYSIS_TALLIES_H
#define RECORDER_ANALYSIS_TALLIES_H

#include "analysis/tables.h"

#define TALLIES 128u /* a power of two */

/* Calls of the same kind count in the same rows. */
struct tally_kind {
	struct site_place place;
	uint32_t use, share; /* use: NO_USE: of no file */
	enum analysis_file_class class_;
	unsigned filesystem;
	enum analysis_where where;
	enum analysis_use counts_as; /* its time */
};

/* `sums.self` is without what calls within took. */
struct tally {
	struct tally_kind kind;
	struct analysis_sums sums;
	bool open; /* something is in it */
};

/* Of one stream that is being read. */
struct tallies {
	struct tables *tables;
	unsigned rank;
	/* the bin that calls are in now */
	struct {
		int64_t begin, end; /* equal: none is */
		unsigned number;
	} bin;
	struct tally list[TALLIES];
	uint8_t used[TALLIES]; /* which of them may be open */
	unsigned used_count;
};

void tallies_begin(struct tallies *tallies, struct tables *tables, unsigned rank);
/* A call, which lies in one of the kind `around` (NULL: in none). 0 or -ENOMEM. */
int tallies_count(struct tallies *tallies, const struct tally_kind *kind,
		  const struct file_call *call, const struct tally_kind *around);
/* Calls of which nothing is known but their sums, and that they were made between two times: their place in the program counts nowhere. 0 or -ENOMEM. */
int tallies_count_sum(struct tallies *tallies, const struct tally_kind *kind,
		      const struct analysis_sums *sums, int64_t begin, int64_t end);
/* Counts what has come together: no more calls come. 0 or -ENOMEM. */
int tallies_end(struct tallies *tallies);

#endif
