/* SPDX-License-Identifier: MIT */
/* drawn.h - records of calls as the runtime could make them, drawn from the input of a fuzz target: single ones, and what loops would make of them. */
#ifndef RECORDER_FUZZ_DRAWN_H
#define RECORDER_FUZZ_DRAWN_H

#include "format/bytes.h"
#include "format/data_decode.h"
#include "format/signatures_encode.h"
#include "format/raw.h"

#define DRAWN_BYTES (256u << 10)
#define DRAWN_HINTS 64u

/* Those of the last input, and what they are to be encoded with (encode_input). */
struct drawn {
	_Alignas(8) uint8_t records[DRAWN_BYTES + 2 * DECODED_RECORD_MAX + RECORDS_BEHIND];
	uint32_t size, count;
	uint64_t t_base, unit, phase, self;
	uint64_t hints[DRAWN_HINTS];
};

extern struct drawn drawn;

void drawn_take(struct bytes *input);

/* The function with this id, and a call site: encode_input.function, .site. */
struct encode_function drawn_function(void *data, uint16_t id);
struct encode_site drawn_site(void *data, uint64_t address);

#endif
