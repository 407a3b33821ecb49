/* SPDX-License-Identifier: MIT */
/*
 * numbered.h - a table of what a trace numbers within each stream: modules, stacks, threads.
 */
#ifndef RECORDER_TOOLS_NUMBERED_H
#define RECORDER_TOOLS_NUMBERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct numbered_entry {
	uint32_t stream, number;
	bool used;
	void *value; /* the caller's */
};

/* Zeroed: empty. */
struct numbered {
	struct numbered_entry *entries; /* open-addressed; `room` of them, a power of two */
	size_t count, room;
};

/* Where the value is kept, NULL at first; valid until the next call. NULL: out of memory. */
void **numbered_at(struct numbered *table, uint32_t stream, uint32_t number);
/* The values are freed by `free_value`, if there is one. */
void numbered_release(struct numbered *table, void (*free_value)(void *value));

#endif
