/* SPDX-License-Identifier: MIT */
/*
 * loop_write.h - a loop as it is now, as DATA chunks: the iterations that are over are one, of encoding 4 or 5; the parts that have come of the one that is under way are another one.
 *
 * Nothing here changes the loop.
 */
#ifndef RECORDER_FORMAT_LOOP_WRITE_H
#define RECORDER_FORMAT_LOOP_WRITE_H

#include "format/loop_encode.h"

/* False: there is no room, or there is so much that it is to be written, and begun anew, first. */
bool loop_write(const struct loop *loop, enum loop_piece piece, struct varints *words);
/* What the chunk header says of times and of how many there are. `t_base`: tend of the record before the loop. */
void loop_describe(const struct loop *loop, enum loop_piece piece, uint64_t t_base,
		   struct chunk_header *header);
/* Tells how many calls the piece stood for when the loop was at `at`, a function in one or more parts. */
void loop_calls(const struct loop *loop, enum loop_piece piece, const struct loop_position *at,
		void (*each)(uint16_t id, uint64_t calls));

#endif
