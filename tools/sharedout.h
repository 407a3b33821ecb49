/* SPDX-License-Identifier: MIT */
/*
 * sharedout.h - outputs, mostly one, that the ranks of a launcher make together, in blocks: each block is made by one of them, into a file of its own. When all are
 * there the first rank tells where each belongs, and who has made it puts it there; into a pipe the first rank writes them all.
 *
 *	rank 0  .part:  block 0, 3 ...      |
 *	rank 1  .part:  block 1, 4 ...      |  the output: block 0, 1, 2, 3 ...
 *	rank 2  .part:  block 2, 5 ...      |
 *
 * What a block is, depends on the trace alone, so that the output is the same for any number of ranks. With a block goes what the first rank has to know of it.
 */
#ifndef RECORDER_TOOLS_SHAREDOUT_H
#define RECORDER_TOOLS_SHAREDOUT_H

#include <recorder/reader.h>

#include "buffer.h"
#include "output.h"

struct shared_output;

#define SHARED_OUTPUTS 2u

/* NULL: this process works alone, and has all blocks. `path`: of the output, "-" stdout; of several what their names begin with. The trace has been opened, and nothing of it read. */
struct shared_output *shared_output_begin(const char *path, struct reader *trace, unsigned outputs);
unsigned shared_output_count(const struct shared_output *shared);
/* Of this rank; 0 is the first, which has the output. */
unsigned shared_output_number(const struct shared_output *shared);

/* Whether this rank makes the block. */
bool shared_output_has(const struct shared_output *shared, uint64_t block);
/* Where it puts its blocks of output `which`. */
struct output *shared_output_part(struct shared_output *shared, unsigned which);
/* The block is complete, with what is to be known of it. Blocks of an output come in their order. */
void shared_output_end_block(struct shared_output *shared, unsigned which,
			     const struct buffer *about);

/* All but the first rank: puts its blocks where they belong, and ends the process when the output is there. */
_Noreturn void shared_output_leave(struct shared_output *shared);
/*
 * The first rank: all blocks of output `which` into `output`; outputs come in their order, and others have written to them when this returns for the last one. `each` is told of each block before
 * it comes. What others have found damaged this process knows then, too. 0 or a negative errno of the output.
 */
int shared_output_join(struct shared_output *shared, unsigned which, struct output *output,
		       void (*each)(void *data, const void *about, size_t size), void *data);
/* Lets the other ranks go, and releases all. NULL is allowed. */
void shared_output_end(struct shared_output *shared);

#endif
