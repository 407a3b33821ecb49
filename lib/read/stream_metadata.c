/* SPDX-License-Identifier: MIT */
/* stream_metadata.c - see stream_metadata.h */
#include "read/stream_metadata.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "read/timeline.h"

void stream_set_identity(struct stream *stream)
{
	const struct metadata *lm = &stream->lm;
	bool mpi = metadata_get(lm, "mpi.rank");

	stream->parent = metadata_u64(lm, "parent.stream", 0);
	stream->rank = (int32_t)metadata_i64(lm, mpi ? "mpi.rank" : "rank", -1);
	stream->size = (int32_t)metadata_i64(lm, mpi ? "mpi.size" : "size", -1);
	stream->rank_source = mpi ? "MPI" : metadata_text(lm, "rank.source");
	if (!*stream->rank_source)
		stream->rank_source = "none";
	stream->main = metadata_u64(lm, "main", 1) != 0;
	stream->pid = (uint32_t)metadata_u64(lm, "pid", 0);
	stream->ppid = (uint32_t)metadata_u64(lm, "ppid", 0);
	stream->image = (uint32_t)metadata_u64(lm, "image", 0);
	stream->pid_start = metadata_u64(lm, "pid.start", 0);
	stream->pid_ns = metadata_u64(lm, "pid.ns", 0);
	stream->outer_pid = (uint32_t)metadata_u64(lm, "pid.outer", stream->pid);
	stream->host = metadata_text(lm, "host");
	stream->boot_id = metadata_text(lm, "boot.id");
	stream->exe = metadata_text(lm, "exe");
	stream->cwd = metadata_text(lm, "cwd");
	stream->exit_status = metadata_i64(lm, "end.status", -1);
}

/* argv is stored with zero bytes between its strings. */
int stream_set_argv(struct stream *stream)
{
	const struct reader_value *value = metadata_get(&stream->lm, "argv");
	size_t size = value && value->type == READER_BYTES ? value->size : 0;
	char *argv = pool_copy(&stream->pool, value ? value->bytes : "", size);

	if (!argv)
		return -ENOMEM;
	while (size > 0 && argv[size - 1] == 0)
		size--;
	for (size_t i = 0; i < size; i++) {
		if (argv[i] == 0)
			argv[i] = ' ';
	}
	stream->argv = argv;
	return 0;
}

static int add_anchor(struct stream *stream, const char *name)
{
	char key[32];
	struct anchor anchor;

	snprintf(key, sizeof(key), "%s.ticks", name);
	anchor.ticks = metadata_u64(&stream->lm, key, 0);
	snprintf(key, sizeof(key), "%s.mono", name);
	anchor.mono = metadata_i64(&stream->lm, key, 0);
	snprintf(key, sizeof(key), "%s.real", name);
	anchor.real = metadata_i64(&stream->lm, key, 0);
	if (strcmp(name, "anchor.0") == 0)
		stream->first_anchor = anchor;
	return timeline_anchor(&stream->timeline, &anchor);
}

int stream_set_timeline(struct stream *stream)
{
	struct timeline *timeline = &stream->timeline;
	int error = add_anchor(stream, "anchor.0");

	if (!error)
		error = add_anchor(stream, "anchor.1");
	if (!error)
		error = timeline_finish(timeline, metadata_u64(&stream->lm, "clock.hz", 0),
					strcmp(metadata_text(&stream->lm, "clock.kind"),
					       "monotonic") == 0);
	if (!error && stream->first_anchor.ticks == 0 && timeline->anchor_count > 0)
		stream->first_anchor = timeline->anchors[0];
	return error;
}

/*
 * Whether its last word in the .rec is that all is written, though its LM was not told: it could not reach that by its name any more
 * (chroot, another user).
 */
static bool has_said_its_end(const struct stream *stream)
{
	const struct segment *newest = &stream->newest;
	const struct end_place *end =
		stream->end_count ? &stream->ends[stream->end_count - 1] : NULL;

	if (!end || end->segment != 0 || end->stored != newest->scanned ||
	    end->lost != newest->scanned_lost || *metadata_text(&stream->lm, "end.reason"))
		return false;
	for (uint32_t i = 0; i < stream->thread_count; i++)
		if (stream->threads[i].tail.count || stream->threads[i].open.count)
			return false;
	return stream->lm_ok && !stream->lm_closed && !stream->lm.damaged;
}

int stream_set_state(struct stream *stream)
{
	uint64_t said = metadata_u64(&stream->lm, "records", 0);
	char text[128];

	if (stream->final && stream->stored >= said) {
		stream->state = READER_CLEAN;
		stream->reason = metadata_text(&stream->lm, "end.reason");
		return 0;
	}
	if (stream->final) {
		stream->state = READER_DIED;
		snprintf(text, sizeof(text), "%llu of %llu records are not there any more",
			 (unsigned long long)(said - stream->stored), (unsigned long long)said);
		problem(stream->trace, "%s/%s: %s", stream->trace->dir, stream->name, text);
		stream->reason = pool_copy(&stream->pool, text, strlen(text));
		return stream->reason ? 0 : -ENOMEM;
	}
	if (!stream->alive && has_said_its_end(stream)) {
		stream->state = READER_CLEAN;
		stream->reason = "in order, but how is not known: its metadata was out of reach";
		return 0;
	}
	stream->state = stream->alive ? READER_RUNNING : READER_DIED;
	if (strncmp(metadata_text(&stream->lm, "end.reason"), "not recorded", 12) == 0)
		stream->reason = metadata_text(&stream->lm, "end.reason");
	else if (stream->alive)
		stream->reason = "running";
	else if (stream->lm_closed)
		stream->reason = "no readable .lm file but those of closed segments";
	else
		stream->reason = stream->lm_ok ? "it did not end in order: killed, crashed, or "
						 "ended without libc (as Go programs do)"
					       : "no readable .lm file";
	return 0;
}
