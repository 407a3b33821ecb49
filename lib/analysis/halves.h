/* SPDX-License-Identifier: MIT */
/*
 * halves.h - what each process did of things that several take part in: of a message its sending and its receiving, of a collective call the part of each
 * member. Those of one thing have the same `meeting`, so that they find each other whoever read them (wait_results.h).
 *
 * A table has at most HALVES_MAX of them, 48 bytes each. When there are more it is thinned: from level to level every second block of 64 messages of a channel (or
 * of collective calls of a communicator) stays, in the end only what began in the first half of the run, its first quarter and so on. Which ones stay depends on
 * their numbers and times alone, and the level is the least at which all fit: so all sides of a thing stay or go together, and parts of a trace that are put together
 * in any order are thinned as the whole would be.
 */
#ifndef RECORDER_ANALYSIS_HALVES_H
#define RECORDER_ANALYSIS_HALVES_H

#include <stdbool.h>

#include "analysis/dictionary.h"

#define HALVES_MAX (1u << 20)

enum half_kind { HALF_SEND, HALF_RECEIVE, HALF_COLLECTIVE, HALF_KINDS };

/* Of collective calls: whether the others wait for this member, and whether it waits for those. */
#define HALF_GIVES 0x10u
#define HALF_WAITS 0x20u
#define HALF_KIND 0x0fu

struct half {
	uint64_t meeting;
	int64_t arrive; /* begin of the call that sends, receives or takes part */
	int64_t begin,
		end;   /* the call that may have waited: that one or the one that completes it */
	uint32_t rank; /* analysis_rank() */
	uint32_t comm; /* number of its communicator in the table */
	uint32_t call; /* equal for what one call of a rank completes together */
	uint16_t function;
	uint8_t kind;     /* enum half_kind, HALF_GIVES, HALF_WAITS */
	uint8_t evenness; /* up to this level its block stays */
};

/* Number 0 of a thinned table's communicators is as in struct halves. */
struct half_comm {
	uint64_t identity;
	int32_t members; /* of both groups of an intercommunicator */
};

/* Zeroed but for `duration`: none. */
struct halves {
	int64_t duration; /* of the trace, ns */
	struct half *list;
	uint32_t count, room;
	uint32_t level;
	uint64_t seen[HALF_KINDS];
	uint64_t
		left_out; /* streams whose calls cannot be numbered: some were lost, or their times made up */
	uint64_t given_up; /* streams of which only a beginning was followed */
	struct dictionary comm_keys;
	struct half_comm *comms;
	uint32_t comm_room, recent_comm; /* number of the one that was asked for last */
};

/* The number of a communicator. 0 or -ENOMEM. */
int halves_comm(struct halves *halves, uint64_t identity, int32_t members, uint32_t *number);
/* The evenness of number `number` of a channel or communicator. */
uint8_t halves_evenness(uint64_t number);
/* Keeps a half as far as the level lets it. 0 or -ENOMEM. */
int halves_add(struct halves *halves, const struct half *half);
/* 0 or -ENOMEM. */
int halves_merge(struct halves *into, const struct halves *from);
void halves_release(struct halves *halves);

#endif
