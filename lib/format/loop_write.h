/* SPDX-License-Identifier: MIT */
/*
 * loop_write.h - a loop as it is now, as DATA chunks of encoding 4 or 5, each of a piece of it.
 *
 *	iterations that are over:     one piece
 *	of the one that is under way: what has come of it; if calls that are in flight began in it, divided where they did
 *
 * Made-up times of a piece stay between its begin and its end. So calls that are in flight, whose begin is known to others, have outside what came before it, and inside what came since.
 *
 * Nothing here changes the loop.
 */
#ifndef RECORDER_FORMAT_LOOP_WRITE_H
#define RECORDER_FORMAT_LOOP_WRITE_H

#include "format/loop_encode.h"

#define LOOP_PIECES (2 + LOOP_OPEN)

struct loop_piece {
	struct loop_position at; /* of the loop */
	uint64_t iterations;
	uint64_t before, records;      /* of the loop: how many are before it, how many it has */
	uint64_t t_base, t_min, t_max; /* units */
	uint32_t first, end;           /* records of the block */
	bool under_way;
	const struct loop_group *group; /* that it begins behind, NULL none */
};

/* The pieces that have records, at most LOOP_PIECES; returns how many. `ticks`: tend of the record before the loop. */
unsigned loop_pieces(const struct loop *loop, uint64_t ticks, struct loop_piece *pieces);
/* While nothing is added to the loop. False: there is no room, or there is so much that it is to be written, and begun anew, first. */
bool loop_write(const struct loop *loop, const struct loop_piece *piece, struct varints *words);
/* What the chunk header says of times and of how many there are. */
void loop_describe(const struct loop *loop, const struct loop_piece *piece,
		   struct chunk_header *header);
/* Tells how many calls the piece stands for, a function in one or more parts; also later. */
void loop_calls(const struct loop *loop, const struct loop_piece *piece,
		void (*each)(uint16_t id, uint64_t calls));

#endif
