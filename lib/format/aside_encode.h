/* SPDX-License-Identifier: MIT */
/*
 * aside_encode.h - the numbers that signatures leave aside, doc/format.md section 5: those of a field in one sequence, or in one for each chain.
 *
 * A function may go through one file in steps and to blocks of another one in no order, or to blocks of several sizes in several files. Its offsets are told
 * best by what is known of each file.
 */
#ifndef RECORDER_FORMAT_ASIDE_ENCODE_H
#define RECORDER_FORMAT_ASIDE_ENCODE_H

#include "format/sequence_encode.h"
#include "format/signature_table.h"

struct aside_output {
	const struct signature_table *table;
	struct sequence_work *sequence;
	struct varints *words, *bits;
	uint64_t *room; /* for the numbers aside, and more of which not all are needed */
	size_t room_count;
};

/* Writes all of them. */
void aside_put_all(const struct aside_output *output);

#endif
