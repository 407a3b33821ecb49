/* SPDX-License-Identifier: MIT */
/*
 * textmatch.h - where a text says what it has said before.
 *
 * Made for lines that are like one before but for some numbers. Where a match ends, the text mostly goes on as that place did, behind the number in which they differ, however many digits
 * it has: that is looked at first. Only where it is not so, places that begin alike are looked for in a table, which has the last one of each beginning.
 */
#ifndef RECORDER_TOOLS_TEXTMATCH_H
#define RECORDER_TOOLS_TEXTMATCH_H

#include <stdint.h>

#define TEXT_MATCH_DISTANCE 32768u
#define TEXT_MATCH_LEAST 4u
#define TEXT_MATCH_SLOT_BITS 13u

/* So many bytes that are new, and behind them so many that are the same as those `distance` bytes before. */
struct text_match {
	uint32_t literals, length, distance; /* length 0: none, where what was asked for ends */
};

struct text_matches {
	const uint8_t *text;
	uint32_t size, at, distance;
	uint32_t slots[1u << TEXT_MATCH_SLOT_BITS]; /* places in the text */
};

/* `size` is below 2^31. The text is the caller's, and stays. */
void text_matches_begin(struct text_matches *matches, const void *text, uint32_t size);
/* What comes next, at most `room` of them, in some `span` bytes of the text; how many. 0: the text has ended. */
unsigned text_matches_next(struct text_matches *matches, uint32_t span, struct text_match *found,
			   unsigned room);

#endif
