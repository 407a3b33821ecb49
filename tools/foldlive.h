/* SPDX-License-Identifier: MIT */
/*
 * foldlive.h - the live files of a stream that is folded: definitions and rings of a process that is dead.
 */
#ifndef RECORDER_TOOLS_FOLDLIVE_H
#define RECORDER_TOOLS_FOLDLIVE_H

#include <stdbool.h>

struct fold;

/*
 * Opens the directory that the LM names, if it is one of live files: they are removed in the end, which is not to be done in one that a
 * trace only says is theirs. 0 or a negative errno; without a directory `live_fd` stays negative.
 */
int foldlive_open(struct fold *fold);
/* Whether the stream's definitions are still there. */
bool foldlive_remains(const struct fold *fold);
bool foldlive_has_rings(struct fold *fold);
/* Append what is there to the .rec. A file that cannot be read is told of and passed over. 0 or a negative errno. */
int foldlive_arena(struct fold *fold);
int foldlive_rings(struct fold *fold);
/* After a chunk states the arena's loss: should we be killed, the next repair must not state it again. 0 or a negative errno. */
int foldlive_forget_lost(const struct fold *fold);
/* Removes what is this stream's, or was just being made, and the directory after the last one. */
void foldlive_remove(struct fold *fold);

#endif
