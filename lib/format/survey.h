/* SPDX-License-Identifier: MIT */
/*
 * survey.h - the pass over raw records that encodings 2 and 3 begin with: which signature each has, and its times.
 *
 * The signature is predicted by those before it (signature.h), and only where that is wrong it is looked up, and its number kept. As long as predictions are right they come around in
 * the same order once three are the same as before; then the next one is known without a look into the table of predictions, and several records are under way at once.
 */
#ifndef RECORDER_FORMAT_SURVEY_H
#define RECORDER_FORMAT_SURVEY_H

#include "format/guesses.h"
#include "format/predictor.h"
#include "format/signature_table.h"
#include "format/units.h"

/* A record that began before the chunk. */
struct survey_carried {
	uint32_t index;
	uint64_t before; /* time units from its start to the chunk's begin */
};

/* One of those that come around. */
struct survey_step {
	struct signature *signature;
	uint16_t number;
	bool after;
	bool outer; /* of a lower level than the one before it */
	/* fields that are to be looked at: so many that go on by steps, and behind them those that are the same as the result */
	uint8_t adds, equals;
	bool rich; /* there is more to it than that */
};

struct survey {
	/* what the caller gives: */
	const uint8_t *records; /* RECORDS_BEHIND more bytes can be read */
	uint32_t count;
	struct units units;
	uint64_t base; /* T(t_base): begin of the chunk */
	struct signature_table *table;
	struct guesses *predicted; /* none yet */
	uint16_t *earlier;         /* what was predicted there before; `earlier_mask` + 1, zeros */
	uint32_t earlier_mask;
	/* room for as many as there are records, of `runs` for one more: */
	uint16_t *signature;
	uint64_t *idle, *duration; /* time units; of encoding 3 begin and end */
	uint64_t *runs, *ids;
	struct survey_carried *carried; /* CHUNK_MAX_CARRIED */
	bool summed;                    /* encoding 3: */
	uint64_t t_base;                /* ticks, as are the marks */
	const uint64_t *marks;          /* in rising order */
	uint32_t mark_count;
	uint32_t *met_at; /* room for as many: before the end of which record each lies */

	/* what was found: */
	uint32_t run_count; /* of `ids`; of `runs` there is one more */
	uint32_t carried_count;
	uint32_t marks_met;   /* that lie before the end of a record */
	uint64_t first, last; /* least T(tstart), last T(tend) */

	struct survey_step cycle[PREDICTOR_CYCLE]; /* memory for the pass */
};

/* 0. -E2BIG: something is too many for this encoding; -ERANGE: the same of encoding 3 alone. */
int survey_take(struct survey *survey);

#endif
