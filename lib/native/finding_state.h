/* SPDX-License-Identifier: MIT */
/*
 * finding_state.h - what is known of an object while it is looked through: finding.c finds its functions and the way of each, finding_apply.c makes it so.
 */
#ifndef RECORDER_NATIVE_FINDING_STATE_H
#define RECORDER_NATIVE_FINDING_STATE_H

#include "native/describing.h"
#include "native/finding.h"
#include "native/got.h"
#include "native/instrumentation.h"
#include "native/prologue.h"

struct object_search {
	const struct elf_object *object;
	struct elf_symbols symbols;
	struct native_object *kept;
	enum finding_mode mode;
	bool later;
	report_function *report;
	bool no_area;
	struct describing describing;
	uintptr_t instrumentation[INSTRUMENTATION_WORDS];
};

/* A function that is asked for. */
struct pending {
	uint32_t symbol; /* in the table */
	unsigned target;
	struct prologue plan;
	struct stub stub;
	const char *reason; /* why not by its code */
	enum native_way way;
	struct got_words words;
	uint64_t entry; /* of DWARF */
};

struct pendings {
	struct pending *list;
	size_t size; /* bytes */
	unsigned count, max;
};

static inline const char *finding_symbol(const struct object_search *search,
					 const struct pending *pending)
{
	return elf_name(&search->symbols, &search->symbols.table[pending->symbol]);
}

/* Traces each by its way. Where that fails it has none, and a reason. */
void finding_apply(struct object_search *search, struct pendings *pendings);

#endif
