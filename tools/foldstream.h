/* SPDX-License-Identifier: MIT */
/*
 * foldstream.h - completing one stream, in the order that lets a repair be killed and done again: what is in the live files goes to the
 * .rec, then losses, END and final metadata are written, and only then the live files are removed. A process may end in order meanwhile: what decides is what its LM says
 * when it has been seen to have ended.
 */
#ifndef RECORDER_TOOLS_FOLDSTREAM_H
#define RECORDER_TOOLS_FOLDSTREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "chunkfile.h"
#include "read/life.h"
#include "streamfacts.h"

struct fold_result;

struct fold {
	/* the trace */
	const char *dir;
	int dir_fd;
	int64_t died; /* when its processes were seen to be dead, Unix ns, 0 unknown */
	bool thorough;
	struct fold_result *result;
	struct life_view here;
	/* the stream that is folded */
	const char *name;         /* of its live files, too */
	struct node_stream *node; /* it is in the file of a node; NULL: it has files of its own */
	int live_fd;              /* directory of the live files, negative: none */
	struct chunkfile lm, rec;
	struct lm_facts facts;
	struct rec_facts stored;
	uint64_t arena_lost;
	uint32_t arena_lost_reason; /* enum loss_reason */
	uint64_t death;             /* when its launcher saw it dead, Unix ns, 0 unknown */
	bool changed;
};

/* The same of a stream in the file of a node. */
void fold_node_stream(struct fold *fold, struct node_stream *stream);
/* Completes the stream of that LM, if its process is dead; what was done is added to the result, errors are told of. */
void fold_stream(struct fold *fold, const char *lm_name);
/* Appends a chunk to the stream's .rec, which is made if there is none. 0 or a negative errno. */
int fold_append(struct fold *fold, struct chunk_header *header, const void *body);
/* Whether a file has more than its header; not so if the process was killed while it made it. */
bool fold_has_content(int dir_fd, const char *name);

#endif
