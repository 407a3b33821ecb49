/* SPDX-License-Identifier: MIT */
/*
 * specs.h - which arguments and results of native functions are to be recorded: "solve@arg1/i,arg2/s" and "solve@ret/d".
 *
 *	argN/FORMAT    the Nth argument     ret/FORMAT    the result     fpargN/FORMAT    the Nth floating-point register
 *
 *	i u x    signed, unsigned, hexadecimal; i8 ... i64, u8 ... u64: of so many bits. Without, 32 where the upper half says nothing, else 64
 *	c s p    a character, a string of C, a pointer
 *	f d      float, double
 *
 * Integers and floating-point numbers come in registers of their own, each counted by themselves: so of arguments that stand before one, those that are float
 * or double have to be in the list, too. Further integers are read from the stack. Structures that are passed by value, long double and vectors are none of these.
 */
#ifndef RECORDER_NATIVE_SPECS_H
#define RECORDER_NATIVE_SPECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/kinds.h"

#define SPEC_ARGS_MAX 12u
#define SPECS_MAX 16384u /* functions of a process that have some */
#define SPEC_NAME_MAX 48u

struct native_item {
	uint8_t kind;   /* enum kind */
	uint8_t bits;   /* of an integer; 0: see above. 32 or 64 of a floating-point number */
	uint8_t place;  /* of its kind of registers, from 0 */
	uint8_t length; /* of a string that has no end: the place of its length + 1 */
	bool floating;
	bool indirect; /* the register has its address; without one it is 0 */
	char name[SPEC_NAME_MAX];
};

struct native_spec {
	struct native_item args[SPEC_ARGS_MAX];
	uint8_t arg_count;
	bool has_result;
	struct native_item result;
};

/* Adds what a list says. False: it cannot be understood; *spec is as it was. */
bool spec_arguments(struct native_spec *spec, const char *list);
bool spec_result(struct native_spec *spec, const char *list);

/* The integer that a register or a word of the stack has. */
static inline int64_t spec_integer(const struct native_item *item, uint64_t word)
{
	bool is_signed = item->kind == KIND_int || item->kind == KIND_char;
	unsigned bits = item->bits;

	if (bits == 0)
		bits = word >> 32 == 0 || (is_signed && word >> 32 == UINT32_MAX) ? 32 : 64;
	if (bits == 64)
		return (int64_t)word;
	word <<= 64 - bits;
	return is_signed ? (int64_t)word >> (64 - bits) : (int64_t)(word >> (64 - bits));
}

/* Whether it is in a general register, and can be stored as it is. */
static inline bool spec_is_quick(const struct native_item *item)
{
	return !item->floating && !item->indirect && item->kind != KIND_string &&
	       item->kind != KIND_pointer;
}

#endif
