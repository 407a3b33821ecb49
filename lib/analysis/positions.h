/* SPDX-License-Identifier: MIT */
/*
 * positions.h - where in its file each transfer begins: as the call says, or where the descriptor or the stream of stdio stood, which is followed from its
 * opening on through transfers, seeks and duplicates (open_files.h). Not known is what was opened before, what another process shares since a fork, where
 * appended bytes land, and where a stream stands after a call whose bytes are not recorded, until a call says it. In streams that miss calls which move
 * descriptors nothing is followed.
 */
#ifndef RECORDER_ANALYSIS_POSITIONS_H
#define RECORDER_ANALYSIS_POSITIONS_H

#include <recorder/reader.h>

#include "analysis/open_files.h"
#include "analysis/position_facts.h"

/* Of one stream. Zeroed: nothing is open. */
struct positions {
	bool off; /* not all that moves them is seen: known is only what calls say themselves */
	struct open_files files;
};

/* Begins with a stream, of which all calls that move descriptors are read or not. To be released before it begins again. */
void positions_begin(struct positions *positions, const struct reader *trace, unsigned stream,
		     bool sees_all_moves);
/*
 * Follows a call, which moved so many bytes. *begin becomes where its transfer begins, POSITION_UNKNOWN if it has none or that is not known. 0 or
 * -ENOMEM.
 */
int positions_take(struct positions *positions, const struct position_facts *facts,
		   const struct recorder_record *record, int64_t bytes, int64_t *begin);
void positions_release(struct positions *positions);

#endif
