/* SPDX-License-Identifier: MIT */
/*
 * finding.h - what becomes of the functions of an object that the user asks for (asked.h).
 */
#ifndef RECORDER_NATIVE_FINDING_H
#define RECORDER_NATIVE_FINDING_H

#include <stdbool.h>

#include "native/elf_symbols.h"
#include "native/native.h"
#include "native/stubs.h"

/* An object as it is kept. */
struct native_object {
	uintptr_t base, start, end;
	uint64_t path; /* hashed */
	struct stub_area area;
	bool seen;
};

enum finding_mode {
	FINDING_ALL,   /* code may be changed */
	FINDING_WORDS, /* threads run: words of data alone */
	FINDING_DRY,   /* nothing is changed */
};

typedef void report_function(const struct native_finding *finding);

/* Looks through an object that is there now, and traces what is meant of it; `report` is told of each. `later`: its own words are not there yet. */
void finding_object(const struct elf_object *object, struct native_object *kept,
		    enum finding_mode mode, bool later, report_function *report);
/* The functions of the catalogue that are meant: these are recorded by their wrappers. */
void finding_wrappers(report_function *report);
/* The number of a function of an object, for all that have its name there. NAMED_NONE: no room. */
uint32_t finding_number(const struct elf_object *object, const char *name);

#endif
