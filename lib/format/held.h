/* SPDX-License-Identifier: MIT */
/*
 * held.h - chunks that a thread holds in its ring's file, as they go on: doc/format.md section 9. Reading; lib/record/hold_chunks.h writes them.
 */
#ifndef RECORDER_FORMAT_HELD_H
#define RECORDER_FORMAT_HELD_H

#include "format/bytes.h"

/* What is held in the area of both places, which is aligned to 8: chunks that are whole. Nothing is left in it if nothing is. */
struct bytes held_find(const void *area, size_t size);
/* The next of the chunks. False after the last one. */
bool held_next(struct bytes *chunks, struct chunk_header *header, struct bytes *body);

#endif
