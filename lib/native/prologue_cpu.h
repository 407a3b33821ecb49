/* SPDX-License-Identifier: MIT */
/*
 * prologue_cpu.h - what prologue.c asks of a CPU, beside insn.h; in prologue_CPU.c, and on aarch64 what is written in prologue_move_aarch64.c.
 */
#ifndef RECORDER_NATIVE_PROLOGUE_CPU_H
#define RECORDER_NATIVE_PROLOGUE_CPU_H

#include "native/insn.h"
#include "native/prologue.h"

struct prologue_writer {
	uint8_t *bytes;
	size_t length;
	uintptr_t to;
	size_t words;     /* aarch64: at the end of the bytes, which the code loads */
	unsigned scratch; /* aarch64: a register that may be used for addresses; 0: none */
};

void prologue_put(struct prologue_writer *writer, const void *bytes, size_t size);

/* How many bytes at a function's begin indirect calls need; plan->sign. */
size_t prologue_landing(const uint8_t *code, size_t size, struct prologue *plan);
/* plan->saved */
void prologue_look(const uint8_t *code, size_t size, struct prologue *plan);
/* Whether an instruction of the function, at `at`, names a table by which one may jump to what lies before `end`. */
bool prologue_has_table(const uint8_t *code, size_t size, size_t at, const struct insn *insn,
			size_t end);
/* NULL: it can be moved. `last`: there is room for the jump once this one is moved, too. */
const char *prologue_cannot_move(const uint8_t *code, const struct insn *insn, bool last);
/* Before the first one. */
void prologue_move_begin(struct prologue_writer *writer, const uint8_t *code,
			 const struct prologue *plan);
/* One that lies at `from`. False: something is out of reach. */
bool prologue_move_one(struct prologue_writer *writer, const uint8_t *code, const struct insn *insn,
		       uintptr_t from);
/* On to `target`. False: it is out of reach. */
bool prologue_move_end(struct prologue_writer *writer, uintptr_t target);

#endif
