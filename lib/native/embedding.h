/* SPDX-License-Identifier: MIT */
/*
 * embedding.h - programs that have a Python in them, which may begin at any time, and again after it has ended: its first function is looked out for.
 */
#ifndef RECORDER_NATIVE_EMBEDDING_H
#define RECORDER_NATIVE_EMBEDDING_H

#include "native/elf_symbols.h"

/* Of an object that is there before any of its code runs. Nothing is done if it is no Python, or the program is an interpreter, which begins but once. */
void embedding_look(const struct elf_object *object);

#endif
