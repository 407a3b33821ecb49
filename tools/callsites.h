/* SPDX-License-Identifier: MIT */
/*
 * callsites.h - the places in the program that calls came from, by name: function, file and line.
 *
 * Each place is looked up once. Calls of all ranks from one place give the same struct callsite, by whose address they can be grouped.
 */
#ifndef RECORDER_TOOLS_CALLSITES_H
#define RECORDER_TOOLS_CALLSITES_H

#include <recorder/reader.h>

#include "symbolize.h"

struct callsite {
	const char *module;               /* path of the program or library; "" unknown */
	uint64_t offset;                  /* in that file, or the address if it is unknown */
	const struct source_line *source; /* NULL: not known */
	/* "main heat.c:42", "main app+0x11d9", "libfoo.so+0x11d9", "0x7f0011d9", "?": as much as is known */
	const char *text;
};

struct callsites;

/* `folders`: where to look for programs and libraries first, NULL nowhere. NULL: ENOMEM. `trace` must outlive it. */
struct callsites *callsites_new(const struct reader *trace, const char *folders);
void callsites_free(struct callsites *callsites);

/* The one of the tool: of the trace that trace_open() gave, by --symbols. Ends the process if there is no memory. */
struct callsites *callsites_shared(const struct reader *trace);

/* Where an address that a call returns to lies: the call is before it. NULL: ENOMEM. */
const struct callsite *callsites_find(struct callsites *callsites, unsigned stream, uint32_t module,
				      uint64_t offset);
/* Where an address itself lies: of an instruction that a signal interrupted. */
const struct callsite *callsites_find_exact(struct callsites *callsites, unsigned stream,
					    uint32_t module, uint64_t offset);
/* Of a record. */
static inline const struct callsite *callsites_of(struct callsites *callsites,
						  const struct recorder_record *record)
{
	return callsites_find(callsites, record->stream, record->module, record->callsite);
}

/* "main heat.c:42" of one function of a place, in memory of the heap; NULL: ENOMEM. */
char *callsite_text(const struct callsite *site, const struct source_line *line);
/* The part of a path behind the last slash. */
const char *base_name(const char *path);

#endif
