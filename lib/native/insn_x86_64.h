/* SPDX-License-Identifier: MIT */
/*
 * insn_x86_64.h - how long an instruction of x86-64 is, and what of it depends on where it lies.
 *
 * Only what is needed to move the first instructions of a function elsewhere: nothing is said of what an instruction computes. Unknown encodings
 * are told as such and never guessed. Plain bytes in, no state: to be tested on any machine.
 */
#ifndef RECORDER_NATIVE_INSN_X86_64_H
#define RECORDER_NATIVE_INSN_X86_64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_MAX 15u /* bytes of an instruction */

enum insn_flow {
	INSN_NEXT,    /* goes on behind itself */
	INSN_JUMP,    /* jmp to `target` */
	INSN_BRANCH,  /* jcc to `target` */
	INSN_COUNTED, /* loop, jrcxz and xbegin: to `target`, in a form that cannot be made longer */
	INSN_CALL,    /* to `target` */
	INSN_CALL_INDIRECT,
	INSN_JUMP_INDIRECT,
	INSN_RETURN,
	INSN_TRAP, /* int3, ud2, hlt ... */
};

struct insn {
	uint8_t length;
	uint8_t flow;         /* enum insn_flow */
	uint8_t condition;    /* of INSN_BRANCH: the low four bits of its opcode */
	uint8_t displacement; /* where the 32 bits that are counted from the end of it lie; 0: none */
	int64_t target; /* of jumps, branches and calls: counted from the instruction's begin */
	bool nop;       /* does nothing: padding */
};

/* False: not understood, or longer than `size`. */
bool insn_decode(const uint8_t *code, size_t size, struct insn *insn);

#endif
