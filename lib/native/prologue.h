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
 *
 * On aarch64 one instruction is replaced, or, where a jump of one cannot reach, four. Where indirect calls land (bti, paciasp) stays. Behind a paciasp the return address is signed: the stub takes
 * the signature off, and what is moved signs again, so that what is signed is where the function really returns to.
 */
#ifndef RECORDER_NATIVE_PROLOGUE_H
#define RECORDER_NATIVE_PROLOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __aarch64__
#define PROLOGUE_JUMP 4u /* bytes of the jump that is written */
#define PROLOGUE_FAR 16u /* of the one that reaches everything; 0: there is none */
#define PROLOGUE_REACH ((uintptr_t)0x7ff0000)
#define PROLOGUE_MOVED_MAX 128u       /* bytes of moved instructions and the jump back */
#define PROLOGUE_ENTRY_SIZE 32u       /* of what is jumped to, before these */
#define PROLOGUE_LANDS_ANYWHERE false /* what is called by an address need not begin with a mark */
#else
#define PROLOGUE_JUMP 5u
#define PROLOGUE_FAR 0u
#define PROLOGUE_REACH ((uintptr_t)0x7ff00000) /* of 32 bits with a sign */
#define PROLOGUE_MOVED_MAX 64u
#define PROLOGUE_ENTRY_SIZE 16u
#define PROLOGUE_LANDS_ANYWHERE true
#endif
#define PROLOGUE_JUMP_MAX 16u

/* Of a function that calls nothing: it keeps its return address in a register. */
#define PROLOGUE_SAVED_NOWHERE 4u
#define PROLOGUE_SAVED_UNKNOWN 1u

struct prologue {
	uint8_t at;         /* where the jump goes, from the function's begin */
	uint8_t length;     /* of the instructions that it replaces, whole ones */
	uint8_t far_length; /* the same of the jump that reaches everything; 0: it cannot be done */
	bool far;
	bool nops; /* they do nothing, and need not be run: the compiler left room */
	uint32_t
		sign; /* aarch64: the instruction before them that signs the return address; 0: none */
	uint32_t
		saved; /* aarch64: how far below the stack of the caller the return address is saved, or one of the above */
};

/*
 * Judges a function of `size` bytes, behind which up to `room` bytes from its begin belong to nobody. NULL: it can be done; else why not, in words that stay.
 */
const char *prologue_plan(const uint8_t *code, size_t size, size_t room, struct prologue *plan);

/* Where the jump has to go, behind a mark for what may be jumped to. */
uint8_t prologue_begin(const uint8_t *code, size_t size);
/* How long a function is that does nothing but return; 0: it does something. */
size_t prologue_empty(const uint8_t *code);

/*
 * Writes what runs in place of those instructions: `address` is where the function is, `to` where the bytes will be run, of which there are PROLOGUE_MOVED_MAX. Returns
 * how many; 0: something is out of reach from there.
 */
size_t prologue_move(const uint8_t *code, uintptr_t address, const struct prologue *plan,
		     uint8_t *bytes, uintptr_t to);

/* What is jumped to instead of the function, PROLOGUE_ENTRY_SIZE bytes: on to *head with a number. `plan` NULL: by the words through which others call it. */
void prologue_entry(uint8_t *bytes, const struct prologue *plan, uint32_t number,
		    const uintptr_t *head);
/* Whether a jump of PROLOGUE_JUMP bytes can go there. */
bool prologue_reaches(uintptr_t from, uintptr_t to);
/* Such a jump, or, `far`, one of PROLOGUE_FAR bytes; how many. */
size_t prologue_jump(uint8_t bytes[PROLOGUE_JUMP_MAX], uintptr_t from, uintptr_t to, bool far);

#endif
