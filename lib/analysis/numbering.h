/* SPDX-License-Identifier: MIT */
/*
 * numbering.h - numbers for what a process sends, receives and takes part in, by channel: its order there is that of MPI (exchange.h).
 *
 * Sends, collective calls and receives whose channel is known have their number at once. A receive whose channel is not known yet, and those posted after it that may be of
 * the same one, are deferred: they have it when the channel is known. Who finishes a deferred part leaves it here; all others are the caller's.
 *
 * Functions return 0, -ENOMEM, or -ENOSPC: there are more channels or deferred receives than are followed, or numbers would be wrong from here on.
 */
#ifndef RECORDER_ANALYSIS_NUMBERING_H
#define RECORDER_ANALYSIS_NUMBERING_H

#include <recorder/reader.h>

#include "analysis/halves.h"
#include "analysis/part_map.h"

/* A message or a collective call on its way. */
struct part {
	struct half half;
	uint64_t channel; /* 0: not known yet */
	uint64_t number;  /* in it */
	uint64_t comm;    /* identity */
	struct reader_process source;
	int64_t tag;
	bool any_source, any_tag;
	bool deferred, complete, probed;
	bool given;          /* at once, before it ended */
	bool persistent;     /* only describes what its start makes: `active` */
	struct part *active; /* NULL: not started */
	struct part *next;   /* among the deferred ones, or those that are unused */
};

#define CHANNELS_RECENT 64u /* a power of two */

struct numbering {
	struct {
		uint64_t channel;
		uint32_t number; /* in `channels`, + 1; 0 nothing */
	} recent[CHANNELS_RECENT];
	struct halves *halves;
	struct dictionary channels; /* and side */
	uint64_t *numbers;          /* of messages, by channel */
	uint32_t number_room;
	struct part *first, **last; /* deferred receives in the order in which they were posted */
	uint32_t deferred;
	struct part *unused; /* there is one for each message, mostly of few at a time */
};

/* All of it 0; NULL: no memory. */
struct part *numbering_part(struct numbering *numbering);
/* The part is not used any more. */
void numbering_free(struct numbering *numbering, struct part *part);

uint64_t numbering_hash(uint64_t hash, uint64_t more);
uint64_t numbering_channel(uint64_t comm, struct reader_process source, struct reader_process dest,
			   int64_t tag);
/* Of messages to oneself both sides are numbered here. */
uint64_t numbering_side(const struct part *part);

/* The next `count` numbers of a side of a channel. */
int numbering_take(struct numbering *numbering, uint64_t side, uint32_t count, uint64_t *number);
/* Numbers a part whose channel is known, and that nothing stands in the way of. */
int numbering_number(struct numbering *numbering, struct part *part);
/* A receive, by the order in which they are posted: numbered now or deferred. */
int numbering_post(struct numbering *numbering, struct part *part);
/* Numbers what no earlier receive stands in the way of any more; what of it is complete is given away and freed. */
int numbering_settle(struct numbering *numbering);
/* A deferred receive that never was; it is the caller's then. */
int numbering_drop(struct numbering *numbering, struct part *part);
/* A numbered one that never was: those of its channel behind it have each the number before, and must all be among `parts`, without a number given away. -ENOSPC: they are not. */
int numbering_give_back(struct numbering *numbering, const struct part *part,
			const struct part_map *parts);
/* A part has ended. */
int numbering_give_away(struct numbering *numbering, const struct part *part);
/* Frees the deferred ones. */
void numbering_forget(struct numbering *numbering);
void numbering_release(struct numbering *numbering);

#endif
