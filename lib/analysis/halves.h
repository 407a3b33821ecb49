/* SPDX-License-Identifier: MIT */
/*
 * halves.h - what each process did of things that several take part in: of a message its sending and its receiving, of a collective call the part of each
 * member. Those of one thing have the same `meeting`, so that they find each other whoever read them (wait_results.h).
 *
 * There are at most HALVES_MAX of messages and as many of collective calls, 48 bytes each. When there are more, they are thinned: from level to level half of each
 * channel's messages (or communicator's calls) stays, in blocks that become smaller and lie further apart, so that what happens one after the other is seen together and all of the run is seen. Where even one of
 * each channel is too many, only every second channel has any, every fourth and so on. Which ones stay depends on their channels and numbers alone, and the level is the least at which all fit: so all
 * sides of a thing stay or go together, and parts of a trace that are put together in any order are thinned as the whole would be.
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
	uint8_t kind;  /* enum half_kind, HALF_GIVES, HALF_WAITS */
	uint8_t level; /* halves_level(): up to which one it stays */
};

struct half_comm {
	uint64_t identity;
	int32_t members; /* of both groups of an intercommunicator */
};

enum half_things { HALVES_MESSAGES, HALVES_CALLS, HALVES_THINGS };

struct half_list {
	struct half *list;
	uint32_t count, room;
	uint32_t level;
};

/* Zeroed: none. */
struct halves {
	struct half_list things[HALVES_THINGS];
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
/* The last level at which what has this number in its channel or communicator stays, and this meeting. */
uint8_t halves_level(uint64_t number, uint64_t meeting);
/* Counts a half, and keeps it as far as the level lets it. 0 or -ENOMEM. */
int halves_add(struct halves *halves, const struct half *half);
/* 0 or -ENOMEM. */
int halves_merge(struct halves *into, const struct halves *from);
void halves_release(struct halves *halves);

#endif
