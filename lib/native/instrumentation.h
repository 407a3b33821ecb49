/* SPDX-License-Identifier: MIT */
/*
 * instrumentation.h - whether a function has in it what its compiler puts there for tracers: such a function is recorded by that alone (instrumented.h).
 */
#ifndef RECORDER_NATIVE_INSTRUMENTATION_H
#define RECORDER_NATIVE_INSTRUMENTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "native/elf_symbols.h"

#define INSTRUMENTATION_WORDS 3u /* __cyg_profile_func_enter, __fentry__, mcount */

/* The words by which an object calls each; 0: it does not. */
void instrumentation_find(const struct elf_object *object, uintptr_t words[INSTRUMENTATION_WORDS]);
/* Whether code of the object, at `address`, calls one of them, itself or by a stub. */
bool instrumentation_calls(const struct elf_object *object, uintptr_t address, size_t size,
			   const uintptr_t words[INSTRUMENTATION_WORDS]);
/* The length of a call of __fentry__ that stands there: the one thing that it is for is to be replaced. 0: something else does. */
uint8_t instrumentation_begins(const struct elf_object *object, uintptr_t address, size_t size,
			       const uintptr_t words[INSTRUMENTATION_WORDS]);

#endif
