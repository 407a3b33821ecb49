/* SPDX-License-Identifier: MIT */
/*
 * signature_plan.h - of each function of a chunk that is being encoded: where its fields are, and the mode of each (signature_table.h).
 */
#ifndef RECORDER_FORMAT_SIGNATURE_PLAN_H
#define RECORDER_FORMAT_SIGNATURE_PLAN_H

#include "format/signature_table.h"

/* The index of a function in the list, which has a plan then; -E2BIG if that is full. */
int signature_plan_find(struct signature_table *table, uint16_t id);
/* The value of a field must not be part of signatures any longer as it was. */
void signature_plan_raise(struct signature_table *table, struct function_plan *plan,
			  unsigned number);
/* After the records of a chunk: fields that go aside, but mostly, in some chain, are what another one was, are told by that from now on. */
void signature_plan_learn_copies(struct signature_table *table);
/* They are too many signatures, and go aside again. False: there was none. */
bool signature_plan_forget_copies(struct signature_table *table);

/* Bytes that a field takes in the words of a record. */
static inline size_t field_plan_bytes(const struct field_plan *field)
{
	return field->form == FORM_WORD || field->form == FORM_SITE ? 8 : 4;
}

#endif
