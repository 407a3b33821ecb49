/* SPDX-License-Identifier: MIT */
/*
 * lists.h - what the bodies of DATA encodings 1 and 2 begin with: the unit of time, the functions, call sites and carried records of the chunk.
 *
 * Nothing that a body can hold makes this read or write outside.
 */
#ifndef RECORDER_FORMAT_LISTS_H
#define RECORDER_FORMAT_LISTS_H

#include "format/bytes.h"

/* A record in decoded form takes at most that: a zero byte follows each string. */
#define DECODED_RECORD_MAX (RECORD_MAX_SIZE + 8 * RECORD_MAX_ARGS)

struct list_function {
	const uint8_t *classes; /* of its arguments */
	uint32_t first;         /* the decoder's: of what it has in an order by functions */
	uint16_t id;
	uint8_t arg_count;
	uint8_t result_class;
};

struct list_site {
	uint64_t offset;
	uint32_t module;
};

struct lists {
	uint32_t count; /* records */
	uint32_t function_count, site_count, carried;
	uint64_t unit, phase;
	uint64_t base; /* T(t_base) */
	uint64_t last; /* T(t_max) of encoding 3 */
	struct bytes function_list, site_list, carried_list;
};

/* Reads them from the begin of `body`. 0 or -EBADMSG. `header` is that of the chunk. */
int lists_open(struct lists *lists, const struct chunk_header *header, struct bytes *body);
/* Fills the ids in; the caller adds the classes. 0; -EBADMSG: one is out of range or there twice. */
int lists_functions(const struct lists *lists, struct list_function *functions);
/* 0; -EBADMSG: one is out of range. */
int lists_sites(const struct lists *lists, struct list_site *sites);
/* How many of `count` the next bytes say that there are, at most one for each byte left. */
uint32_t lists_take_count(struct bytes *body, uint64_t limit);

/* Whether record `index`, which began that many units before the chunk, is the next carried one. */
bool lists_carried(struct lists *lists, uint32_t index, uint64_t before);
/* Whether no carried record is left. */
bool lists_ended(const struct lists *lists);

/* T * unit + phase; *bad is set if that is too much. */
static inline uint64_t lists_ticks(const struct lists *lists, uint64_t units, bool *bad)
{
	uint64_t product, sum;

	if (__builtin_mul_overflow(units, lists->unit, &product) ||
	    __builtin_add_overflow(product, lists->phase, &sum)) {
		*bad = true;
		return 0;
	}
	return sum;
}

#endif
