/* SPDX-License-Identifier: MIT */
/*
 * losses.h - how many records of a stream are lost, by reason.
 */
#ifndef RECORDER_READ_LOSSES_H
#define RECORDER_READ_LOSSES_H

#include "read/trace.h"

/* a + b, UINT64_MAX if that is too much. */
uint64_t add_counts(uint64_t a, uint64_t b);
/* Adds to the loss of that reason. 0 or -ENOMEM. */
int stream_add_loss(struct stream *stream, const char *reason, size_t length, uint64_t count);
/* The same by number, enum loss_reason as far as this reader knows it. */
int stream_add_loss_of(struct stream *stream, uint32_t reason, uint64_t count);
/*
 * A gap in the numbers of a thread before `offset` of a segment: what was in a damaged chunk is unreadable, what is not accounted for is
 * missing. 0 or -ENOMEM.
 */
int thread_note_gap(struct thread *thread, uint64_t gap, uint32_t segment, uint64_t offset);
/*
 * Once all chunks are counted: losses that the process knew of at its end, and chunks do not say; the larger sum counts. Reasons that
 * only the LM gives. 0 or -ENOMEM.
 */
int stream_finish_losses(struct stream *stream);

#endif
