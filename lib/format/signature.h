/* SPDX-License-Identifier: MIT */
/*
 * signature.h - what the encoder and the decoder of DATA encoding 2 have in common, doc/format.md section 5: operations and the prediction of the next signature.
 */
#ifndef RECORDER_FORMAT_SIGNATURE_H
#define RECORDER_FORMAT_SIGNATURE_H

#include "format/wire.h"

#define SIGNATURES_MAX 65534u
#define SIGNATURE_CHAINS_MAX 65535u
#define SIGNATURE_GROUPS_MAX 65535u
#define SIGNATURE_NUMBERS_MAX (20u << 20) /* in all sequences of a chunk but the first two */

enum signature_operation {
	FIELD_CONSTANT,
	FIELD_RELATIVE,
	FIELD_EQUAL,
	FIELD_ADD,
	FIELD_ASIDE,
	FIELD_OPERATIONS,
};

/* Added to the index of a string or array, as 0 and 1 are BLOCK_ABSENT and BLOCK_UNREADABLE. */
#define FIELD_BLOCKS 2u

/* Elements of an array, at most; a larger number says which array before it is like. */
#define ELEMENTS_MAX (RECORD_MAX_SIZE / 8)

#define PREDICTOR_LOG 14u

/* Numbers + 1 of the last signatures, the last one first; 0 none. */
struct signature_context {
	uint32_t one, two, three;
};

/* Where the number + 1 of the next signature is predicted, in a table of 1 << PREDICTOR_LOG. */
static inline uint32_t predictor_place(struct signature_context context)
{
	uint32_t hash =
		context.one * 0x9E3779B1u + context.two * 0x85EBCA6Bu + context.three * 0xC2B2AE35u;

	return hash >> (32 - PREDICTOR_LOG);
}

/* After the signature with this number + 1. */
static inline struct signature_context predictor_after(struct signature_context context,
						       uint32_t one)
{
	return (struct signature_context){one, context.one, context.two};
}

#endif
