/* SPDX-License-Identifier: MIT */
/*
 * follow.h - requests of MPI for those who do not read a whole trace: what the calls that they left out did to requests is caught up with.
 *
 * Requests belong to a process. Before a call that makes or completes some, all such calls of its thread that come before it in the order of pieces are
 * taken, and those of the process's other threads that began before it. What nobody asks for is not read.
 */
#ifndef RECORDER_TOOLS_FOLLOW_H
#define RECORDER_TOOLS_FOLLOW_H

#include <stdbool.h>

#include "meaning.h"

struct follow;

/* `filter` and `meaning` must outlive it. NULL: out of memory. */
struct follow *follow_new(struct reader *trace, const struct reader_filter *filter,
			  struct meaning *meaning);
void follow_free(struct follow *follow);

/*
 * The present piece is not read to its end, and the next one is `next`. True: it has to be, by follow_take() of its other records, because these two are of one thread
 * whose requests are known up to here.
 */
bool follow_leaves(struct follow *follow, const struct reader_piece *next);
/* Notes what a call of a function that meaning_follows() does to requests: before meaning_of_taken(), or where it is not shown. 0 or a negative errno. */
int follow_take(struct follow *follow, const struct recorder_record *record);
/* The next records are those of a piece. */
void follow_piece(struct follow *follow, const struct reader_piece *piece);

#endif
