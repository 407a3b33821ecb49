/* SPDX-License-Identifier: MIT */
/*
 * leftovers.h - files that ranks of an earlier job have left beside an output, because they were killed before they could remove them (SIGKILL, a node that went down):
 *
 *	NAME.0123456789abc.2.log      of the crew          (ranks_file())
 *	.NAME.0123456789abc.2.part.a1B2c3                  what was being written for it
 *
 * They are removed by the next job that makes the same output.
 */
#ifndef RECORDER_TOOLS_LEFTOVERS_H
#define RECORDER_TOOLS_LEFTOVERS_H

#include "ranks.h"

/*
 * Of jobs all whose files there are ten minutes older than `fd`, a file that was written there just now: ranks that work say so in their logs every ten seconds. Nothing is said, whatever comes.
 */
void leftovers_remove(const struct ranks *ranks, int fd);

#endif
