/* SPDX-License-Identifier: MIT */
/*
 * got.h - the words through which objects call functions of others.
 */
#ifndef RECORDER_NATIVE_GOT_H
#define RECORDER_NATIVE_GOT_H

#include <stdint.h>

#include "native/elf_symbols.h"

/* In all objects: what calls `symbol`, which is at `real`, calls `entry` from now on. Returns how many words there were; with an `entry` of 0 that is all. Atomic for threads that run. */
unsigned got_replace(const char *symbol, uintptr_t real, uintptr_t entry);

/* The word by which an object calls `symbol`; 0: it does not. */
uintptr_t got_word(const struct elf_object *object, const char *symbol);

#endif
