/* SPDX-License-Identifier: MIT */
/*
 * got.h - the words through which objects call functions of others.
 */
#ifndef RECORDER_NATIVE_GOT_H
#define RECORDER_NATIVE_GOT_H

#include <stdint.h>

#include "native/elf_symbols.h"

/* The function that an object, by the code at `resolver`, has chosen when it was loaded (IFUNC); 0: none is called by that object. */
uintptr_t got_chosen(const struct elf_object *object, uintptr_t resolver);

struct got_words {
	const char *symbol; /* in all objects, NULL: it is not exported */
	uintptr_t resolver; /* in the one that has it, 0: it is no IFUNC */
	uintptr_t real;     /* where they lead */
};

/* What calls the function calls `entry` from now on. Returns how many words there were; with an `entry` of 0 that is all. Atomic for threads that run. */
unsigned got_replace(const struct got_words *words, uintptr_t entry);

/* The word by which an object calls `symbol`; 0: it does not. */
uintptr_t got_word(const struct elf_object *object, const char *symbol);

#endif
