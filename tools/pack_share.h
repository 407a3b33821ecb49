/* SPDX-License-Identifier: MIT */
/*
 * pack_share.h - the work of packing shared by processes: those that -j asks for, or the ranks of a launcher (mpirun recorder pack).
 *
 * Each takes every n-th part apart and writes what it is made of to a file of its own; one process, the leader, puts the parts together in their order, so that
 * the packed trace is the same however many there are.
 */
#ifndef RECORDER_TOOLS_PACK_SHARE_H
#define RECORDER_TOOLS_PACK_SHARE_H

#include "pack_source.h"
#include "pack_store.h"
#include "ranks.h"

struct pack_share {
	struct ranks who; /* takes parts apart */
	int *files;       /* of each process, once it is read; -1 */
};

/* Who takes part: the ranks of the launcher, else at most `jobs` processes. `path`: of the packed trace. */
void pack_share_init(struct pack_share *share, const char *path, unsigned jobs, uint32_t parts);
/* Takes this process's parts apart, and starts the others if they are to be. To be called before any output is open. */
void pack_share_work(struct pack_share *share, const struct pack_source *source);
/* The leader: adds the next part. */
void pack_share_add(struct pack_share *share, uint32_t part, struct pack_store *store);
/* The leader removes what is left of the files of ranks. */
void pack_share_release(struct pack_share *share);

/* Takes a part apart. */
void pack_share_part(struct part_maker *maker, const struct pack_source *source,
		     const struct source_part *part);

#endif
