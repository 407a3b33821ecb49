/* SPDX-License-Identifier: MIT */
/*
 * stubs.h - memory for stubs, near the code that jumps to them, and changes of code.
 *
 *	area:  native_entry's address | stub | stub | ...
 *	stub:  number; jump to native_entry        what is jumped to in place of a function
 *	       moved instructions; jump back       `resume`: its own code
 *
 * An area is written, then made executable, and only then used: no memory is both, but for the pages of the program while they are changed, where a system that forbids it is to say so before
 * anything is changed. Code is changed only where no thread can be running (native.h).
 */
#ifndef RECORDER_NATIVE_STUBS_H
#define RECORDER_NATIVE_STUBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "native/prologue.h"

struct stub_area {
	uint8_t *memory; /* NULL: none */
	size_t size, used;
};

struct stub {
	uintptr_t entry, resume;
	bool far; /* no short jump reaches it from the function */
};

/* Room for `count` stubs within reach of all code from `start` to `end`; where there is none, anywhere, if a CPU has jumps that reach it. 0 or -errno. */
int stubs_open(struct stub_area *area, uintptr_t start, uintptr_t end, unsigned count);
/* One for the function at `address`. False: something that its first instructions use is out of reach. */
bool stub_write(struct stub_area *area, uint32_t number, uintptr_t address,
		const struct prologue *plan, struct stub *stub);
/* One that is not jumped to from code; where it goes on is up to the number. */
bool stub_write_plain(struct stub_area *area, uint32_t number, struct stub *stub);
/* No more are written: they may be used. 0 or -errno. */
int stubs_close(struct stub_area *area);
void stubs_free(struct stub_area *area);

/* Writes the jump to a stub at `address`. 0 or -errno: nothing has changed. */
int code_jump(uintptr_t address, const struct stub *stub);
/* Writes a word of data that may be read-only, which it is again afterwards. */
int data_word(uintptr_t *word, uintptr_t value, bool read_only);

#endif
