/* SPDX-License-Identifier: MIT */
/*
 * signature_shape.h - a record that is being encoded as its function's modes have it, field by field: what its signature has for each of them. Records of one shape have one signature.
 */
#ifndef RECORDER_FORMAT_SIGNATURE_SHAPE_H
#define RECORDER_FORMAT_SIGNATURE_SHAPE_H

#include "format/signature_table.h"

struct signature_shape {
	struct function_plan *plan;
	uint32_t function; /* its index */
	unsigned field_count;
	struct signature_field *fields;
};

/* Reads the record's fields into table->values. -E2BIG: what has to be looked up is too many. */
int signature_shape_values(struct signature_table *table, const struct signature_shape *shape,
			   const struct raw_record *record);
/* Makes the fields of the shape of these values. -E2BIG: there are too many chains. */
int signature_shape_take(struct signature_table *table, struct signature_shape *shape);
/* Whether a field before this one changes a chain of the same kind, of descriptors or of numbers: it cannot be told by what another one has then. */
bool signature_shape_is_settled(const struct function_plan *plan,
				const struct signature_field *fields, unsigned number);
uint32_t signature_shape_hash(const struct signature_shape *shape, const struct raw_record *record,
			      bool after);
/* Notes what a new signature is made for. True: a field was found to make too many, and has another mode now. */
bool signature_shape_too_many(struct signature_table *table, const struct signature_shape *shape);

#endif
