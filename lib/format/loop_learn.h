/* SPDX-License-Identifier: MIT */
/*
 * loop_learn.h - finds out which loops are inside of the loop that a thread is in, from its records as they come.
 *
 *	records:   a b b b ... b c d d ... d  a b b b ... b c d d ... d  a b ...
 *	runs:      b and d: 64 records and four times or more of some that come again and again, with numbers that are larger by the same step each time
 *	tokens:    a, b x 900, c, d x 300, a, b x 900 ...      records in a row between two runs are one
 *	turn:      of tokens that come twice in the same order, how often too, those of once
 *
 * Where runs begin and end depends on nothing but the records since the token before began, so what is the same gives the same tokens wherever rings begin. Numbers may differ from
 * turn to turn by the same step: that is what the two turns are compared for. Whoever goes on from there has to see whether it holds (loop_encode.h).
 *
 * A record of a run costs its comparison with what is expected. Nothing here allocates.
 */
#ifndef RECORDER_FORMAT_LOOP_LEARN_H
#define RECORDER_FORMAT_LOOP_LEARN_H

#include "format/loop_encode.h"

#define LEARN_TOKENS 1024u
#define LEARN_RECORDS 4096u /* in a row that are no run */
#define LEARN_LONGEST 400u  /* records of a run that come again */
#define LEARN_STEPS 2048u   /* of all runs together */
#define LEARN_PLACES 1024u  /* a power of 2 */
#define LEARN_TURNS 3u      /* that there is room for */
#define LEARN_OFTEN 64u     /* turns in a row that are no part of something longer */
#define LEARN_ALL (4 * (uint64_t)LOOP_MAX_TURN) /* records until it is given up */
#define LEARN_RUN (1u << 18)                    /* of a run, likewise: it may have no end */

struct learn_token {
	uint64_t shape; /* equal for what is the same but for numbers */
	uint64_t first; /* sequence number */
	uint32_t at, size;
	uint32_t count; /* records */
	uint32_t times; /* they come, 1: no run */
	uint32_t step_at, step_count;
};

/* Of the token that is not complete. */
struct learn_row {
	uint64_t first; /* sequence number */
	uint32_t at;    /* byte of the log */
	uint32_t count;
	uint32_t distance; /* how far before the last ones the same came */
	uint32_t matches;  /* records for which it did */
	uint64_t kinds[LEARN_RECORDS];
	uint32_t offsets[LEARN_RECORDS + 1]; /* from `at` */
	uint16_t places[LEARN_PLACES];       /* where a kind was last, + 1 */
};

struct learn_run {
	uint32_t count, size; /* of what comes again; 0: there is none */
	uint32_t index, at;   /* the record that is next, and where it begins */
};

struct loop_learner {
	void *data;
	struct encode_function (*function)(void *data, uint16_t id);
	uint64_t sequence; /* of the next record */
	uint64_t begin;    /* of the first one */
	uint64_t least;    /* records of a turn */
	uint32_t room;     /* bytes of a turn */
	uint32_t log_size, log_room;
	uint32_t token_count, step_count;
	struct learn_run run; /* the last token then */
	struct learn_row row;
	struct loop_turn turn;
	uint64_t turn_first; /* sequence number of its first record */
	uint8_t *log;        /* raw records: of each token once, and those since */
	uint8_t *next;       /* of a run: what is to come */
	uint8_t *block;      /* of the turn */
	struct learn_token tokens[LEARN_TOKENS];
	struct loop_step steps[LEARN_STEPS];
	struct loop_step turn_steps[LEARN_STEPS];
	struct loop_part turn_parts[LEARN_TOKENS + 1];
};

enum learned {
	LEARN_MORE, /* nothing yet */
	LEARN_DONE, /* learner->turn */
	LEARN_NONE, /* there is too much that does not come again */
};

/* Memory for a learner of turns whose block has at most `room` bytes, which it lies at the begin of; aligned to 16. */
size_t loop_learner_size(uint32_t room);
void loop_learner_init(struct loop_learner *learner, uint32_t room);
/* Forgets all; the next record is that with this number. Turns of less than `least` records, which were found before, do not count until they come LEARN_OFTEN times in a row: they may be part of something longer. */
void loop_learner_begin(struct loop_learner *learner, uint64_t sequence, uint64_t least);
/* Takes records that follow those before, until there is a result other than LEARN_MORE, which is the last. */
enum learned loop_learn(struct loop_learner *learner, const uint8_t *records, uint32_t size);
/* The number of the first record of a turn that comes at `sequence` or later, and which one that is. */
uint64_t loop_learner_next(const struct loop_learner *learner, uint64_t sequence, uint64_t *turns);

#endif
