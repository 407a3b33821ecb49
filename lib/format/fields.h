/* SPDX-License-Identifier: MIT */
/*
 * fields.h - the fields of a record in the order in which signatures have them (doc/format.md section 5), and where they lie in a raw record.
 */
#ifndef RECORDER_FORMAT_FIELDS_H
#define RECORDER_FORMAT_FIELDS_H

#include <stdbool.h>

#include "format/wire.h"

/* Those of the result and the arguments follow. */
enum signature_field_number {
	FIELD_REPEAT, /* less 1 */
	FIELD_SITE,
	FIELD_STACK,
	FIELD_RESULT,
};
/* Fields that a record has at most: results and arguments may be of two. */
#define FIELDS_MAX (FIELD_RESULT + 2u * (RECORD_MAX_ARGS + 1u))

/* What is at the place of a field. */
enum field_form {
	FORM_UNKNOWN, /* of a class of a later version */
	FORM_REPEAT,
	FORM_SITE,
	FORM_WORD,  /* 64 bits */
	FORM_VALUE, /* the low half of a PAIR */
	FORM_ID,    /* any other 32 bits without a sign */
	FORM_STRING,
	FORM_ARRAY,
};

struct field_place {
	uint16_t at; /* byte of the raw record */
	uint8_t form;
};

static inline bool field_is_block(unsigned form)
{
	return form == FORM_STRING || form == FORM_ARRAY;
}

/* The fields of a value of a class at byte `at`, one or two; returns how many. */
unsigned fields_of_value(struct field_place *places, unsigned class, size_t at);
/* Those in front of the arguments. */
unsigned fields_of_call(struct field_place *places, unsigned result_class);
/* Those of argument number `index`. */
unsigned fields_of_arg(struct field_place *places, unsigned class, unsigned index);

#endif
