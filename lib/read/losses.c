/* SPDX-License-Identifier: MIT */
/* losses.c - see losses.h */
#include "read/losses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/reasons.h"
#include "read/metafile.h"

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

int stream_add_loss_of(struct stream *stream, uint32_t reason, uint64_t count)
{
	const char *name = loss_name(reason);

	return stream_add_loss(stream, name, strlen(name), count);
}

int thread_note_gap(struct thread *thread, uint64_t gap, uint32_t segment, uint64_t offset)
{
	struct stream *stream = thread->stream;
	uint64_t damaged = gap < thread->damaged ? gap : thread->damaged;

	thread->damaged -= damaged;
	stream->unreadable += damaged;
	stream->torn += damaged;
	gap -= damaged;
	if (gap == 0)
		return 0;
	problem(stream->trace,
		"%s/%s: offset %llu: %llu records of thread %u before this are missing",
		stream->trace->dir, segment_file(stream_segment(stream, segment)),
		(unsigned long long)offset, (unsigned long long)gap, thread->index);
	thread->lost = add_counts(thread->lost, gap);
	stream->missing += gap;
	return stream_add_loss(stream, "missing", strlen("missing"), gap);
}

/* ---- what the LM says ---- */

/* The reason that the LM has in an entry, NULL if it is about something else. */
static const char *loss_in(const struct metadata_item *item)
{
	static const char prefix[] = "lost.";

	return strncmp(item->key, prefix, strlen(prefix)) == 0 && item->value.type == READER_U64
		       ? item->key + strlen(prefix)
		       : NULL;
}

static struct loss *find_loss(struct stream *stream, const char *reason)
{
	for (uint32_t i = 0; i < stream->loss_count; i++)
		if (strcmp(stream->losses[i].reason, reason) == 0)
			return &stream->losses[i];
	return NULL;
}

/* Of losses that chunks give no reason for, the LM may know more. */
static int explain_losses(struct stream *stream)
{
	for (uint32_t i = 0; i < stream->lm.count; i++) {
		const char *reason = loss_in(&stream->lm.items[i]);
		struct loss *other = find_loss(stream, "other"), *loss;
		uint64_t more;

		if (!reason || !other || !strcmp(reason, "other"))
			continue;
		loss = find_loss(stream, reason);
		more = stream->lm.items[i].value.u64;
		more -= loss && loss->count < more ? loss->count : loss ? more : 0;
		more = more < other->count ? more : other->count;
		if (more == 0)
			continue;
		other->count -= more;
		stream->lost -= more;
		if (other->count == 0)
			*other = stream->losses[--stream->loss_count];
		if (stream_add_loss(stream, reason, strlen(reason), more))
			return -ENOMEM;
	}
	return 0;
}

int stream_finish_losses(struct stream *stream)
{
	uint64_t known = stream->lost - stream->missing, lm = metadata_u64(&stream->lm, "lost", 0);

	if (lm <= known)
		return explain_losses(stream);
	stream->lost = stream->missing;
	stream->loss_count = 0;
	for (uint32_t i = 0; i < stream->lm.count; i++) {
		const char *reason = loss_in(&stream->lm.items[i]);

		if (reason &&
		    stream_add_loss(stream, reason, strlen(reason), stream->lm.items[i].value.u64))
			return -ENOMEM;
	}
	known = stream->lost - stream->missing;
	if (lm > known && stream_add_loss(stream, "other", strlen("other"), lm - known))
		return -ENOMEM;
	stream->lost -= stream->missing;
	return stream->missing
		       ? stream_add_loss(stream, "missing", strlen("missing"), stream->missing)
		       : 0;
}
