/* SPDX-License-Identifier: MIT */
/*
 * decoded_signature.h - the signatures of a chunk that is being decoded: what all records of one have in common, and which of their fields
 * are to be filled in.
 */
#ifndef RECORDER_FORMAT_DECODED_SIGNATURE_H
#define RECORDER_FORMAT_DECODED_SIGNATURE_H

#include "format/fields.h"
#include "format/lists.h"
#include "format/number_queue.h"

/* A field that is different from record to record, or has a block. */
struct signature_patch {
	uint8_t operation;
	struct field_place place;
	uint16_t equal; /* patch whose value it is */
	uint16_t chain;
	union {
		uint64_t
			operand; /* of one that goes aside its field, until its numbers are found */
		struct decoded_aside *aside;
	};
};

#define COPY_AT_ONCE 32u /* bytes of a signature's record */

struct decoded_signature {
	struct number_pairs *times; /* idle time and duration */
	struct signature_patch *patches;
	struct raw_record *record; /* what all have in common; a multiple of COPY_AT_ONCE bytes */
	uint32_t size;             /* of `record` */
	uint32_t copied;
	uint32_t excess; /* of the blocks that are in `record` */
	uint16_t patch_count;
	bool after;
	bool has_blocks; /* some patch is a block */
	bool steps;      /* all patches are words that go on by steps, each of a chain of its own */
};

struct signatures;

/* The fields of a function's records that have `arg_count` arguments; returns how many. */
unsigned signature_fields(const struct list_function *function, unsigned arg_count,
			  struct field_place *places);
/* Reads all signatures, which are next in the words. 0, -EBADMSG, -ENOBUFS. */
int signatures_read(struct signatures *signatures);
/* Whether a field can have such a value. */
bool signature_value_is_right(const struct signatures *signatures, struct field_place place,
			      uint64_t value);
/* Puts such a value into a record. */
void signature_put(struct signatures *signatures, struct raw_record *record,
		   struct field_place place, uint64_t value);

#endif
