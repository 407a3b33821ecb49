/* SPDX-License-Identifier: MIT */
/*
 * callstacks.h - call stacks by name. Equal ones, of whatever rank, are one struct callstack, by whose address they can be grouped.
 */
#ifndef RECORDER_TOOLS_CALLSTACKS_H
#define RECORDER_TOOLS_CALLSTACKS_H

#include "callsites.h"
#include "output.h"

struct call_frame {
	const struct callsite *site;
	const struct source_line *line; /* NULL: only the address is known */
};

/* Innermost frame first; of functions that were inlined each is a frame. */
struct callstack {
	unsigned count;
	bool cut;         /* there were more frames */
	const char *text; /* "\"save io.c:7\", \"main heat.c:42\", ..." */
	struct call_frame *frames;
};

struct callstacks;

/* NULL: ENOMEM. `callsites` and the trace must outlive it. */
struct callstacks *callstacks_new(const struct reader *trace, struct callsites *callsites);
void callstacks_free(struct callstacks *callstacks);

/* Stack `id` of a stream; of one that is not known a stack without frames, cut. NULL: ENOMEM. */
const struct callstack *callstacks_find(struct callstacks *callstacks, unsigned stream,
					uint32_t id);
/* The stack of one frame. NULL: ENOMEM. */
const struct callstack *callstacks_of_site(struct callstacks *callstacks,
					   const struct callsite *site);

/* ,"stack":["save io.c:7","main heat.c:42"], innermost first; "..." stands for what was not recorded. 0 or -ENOMEM. */
int callstack_json(const struct callstack *stack, struct output *output, bool ascii);

#endif
