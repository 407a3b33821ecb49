/* SPDX-License-Identifier: MIT */
/*
 * cfi_rows.h - the rows of one function (cfi.h), made by the call frame instructions of DWARF 5, section 6.4.
 *
 * A row begins as the instructions of the CIE say; those of the FDE change it up to the wanted address.
 */
#ifndef RECORDER_RECORD_CFI_ROWS_H
#define RECORDER_RECORD_CFI_ROWS_H

#include "format/bytes.h"
#include "record/cfi.h"

/* The instructions of a function; the bytes stay where they are, in its object. */
struct cfi_code {
	struct bytes common, own; /* of its CIE, of its FDE */
	uint64_t code_unit;
	int64_t data_unit;
	uintptr_t begin; /* where the first row holds */
};

/* The row of the instruction at `pc`, but for its `signal`, which is false. False: it is not understood. */
bool cfi_row_at(const struct cfi_code *code, uintptr_t pc, struct cfi_row *row);

#endif
