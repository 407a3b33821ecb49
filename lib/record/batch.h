/* SPDX-License-Identifier: MIT */
/*
 * batch.h - records on their way from a ring to a chunk, and what the encoders ask about them.
 */
#ifndef RECORDER_RECORD_BATCH_H
#define RECORDER_RECORD_BATCH_H

#include "format/signatures_encode.h"
#include "record/clock.h"
#include "record/thread.h"

/* Records of a ring that follow each other. */
struct batch {
	const uint8_t *records;
	uint32_t size, count;
	uint64_t first_sequence;
	uint64_t t_base; /* ticks: tend of the record before */
};

/* All that the ring has from byte `from` on, before which there are `passed` records. */
struct batch batch_from(const struct thread *thread, uint32_t from, uint32_t passed,
			uint64_t t_base);
/* The first half of its records; of one record that one. */
struct batch batch_half(const struct batch *batch);
/* What is left of a batch behind a part that it begins with. */
struct batch batch_behind(const struct batch *batch, const struct batch *part);
/* What the header says of them as they are, in encoding 0. */
void batch_describe_raw(const struct batch *batch, struct chunk_header *chunk);

/* For the encoders; `data`: struct batch_classes. */
struct batch_classes {
	uint8_t args[RECORD_MAX_ARGS];
};
struct encode_function batch_function(void *data, uint16_t id);
struct encode_site batch_site(void *data, uint64_t address);

/* Ticks in so many ns, as well as is known until now. */
uint64_t batch_ticks(int64_t ns, const struct anchor *now);
/* Ticks in a time unit: RECORDER_TIME_RESOLUTION, as a multiple of what the counter resolves. */
uint64_t batch_unit(const struct anchor *now);
/* The tick from which units are counted, less than one of them; `reading`: a time of the chunk. */
uint64_t batch_phase(uint64_t unit, uint64_t reading);

/* Whether there is less stack than an encoder needs. */
bool batch_on_alternate_stack(void);

#endif
