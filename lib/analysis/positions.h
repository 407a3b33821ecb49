/* SPDX-License-Identifier: MIT */
/*
 * positions.h - where in its file each transfer begins: as the call says, or where the descriptor or the stream of stdio stood, which is followed from its
 * opening on through transfers, seeks and duplicates. What was opened before, or moved by a process that shares it, is not known. What is opened to append
 * counts from where it was opened.
 */
#ifndef RECORDER_ANALYSIS_POSITIONS_H
#define RECORDER_ANALYSIS_POSITIONS_H

#include <stdbool.h>

#include <recorder/reader.h>

#include "analysis/dictionary.h"

#define POSITION_UNKNOWN (-1)

/* What a function does with positions, by its name. */
enum position_role {
	POSITION_NONE,
	POSITION_OPENS, /* its result stands at 0 */
	POSITION_COPIES, /* its result, or its second argument, stands where its first argument does, and moves with it */
	POSITION_CLOSES,
	POSITION_SEEKS,    /* its result is where it stands then */
	POSITION_SEEKS_BY, /* fseek(): the result says only if it worked */
	POSITION_REWINDS,
	POSITION_MOVES, /* a transfer from where it stands */
	POSITION_GIVEN, /* an argument says where the transfer begins */
};

struct position_facts {
	enum position_role role;
	unsigned handle; /* argument that is moved */
	unsigned given;  /* argument that says where: POSITION_GIVEN, POSITION_SEEKS_BY */
};

struct position_facts position_facts_of(const struct reader_function_info *function);

/* What descriptors can share. */
struct opened {
	int64_t at;       /* POSITION_UNKNOWN */
	uint32_t handles; /* that stand for it; 0: it is free */
	uint32_t next;    /* number + 1 of another free one */
};

#define POSITIONS_RECENT 64u /* a power of two */

/* Of one stream. Zeroed: nothing is open. */
struct positions {
	bool off; /* not all that moves them is seen: known is only what calls say themselves */
	struct {
		int64_t handle;
		unsigned layer;
		uint32_t number; /* in `handles`, + 1; 0 nothing */
	} recent[POSITIONS_RECENT];
	struct dictionary handles; /* layer and number */
	uint32_t *opened_of;       /* by handle: number + 1 of what it stands for, 0 nothing */
	struct opened *opened;
	uint32_t handle_room, opened_count, opened_room;
	uint32_t free; /* number + 1 of the first free one */
};

/*
 * Follows a call, which moved so many bytes. *begin becomes where its transfer begins, POSITION_UNKNOWN if it has none or that is not known. 0 or
 * -ENOMEM.
 */
int positions_take(struct positions *positions, const struct position_facts *facts,
		   const struct recorder_record *record, unsigned layer, int64_t bytes,
		   int64_t *begin);
void positions_release(struct positions *positions);

#endif
