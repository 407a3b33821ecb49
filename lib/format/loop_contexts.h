/* SPDX-License-Identifier: MIT */
/*
 * loop_contexts.h - how the records of a loop's block lie in each other, and whose times are of one kind: contexts, doc/format.md section 5.
 */
#ifndef RECORDER_FORMAT_LOOP_CONTEXTS_H
#define RECORDER_FORMAT_LOOP_CONTEXTS_H

#include "format/loop_encode.h"

/* Sets `inside`: how many records right before each one lie in it. */
void loop_find_inside(struct loop *loop, const uint8_t *records);
/* Sets `context` and their number. `hashes`: room for LOOP_CONTEXTS. 0; -E2BIG: there are too many. */
int loop_find_contexts(struct loop *loop, const struct loop_input *input, uint64_t *hashes);

#endif
