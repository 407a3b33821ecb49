/* SPDX-License-Identifier: MIT */
/*
 * cfi_encoding.h - how call frame information is written: its numbers that are used here, by the names of the standards, and fields that only it has.
 */
#ifndef RECORDER_RECORD_CFI_ENCODING_H
#define RECORDER_RECORD_CFI_ENCODING_H

#include "format/varint.h"

#if defined(__x86_64__)
#define REGISTER_FP 6u
#define REGISTER_SP 7u
#define REGISTER_RA 16u
#else
#define REGISTER_FP 29u
#define REGISTER_SP 31u
#define REGISTER_RA 30u
#endif

enum {
	CFA_SET_LOC = 0x01,
	CFA_ADVANCE1 = 0x02,
	CFA_ADVANCE2 = 0x03,
	CFA_ADVANCE4 = 0x04,
	CFA_OFFSET_EXTENDED = 0x05,
	CFA_RESTORE_EXTENDED = 0x06,
	CFA_UNDEFINED = 0x07,
	CFA_SAME_VALUE = 0x08,
	CFA_REGISTER = 0x09,
	CFA_REMEMBER = 0x0a,
	CFA_RESTORE_STATE = 0x0b,
	CFA_DEF_CFA = 0x0c,
	CFA_DEF_CFA_REGISTER = 0x0d,
	CFA_DEF_CFA_OFFSET = 0x0e,
	CFA_DEF_CFA_EXPRESSION = 0x0f,
	CFA_EXPRESSION = 0x10,
	CFA_OFFSET_EXTENDED_SF = 0x11,
	CFA_DEF_CFA_SF = 0x12,
	CFA_DEF_CFA_OFFSET_SF = 0x13,
	CFA_VAL_OFFSET = 0x14,
	CFA_VAL_OFFSET_SF = 0x15,
	CFA_VAL_EXPRESSION = 0x16,
	CFA_AARCH64_SIGN = 0x2d,
	CFA_GNU_ARGS_SIZE = 0x2e,
};

enum { OP_DEREF = 0x06, OP_PLUS_CONST = 0x23, OP_BREG0 = 0x70, OP_BREG31 = 0x8f };

/* The next `size` bytes, which are then a piece of their own. */
static inline struct bytes cfi_take(struct bytes *input, uint64_t size)
{
	const uint8_t *part = bytes_take(input, size);

	return (struct bytes){part, part ? part + size : part, !part};
}

static inline int64_t cfi_sleb(struct bytes *input)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = bytes_u8(input);
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while ((byte & 0x80) && shift < 64);
	if (byte & 0x80)
		bytes_fail(input);
	if (shift < 64 && (byte & 0x40))
		value |= ~0ull << shift;
	return (int64_t)value;
}

#endif
