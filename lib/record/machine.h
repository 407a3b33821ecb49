/* SPDX-License-Identifier: MIT */
/*
 * machine.h - what the names of lib/format/machine_symbols.h stand for on this machine, where that is not what they stand for on
 * x86-64: the .lm says so, so that the trace can be read anywhere.
 */
#ifndef RECORDER_RECORD_MACHINE_H
#define RECORDER_RECORD_MACHINE_H

#include <stdint.h>

#include "record/text.h"

#define MACHINE_NAME_MAX 32u

/* With its name, not the address of it: that would be changed at the load of each process. */
struct machine_symbol {
	char name[MACHINE_NAME_MAX];
	int64_t reference, value; /* on x86-64, and here */
};

/* Calls visit() with the symbols of each kind, up to one whose name is "". */
void machine_each_kind(void (*visit)(void *data, const char *kind,
				     const struct machine_symbol *symbols),
		       void *data);
/* Adds "NAME=value NAME=value" for those that differ. */
void machine_differing(const struct machine_symbol *symbols, struct textbuf *text);

#endif
