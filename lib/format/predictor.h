/* SPDX-License-Identifier: MIT */
/*
 * predictor.h - which signature comes next, for the decoder: by those before it, and where that is wrong by its number.
 *
 * As long as predictions are right nothing is learned, so that the signatures come around as soon as three are the same as before: then they are copied, and each need not
 * wait for what the last one is.
 */
#ifndef RECORDER_FORMAT_PREDICTOR_H
#define RECORDER_FORMAT_PREDICTOR_H

#include "format/number_queue.h"
#include "format/signature.h"

#define PREDICTOR_CYCLE 64u

struct predictor {
	struct numbers runs, ids;
	uint16_t *predicted; /* 1 << PREDICTOR_LOG, zeros at first */
	uint64_t run;        /* records to come whose signature is predicted */
	struct signature_context context;
	struct signature_context begin; /* before the first one of the cycle */
	uint16_t cycle[PREDICTOR_CYCLE];
	uint32_t length, at; /* of the cycle */
	bool closed;         /* the first one comes after the last one */
};

/* After both sequences were opened. */
void predictor_begin(struct predictor *predictor, uint16_t *predicted);
/* The numbers of the next `count` signatures, of which there are `signatures`. False: one is none of them. */
bool predictor_take(struct predictor *predictor, uint16_t *numbers, uint32_t count,
		    uint32_t signatures);

/* Whether as many were taken as were written. */
static inline bool predictor_ended(const struct predictor *predictor)
{
	return predictor->run == 0 && numbers_ended(&predictor->runs) &&
	       numbers_ended(&predictor->ids);
}

#endif
