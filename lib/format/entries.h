/* SPDX-License-Identifier: MIT */
/*
 * entries.h - entries of an LM one behind the other, and how many there are: what a META chunk holds (doc/format.md section 8).
 *
 * They are put into memory of the caller's, which stays his. If they do not fit there is no body: its size is 0.
 */
#ifndef RECORDER_FORMAT_ENTRIES_H
#define RECORDER_FORMAT_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

#include "format/bytes.h"
#include "format/wire.h"

struct entries {
	const void *body;
	struct packer packer;
	uint32_t count;
};

static inline struct entries entries_in(void *body, size_t size)
{
	return (struct entries){.body = body, .packer = packer_of(body, size)};
}

/* Bytes of the body; 0 if some did not fit. */
static inline size_t entries_size(const struct entries *entries)
{
	return packer_size(&entries->packer, entries->body);
}

/* Bytes that are left. */
static inline size_t entries_left(const struct entries *entries)
{
	return (size_t)(entries->packer.end - entries->packer.p);
}

void entries_u64(struct entries *entries, const char *key, uint64_t value);
void entries_i64(struct entries *entries, const char *key, int64_t value);
void entries_bytes(struct entries *entries, const char *key, const void *bytes, size_t size);
/* No entry if there is no text, or none in it. */
void entries_str(struct entries *entries, const char *key, const char *text);

/* "anchor.0" of the beginning, "anchor.1" of the end: what ticks and clocks said at the same time. */
void entries_anchor(struct entries *entries, unsigned number, const struct anchor *anchor);

#endif
