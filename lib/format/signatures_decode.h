/* SPDX-License-Identifier: MIT */
/*
 * signatures_decode.h - the body of DATA encoding 2 or 3 back into raw records, one after the other.
 *
 * The caller gives the memory, in these steps:
 *
 *	signatures_open(&signatures, header, words, words_size, bits, bits_size);
 *	lists_functions(&signatures.lists, functions);         function_count of them: ids; the caller adds the classes
 *	signatures_begin(&signatures, functions, memory, size);    -ENOBUFS: again with more memory
 *	while ((size = signatures_next(&signatures, record)) > 0)
 *		...
 *
 * Nothing that a body can hold makes it read or write outside. Records come out as those of columns_decode.h: `sequence` is not set, `callsite` is the offset in the
 * module whose id is in `reserved1` (0: an address), and a zero byte follows each string.
 */
#ifndef RECORDER_FORMAT_SIGNATURES_DECODE_H
#define RECORDER_FORMAT_SIGNATURES_DECODE_H

#include <sys/types.h>

#include "format/decoded_signature.h"
#include "format/record_blocks.h"
#include "format/predictor.h"
#include "format/summed_decode.h"

/* Bytes that `bits` must have behind them, and records as the caller gives them beyond DECODED_RECORD_MAX. */
#define SIGNATURES_BEHIND 8u
#define SIGNATURES_RECORD_MAX (DECODED_RECORD_MAX + 64)

/* Numbers of one field of a function that are not in signatures: all of them, or those of a chain. */
struct decoded_aside {
	struct numbers numbers;
	uint64_t factor;
	uint32_t chain;
};

struct aside_field {
	bool used, by_chain;
	uint32_t count;
	struct decoded_aside *parts; /* `count`, by chain */
};

#define SIGNATURES_AT_ONCE 256u /* records */

struct signatures {
	struct lists lists;
	struct bytes words, bits;
	uint32_t done; /* records */
	uint64_t size; /* bytes of them as raw records are given out */
	uint64_t self;
	uint32_t signature_count, chain_count, group_count, field_count;
	uint32_t patches_max;  /* of a signature */
	uint64_t number_count; /* in all sequences of times and aside */
	uint64_t end;          /* T(tend) of the record before */
	bool summed;           /* encoding 3: all times are made up when it begins */
	struct predictor predictor;
	/* in the caller's memory: */
	struct bump bump;
	struct record_blocks blocks;
	const struct list_function *functions;
	struct list_site *sites;
	uint64_t *chains;
	struct aside_field *asides; /* by function, from its `first` on, and field: `field_count` */
	struct decoded_signature *signatures;
	struct number_pairs *times; /* idle time and duration, a group each */
	struct summed sums;
};

/* A record without what its signature tells. */
struct signature_item {
	uint64_t tstart, tend; /* ticks */
	uint32_t values;       /* where those of its patches begin */
	uint16_t signature;
	uint16_t flags; /* none: they are the caller's */
};

/* So many numbers more are in the sequences. 0; -EBADMSG: they are too many. */
int signatures_count_numbers(struct signatures *signatures, uint32_t count);

/* 0 or -EBADMSG. `words` is inflated; both must last as long as records are read. */
int signatures_open(struct signatures *signatures, const struct chunk_header *header,
		    const void *words, size_t words_size, const void *bits, size_t bits_size);
/*
 * 0; -EBADMSG; -ENOBUFS: more than `size` bytes of memory, aligned to 16, are needed. `functions` gets `first` set. Both must last as long as records
 * are read.
 */
int signatures_begin(struct signatures *signatures, struct list_function *functions, void *memory,
		     size_t size);
/*
 * Decodes the next `count` records (at most SIGNATURES_AT_ONCE) or all that are left, of which it returns the number; 0 after the last one; -EBADMSG. `values`
 * has room for count * patches_max behind the first *used, to which those that are new are added.
 */
int signatures_items(struct signatures *signatures, struct signature_item *items, uint32_t count,
		     uint64_t *values, uint32_t *used);
/* Makes the raw record of an item, in SIGNATURES_RECORD_MAX bytes; its size. */
uint32_t signatures_record(struct signatures *signatures, const struct signature_item *item,
			   const uint64_t *values, struct raw_record *record);
/*
 * Writes the next record into SIGNATURES_RECORD_MAX bytes, and returns its size, at most DECODED_RECORD_MAX; 0 after the last
 * one; -EBADMSG.
 */
ssize_t signatures_next(struct signatures *signatures, struct raw_record *record);

#endif
