/* SPDX-License-Identifier: MIT */
/*
 * reread.h - chunks of drawn records as they are read again.
 *
 * Times that are made up, of chunks without stamps, have this in common with those that were: no call ends before it begins, ends are in order, and the durations of a
 * function have the same sum:
 *
 *	reread_times_begin(), reread_time() of each record, reread_times_end()
 */
#ifndef RECORDER_FUZZ_REREAD_H
#define RECORDER_FUZZ_REREAD_H

#include "format/data_decode.h"
#include "format/lists.h"

/* What the metadata say of a function (structures.h). */
void reread_describe(struct list_function *function);
/* The chunk is sound. */
void reread_open(struct data_decoder *decoder, const struct chunk_header *header,
		 const uint8_t *stored);

void reread_times_begin(void);
/* `made` is the record that was read; its call took `was`, and there it takes `is`, in the same unit. */
void reread_time(const struct raw_record *made, uint64_t was, uint64_t is);
void reread_times_end(void);

#endif
