/* SPDX-License-Identifier: MIT */
/* losses.c - see losses.h */
#include "read/losses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LOSSES_MAX 256u

/* A trace may claim any loss. */
uint64_t add_counts(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

int stream_add_loss(struct stream *stream, const char *reason, size_t length, uint64_t count)
{
	struct loss *losses;

	stream->lost = add_counts(stream->lost, count);
	for (uint32_t i = 0; i < stream->loss_count; i++) {
		struct loss *loss = &stream->losses[i];

		if (strlen(loss->reason) == length && memcmp(loss->reason, reason, length) == 0) {
			loss->count = add_counts(loss->count, count);
			return 0;
		}
	}
	if (stream->loss_count == LOSSES_MAX)
		return 0;
	losses = realloc(stream->losses, (stream->loss_count + 1) * sizeof(*losses));
	if (!losses)
		return -ENOMEM;
	stream->losses = losses;
	losses[stream->loss_count].reason = pool_copy(&stream->pool, reason, length);
	losses[stream->loss_count].count = count;
	return losses[stream->loss_count++].reason ? 0 : -ENOMEM;
}
