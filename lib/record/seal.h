/* SPDX-License-Identifier: MIT */
/*
 * seal.h - from a ring to a chunk in the stream file.
 *
 * The owner of the ring (or who has taken it over) encodes its records, appends definitions and then the DATA chunk, and recycles
 * the ring. Without memory to encode in, or on an alternate signal stack, the records go out raw (encoding 0).
 * A chunk that cannot be written is counted as lost; the ring is recycled all the same.
 */
#ifndef RECORDER_RECORD_SEAL_H
#define RECORDER_RECORD_SEAL_H

#include "record/thread.h"

/* Once the configuration is known. */
void seal_init(void);
/* When a ring that is empty now is to be sealed for its age, in ticks. */
uint64_t seal_deadline(void);
/* Seals what is in the thread's ring, if anything. `final`: the thread has ended. Keeps errno. */
void seal_thread(struct thread *thread, bool final);
/* The same while calls are open that do not look again where their records are: the ring stays where it is. */
void seal_thread_in_place(struct thread *thread);
/* Of one that is full, or old: what is in it may also be held back, in memory that is as safe (hold.h). In place, too. */
void seal_ring(struct thread *thread);
void seal_ring_in_place(struct thread *thread);
/* Seals it at the end of the process: if the chunk cannot be written the ring is left as it is, for whoever reads the live
 * files. False then. */
bool seal_last(struct thread *thread);

/* Ticks after which a thread that records is to look again whether there is something to do. */
uint64_t seal_attention(const struct thread *thread);
/* Appends the definitions that are not in the stream yet; false: they still are not. */
bool seal_definitions(void);
/* The same if chunks were written without those that they need. False: the arena, which has them, must stay. */
bool seal_owed_definitions(void);
/* The last record of the thread, which was sealed in a chunk of its own, was taken out of the stream again; the one before it
 * ended at `last_end`. */
void seal_undone(struct thread *thread, uint16_t function, uint64_t last_end);
/* Writes the END chunk. */
void seal_write_end(void);
void seal_forked(void);
/* The segment is closed, with all that it states (segment.h): counts begin anew. */
void seal_next_segment(void);

#endif
