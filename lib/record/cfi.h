/* SPDX-License-Identifier: MIT */
/*
 * cfi.h - where a function of a loaded object keeps its caller's registers: one row of the table that compilers write into .eh_frame.
 *
 * Only what is needed to find return addresses is taken from it: the canonical frame address (CFA, the stack pointer before the call
 * that made the frame), the return address and the frame pointer. Compilers say all three by a register and an offset, or by one
 * memory word that lies at such a place; what is said otherwise is not understood, and never guessed.
 */
#ifndef RECORDER_RECORD_CFI_H
#define RECORDER_RECORD_CFI_H

#include <stdbool.h>
#include <stdint.h>

enum cfi_place {
	CFI_UNKNOWN,   /* in a way that is not understood, or lost */
	CFI_SAME,      /* still in its register */
	CFI_UNDEFINED, /* of the return address: the outermost frame */
	CFI_AT_CFA,    /* in memory, at the CFA plus offset */
	CFI_AT_SP,     /* in memory, at the stack pointer plus offset */
	CFI_AT_FP,     /* in memory, at the frame pointer plus offset */
};

struct cfi_where {
	int32_t offset;
	uint8_t place; /* enum cfi_place */
};

struct cfi_row {
	/* CFI_AT_SP or CFI_AT_FP: the CFA itself is that sum; with `cfa_in_memory` it is the word there, plus cfa_more */
	struct cfi_where cfa, return_address, frame_pointer;
	int32_t cfa_more;
	bool cfa_in_memory;
	bool signal; /* the frame was made by a signal: what it returns to is no call */
};

/* An ELF object in memory: where its first page is, of which the headers are read. */
struct cfi_image {
	uintptr_t base;
};

/* The row of the instruction at `pc`. False: none, or not understood. No lock, no memory of the heap, no fault. */
bool cfi_find(const struct cfi_image *image, uintptr_t pc, struct cfi_row *row);

#endif
