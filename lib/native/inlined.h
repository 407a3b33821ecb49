/* SPDX-License-Identifier: MIT */
/*
 * inlined.h - what of a target's functions cannot be traced because it is part of others: told by `recorder run --dry-run`.
 */
#ifndef RECORDER_NATIVE_INLINED_H
#define RECORDER_NATIVE_INLINED_H

#include "native/finding.h"

/* Of an object whose symbols are open. */
void inlined_report(const struct elf_object *object, struct elf_symbols *symbols,
		    report_function *report);

#endif
