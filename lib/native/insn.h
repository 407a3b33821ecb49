/* SPDX-License-Identifier: MIT */
/*
 * insn.h - how long an instruction is, and what of it depends on where it lies; in insn_CPU.c.
 *
 * Only what is needed to move the first instructions of a function elsewhere: little is said of what an instruction computes. Unknown encodings
 * are told as such and never guessed. Plain bytes in, no state.
 */
#ifndef RECORDER_NATIVE_INSN_H
#define RECORDER_NATIVE_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_MAX 15u /* bytes of an instruction */

enum insn_flow {
	INSN_NEXT,    /* goes on behind itself */
	INSN_JUMP,    /* to `target` */
	INSN_BRANCH,  /* to `target`, or on behind itself */
	INSN_COUNTED, /* loop, jrcxz and xbegin: to `target`, in a form that cannot be made longer */
	INSN_CALL,    /* to `target` */
	INSN_CALL_INDIRECT,
	INSN_JUMP_INDIRECT,
	INSN_RETURN,
	INSN_TRAP, /* int3, ud2, hlt, brk ... */
};

struct insn {
	uint8_t length;
	uint8_t flow;         /* enum insn_flow */
	uint8_t condition;    /* of INSN_BRANCH: the low four bits of its opcode, on x86-64 */
	uint8_t displacement; /* x86-64: where the 32 bits that are counted from the end of it lie; 0: none. aarch64: what is counted from it */
	int64_t target; /* of jumps, branches and calls: counted from the instruction's begin */
	bool nop;       /* does nothing: padding */
	bool base; /* aarch64: takes the address of `target`, from which the places of a table may be counted */
	bool frame; /* moves the stack pointer: it stands where a function begins, and nothing jumps back to it */
};

/* False: not understood, or longer than `size`. */
bool insn_decode(const uint8_t *code, size_t size, struct insn *insn);

/* What is kept from one instruction to the next; at first all 0. */
struct insn_words {
	uintptr_t pages[32]; /* aarch64: what adrp has left in each register */
};

/*
 * The word in memory that an instruction at `address` calls or jumps by, or, on aarch64, that it loads from where the linker has put it; 0: by none.
 */
uintptr_t insn_word(struct insn_words *words, const uint8_t *code, const struct insn *insn,
		    uintptr_t address);

#endif
