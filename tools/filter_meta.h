/* SPDX-License-Identifier: MIT */
/* filter_meta.h - the metadata of a filtered trace: what the other one's says, with counts that are true, and that it was filtered, and how. */
#ifndef RECORDER_TOOLS_FILTER_META_H
#define RECORDER_TOOLS_FILTER_META_H

#include "filter_stream.h"

/* Of the stream at work, whose records have been written. */
void filter_meta_stream(struct filter_work *work, struct chunkfile *lm);
/* Of one that is not asked for. */
void filter_meta_left_out(struct filter_work *work, struct chunkfile *lm);

/* What all processes that write the new trace have found. */
struct filter_sums {
	uint64_t stored, calls, lost;
	uint64_t problems; /* of the trace that was read */
};

/* `conditions`: the options, as words of a command line. */
void filter_meta_global(struct filter_work *work, struct chunkfile *gm, const char *conditions,
			const struct filter_sums *sums);

#endif
