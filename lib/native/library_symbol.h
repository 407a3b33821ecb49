/* SPDX-License-Identifier: MIT */
/*
 * library_symbol.h - functions of other libraries that native tracing can make use of, where the program has them.
 */
#ifndef RECORDER_NATIVE_LIBRARY_SYMBOL_H
#define RECORDER_NATIVE_LIBRARY_SYMBOL_H

/* NULL: no library of the process has it. `library`: where to look, too, loaded already though not for all to see; or NULL. Keeps errno. */
void *library_symbol(const char *name, const char *library);

#endif
