/* SPDX-License-Identifier: MIT */
/* rules_time.c - findings about what happens when, and what beside it, see judging.h */
#include <inttypes.h>

#include "analysis/judging.h"
#include "analysis/quantities.h"

#define BURSTS_LEAST 3
#define BURST_BYTES_LEAST 10000000

void rule_unoverlapped_checkpoint(struct judging *judging)
{
	const struct analysis_rhythm *writes = analysis_rhythm(judging->analysis, ANALYSIS_WRITES);
	char period[QUANTITY_ROOM], bytes[QUANTITY_ROOM], time[QUANTITY_ROOM], share[QUANTITY_ROOM];

	if (writes->bursts < BURSTS_LEAST || writes->bytes < BURST_BYTES_LEAST ||
	    !is_share((double)writes->time, (double)judging->duration, 5) ||
	    !is_share((double)writes->files_alone, (double)writes->files, 80))
		return;
	judging_found(judging, writes->files_alone,
		      "%u bursts of writes, one every %s, of %s in %s on average: in %s of the "
		      "time that processes then are on files, none of their threads computes.",
		      writes->bursts, quantity_time(period, writes->period),
		      quantity_bytes(bytes, writes->bytes / writes->bursts),
		      quantity_time(time, writes->time / writes->bursts),
		      quantity_share(share, (double)writes->files_alone, (double)writes->files));
}
