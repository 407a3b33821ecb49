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

#endif
