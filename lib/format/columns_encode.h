/* SPDX-License-Identifier: MIT */
/*
 * columns_encode.h - raw records into the plain body of DATA encoding 1, doc/format.md section 5.
 *
 * The caller gives the memory and is told the size; nothing here allocates, blocks or needs
 * more than a few hundred bytes of stack, so that it can run in the traced program. Cost: one pass over the records
 * for what they have in common, one over each function's records for each of its arguments.
 */
#ifndef RECORDER_FORMAT_COLUMNS_ENCODE_H
#define RECORDER_FORMAT_COLUMNS_ENCODE_H

#include "format/wire.h"

/* What the encoder must know of a function: the class of its result and of each argument (enum arg_class). */
struct encode_function {
	uint8_t result_class;
	uint8_t arg_count;
	const uint8_t *arg_classes;
};

/* Where the address of a call site lies. */
struct encode_site {
	uint32_t module; /* 0: not in a known one, `offset` is the address */
	uint64_t offset;
};

struct encode_input {
	const uint8_t *records; /* raw records, whole */
	uint32_t size;
	uint32_t count;
	uint64_t t_base; /* ticks; not after the first tend */
	uint64_t unit;   /* ticks in a time unit */
	uint64_t phase;
	void *data; /* for the callbacks */
	struct encode_function (*function)(void *data, uint16_t id);
	struct encode_site (*site)(void *data, uint64_t address);
};

struct encode_output {
	uint32_t size; /* of the plain body */
	uint32_t carried;
	/* where in the plain body the columns of time stamps lie */
	uint32_t times_begin, times_end;
	uint64_t t_base, t_min, t_max; /* quantised, for the chunk header */
};

/* Bytes of work memory and of plain body that `size` bytes of records need at most. */
size_t columns_work_size(size_t size);
size_t columns_plain_bound(size_t size);

/* 0; -E2BIG: too many different functions or call sites for this encoding; -ENOBUFS: `plain` is too small. In both
 * cases the records can still be stored raw. */
int columns_encode(const struct encode_input *input, void *work, uint8_t *plain, size_t room,
		   struct encode_output *output);

#endif
