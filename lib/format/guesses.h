/* SPDX-License-Identifier: MIT */
/*
 * guesses.h - which signature is predicted at each place (signature.h), for the encoder.
 *
 * All places are 32 KiB. A chunk of few records, as a short process has one, looks at few of them that may be anywhere: eight pages to be had from the
 * kernel and cleared. For it they are in a table of one page, by place.
 */
#ifndef RECORDER_FORMAT_GUESSES_H
#define RECORDER_FORMAT_GUESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "format/signature.h"

#define GUESSES_FEW 256u /* records, each of which has one place */
#define GUESSES_SLOTS 1024u

struct guesses {
	bool few;
	union {
		uint16_t at_place[1u << PREDICTOR_LOG];
		struct {
			uint16_t places[GUESSES_SLOTS]; /* + 1, open-addressed */
			uint16_t at_slot[GUESSES_SLOTS];
		};
	};
};

/* Of a chunk of so many records; there are none yet. */
static inline void guesses_begin(struct guesses *guesses, uint32_t records)
{
	guesses->few = records <= GUESSES_FEW;
	memset(guesses->at_place, 0,
	       guesses->few ? sizeof(guesses->places) + sizeof(guesses->at_slot)
			    : sizeof(guesses->at_place));
}

/* The number + 1 of the signature that is predicted there, 0 if none is; it may be changed until the next call. */
static inline uint16_t *guess_at(struct guesses *guesses, uint32_t place)
{
	uint32_t slot = place & (GUESSES_SLOTS - 1);

	if (!guesses->few)
		return &guesses->at_place[place];
	while (guesses->places[slot] && guesses->places[slot] != place + 1)
		slot = (slot + 1) & (GUESSES_SLOTS - 1);
	guesses->places[slot] = (uint16_t)(place + 1);
	return &guesses->at_slot[slot];
}

#endif
