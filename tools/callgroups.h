/* SPDX-License-Identifier: MIT */
/*
 * callgroups.h - calls put together by function and by the place or the stack that they were made from: how many, how long, how much.
 */
#ifndef RECORDER_TOOLS_CALLGROUPS_H
#define RECORDER_TOOLS_CALLGROUPS_H

#include "buffer.h"
#include "callkinds.h"
#include "callstacks.h"
#include "numbered.h"
#include "walk.h"

/* Where the first call of a group was made from, as the trace says it. */
struct call_place {
	uint64_t offset;
	uint32_t stream, module;
	uint32_t stack, padding; /* stack 0: none */
};

struct call_group {
	uint16_t func_id;
	struct call_place place;
	const struct callsite *site;
	const struct callstack *stack; /* NULL: grouped by place */
	uint64_t calls;
	int64_t time; /* ns */
	int64_t self; /* less that of calls below them */
	int64_t bytes;
};

/* Zeroed, and `by_stack` set: grouped by stack, else by place. */
struct call_groups {
	bool by_stack;
	const struct reader *trace;
	struct call_group *list;
	size_t count;
	uint64_t with_stack; /* records that have a stack */
	/* inside */
	size_t room, slot_room;
	uint32_t *slots; /* numbers in the list, plus one; open-addressed */
	struct call_kinds *kinds;
	struct callsites *callsites;
	struct callstacks *callstacks;
	struct numbered nests; /* what each thread is in */
};

/* walk_run(walk, &call_groups_ops, groups) fills it. */
extern const struct walk_ops call_groups_ops;
void call_groups_release(struct call_groups *groups);

/* What was found as bytes, and such bytes of another process, that has read the same trace, added to it. 0 or a negative errno: -EINVAL, it is something else. */
void call_groups_save(const struct call_groups *groups, struct buffer *bytes);
int call_groups_add(struct call_groups *groups, const struct buffer *bytes);

#endif
