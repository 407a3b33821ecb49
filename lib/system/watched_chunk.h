/* SPDX-License-Identifier: MIT */
/*
 * watched_chunk.h - raw records of a watched thread as the body of a DATA chunk.
 */
#ifndef RECORDER_SYSTEM_WATCHED_CHUNK_H
#define RECORDER_SYSTEM_WATCHED_CHUNK_H

#include "system/watched_stream.h"

struct watched_records {
	struct pile raw; /* whole records */
	uint32_t count;
	uint64_t t_base, last; /* ends of the record before them and of the last one */
	const struct watched_function *const *functions; /* by id */
};

/*
 * Sets what the header says of the body: encoding, sizes, times, carried records. The body lies in the place's work memory, or is the records as they are where they cannot be encoded.
 */
const uint8_t *watched_chunk_body(const struct watch_place *place, struct watched_records *records,
				  struct chunk_header *header);

#endif
