/* SPDX-License-Identifier: MIT */
/*
 * prologue.h - the first instructions of a function, to be replaced by a jump and to be run elsewhere.
 *
 *	function:  [endbr64] jmp entry ...      the rest of the function
 *	                                        ^
 *	entry:     ... the recorder ...         |
 *	resume:    the instructions that were there; jmp ┘
 *
 * A call among them can only be the last one: it is made by a jump, with the return address that it had, behind it in the function, where unwinders know it.
 *
 * It is refused where anything could go to what is replaced but to its begin, or where an instruction means something else in another place: a branch of the
 * function back into them, a loop. The whole function has to be understood for that.
 */
#ifndef RECORDER_NATIVE_PROLOGUE_H
#define RECORDER_NATIVE_PROLOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROLOGUE_JUMP 5u       /* bytes of the jump that is written */
#define PROLOGUE_MOVED_MAX 64u /* bytes of moved instructions and the jump back */

struct prologue {
	uint8_t at;     /* where the jump goes, from the function's begin */
	uint8_t length; /* of the instructions that it replaces, whole ones */
	bool nops;      /* they do nothing, and need not be run: the compiler left room */
};

/*
 * Judges a function of `size` bytes, behind which up to `room` bytes from its begin belong to nobody. NULL: it can be done; else why not, in words that stay.
 */
const char *prologue_plan(const uint8_t *code, size_t size, size_t room, struct prologue *plan);

/* Where the jump has to go, behind a mark for what may be jumped to. */
uint8_t prologue_begin(const uint8_t *code, size_t size);

/*
 * Writes what runs in place of those instructions: `address` is where the function is, `to` where the bytes will be run, of which there are PROLOGUE_MOVED_MAX. Returns
 * how many; 0: something is out of reach from there.
 */
size_t prologue_move(const uint8_t *code, uintptr_t address, const struct prologue *plan,
		     uint8_t *bytes, uintptr_t to);

#endif
