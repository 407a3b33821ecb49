/* SPDX-License-Identifier: MIT */
/* filter_meta.c - see filter_meta.h */
#include "filter_meta.h"

#include <stdio.h>
#include <string.h>

#include "format/meta.h"
#include "message.h"
#include "read/metafile.h"

/* A META chunk on its way. */
struct entries {
	struct buffer body;
	uint32_t count;
};

static void put(struct entries *entries, const char *key, const struct reader_value *value)
{
	size_t room = strlen(key) + value->size + 32;
	struct packer packer = packer_of(buffer_room(&entries->body, room), room);

	switch (value->type) {
	case READER_U64:
		meta_put_u64(&packer, key, value->u64);
		break;
	case READER_I64:
		meta_put_i64(&packer, key, value->i64);
		break;
	case READER_F64:
		meta_put_f64(&packer, key, value->f64);
		break;
	case READER_BYTES:
		meta_put_bytes(&packer, key, value->bytes, value->size);
		break;
	default:
		return;
	}
	entries->body.size += packer_size(&packer, entries->body.bytes + entries->body.size);
	entries->count++;
}

static void put_number(struct entries *entries, const char *key, uint64_t number)
{
	put(entries, key, &(struct reader_value){.type = READER_U64, .u64 = number});
}

static void put_text(struct entries *entries, const char *key, const char *text)
{
	put(entries, key,
	    &(struct reader_value){.type = READER_BYTES, .bytes = text, .size = strlen(text)});
}

static void write_entries(struct chunkfile *file, struct entries *entries, bool final)
{
	struct chunk_header header = {.type = CHUNK_META,
				      .flags = final ? CHUNK_FINAL : 0,
				      .count = entries->count,
				      .body_size = (uint32_t)entries->body.size,
				      .plain_size = (uint32_t)entries->body.size};

	if (entries->body.size > CHUNK_MAX_BODY)
		die("the metadata is too large");
	filter_append(file, &header, entries->body.bytes);
	buffer_release(&entries->body);
}

static bool begins_with(const char *key, const char *const *beginnings)
{
	for (; *beginnings; beginnings++)
		if (!strncmp(key, *beginnings, strlen(*beginnings)))
			return true;
	return false;
}

/* ---- streams ---- */

/* What is counted anew; of segments one file is made. */
static const char *const stream_counts[] = {"records", "calls",   "lost",    "chunks", "bytes",
					    "threads", "filter.", "segment", NULL};

/* A stream that ended in order has nothing in its folder of rings, and says so of the new one. */
static bool is_counted(const struct stream *stream, const char *key)
{
	return begins_with(key, stream_counts) || (!stream->final && !strncmp(key, "live.", 5));
}

/* Of each function by its id in the stream, the first one if it has several. The counts are used up. */
static void put_calls(struct filter_work *work, struct entries *entries)
{
	const struct definitions *defs = &work->from->defs;
	struct buffer text = {0};
	char count[64];

	for (uint32_t id = 0; id < defs->function_count; id++) {
		const struct function *function = defs->functions[id];
		uint64_t *calls = function ? &work->calls[function->info.id] : NULL;

		if (!calls || *calls == 0)
			continue;
		snprintf(count, sizeof(count), "%s%u=%llu", text.size > 0 ? " " : "", id,
			 (unsigned long long)*calls);
		buffer_add_text(&text, count);
		*calls = 0;
	}
	buffer_add(&text, "", 1);
	put_text(entries, "calls", (const char *)text.bytes);
	buffer_release(&text);
}

static void put_losses(const struct filter_work *work, struct entries *entries)
{
	const struct stream *from = work->from;
	struct buffer key = {0};

	put_number(entries, "lost", work->lost);
	for (uint32_t i = 0; i < from->loss_count; i++) {
		if (strlen(from->losses[i].reason) >= UINT16_MAX - 8)
			continue;
		buffer_clear(&key);
		buffer_add_text(&key, "lost.");
		buffer_add(&key, from->losses[i].reason, strlen(from->losses[i].reason) + 1);
		put_number(entries, (const char *)key.bytes, from->losses[i].count);
	}
	buffer_release(&key);
	if (work->unreadable > 0)
		put_number(entries, "lost.unreadable", work->unreadable);
	if (work->vanished > 0)
		put_number(entries, "lost.vanished", work->vanished);
}

void filter_meta_stream(struct filter_work *work, struct chunkfile *lm)
{
	const struct stream *from = work->from;
	struct entries entries = {0};

	for (uint32_t i = 0; i < from->lm.count; i++)
		if (!is_counted(from, from->lm.items[i].key))
			put(&entries, from->lm.items[i].key, &from->lm.items[i].value);
	if (from->last_ticks > 0)
		put_number(&entries, "filter.last", from->last_ticks);
	if (from->death > 0 && !metadata_get(&from->lm, "end.time"))
		put_number(&entries, "end.time", (uint64_t)from->death);
	if (from->final) {
		put_number(&entries, "records", work->stored);
		put_losses(work, &entries);
		put_number(&entries, "threads", from->thread_count);
		put_number(&entries, "chunks", work->chunk_count);
		put_number(&entries, "bytes", work->rec.size);
		put_calls(work, &entries);
	}
	write_entries(lm, &entries, from->final);
}

void filter_meta_left_out(struct filter_work *work, struct chunkfile *lm)
{
	static const char *const kept[] = {"run.id", "stream.name", "pid",      "ppid",
					   "image",  "parent.",     "host",     "boot.",
					   "rank",   "size",        "world",    "main",
					   "clock.", "anchor",      "mpi.rank", "mpi.size",
					   NULL};
	const struct stream *from = work->from;
	struct entries entries = {0};

	put_number(&entries, "filter.left_out", 1);
	for (uint32_t i = 0; i < from->lm.count; i++)
		if (begins_with(from->lm.items[i].key, kept))
			put(&entries, from->lm.items[i].key, &from->lm.items[i].value);
	if (!metadata_get(&from->lm, "anchor.0.ticks")) {
		put_number(&entries, "anchor.0.ticks", from->first_anchor.ticks);
		put_number(&entries, "anchor.0.mono", (uint64_t)from->first_anchor.mono);
		put_number(&entries, "anchor.0.real", (uint64_t)from->first_anchor.real);
	}
	write_entries(lm, &entries, true);
}

/* ---- the trace ---- */

/* "FIRST | THEN" of a trace that was filtered before. */
static void put_conditions(struct entries *entries, const struct metadata *from,
			   const char *conditions)
{
	const char *before = metadata_text(from, "filter.conditions");
	struct buffer all = {0};

	buffer_add_text(&all, before);
	buffer_add_text(&all, *before ? " | " : "");
	buffer_add_text(&all, conditions);
	buffer_add(&all, "", 1);
	put_text(entries, "filter.conditions", (const char *)all.bytes);
	buffer_release(&all);
}

/* Streams that are not asked for, now or before. */
static unsigned left_out(const struct filter_work *work)
{
	const struct reader *trace = work->trace;
	unsigned count = trace->left_out;

	for (unsigned i = 0; i < trace->stream_count; i++)
		count += !filter_stream(work->filter, trace->streams[i]);
	return count;
}

void filter_meta_global(struct filter_work *work, struct chunkfile *gm, const char *conditions,
			const struct filter_sums *sums)
{
	static const char *const counts[] = {"records", "lost",    "ranks",  "worlds", "streams",
					     "hosts",   "filter.", "world.", NULL};
	const struct metadata *from = &work->trace->gm;
	struct entries entries = {0};

	for (uint32_t i = 0; i < from->count; i++)
		if (!begins_with(from->items[i].key, counts))
			put(&entries, from->items[i].key, &from->items[i].value);
	put_text(&entries, "filter.by", "recorder filter " RECORDER_VERSION);
	put_conditions(&entries, from, conditions);
	put_text(&entries, "filter.of", work->trace->dir);
	/* missing or damaged, and no loss of a stream */
	if (!work->trace->gm_whole || !work->trace->all_there || sums->problems > 0 ||
	    metadata_u64(from, "filter.incomplete", 0))
		put_number(&entries, "filter.incomplete", 1);
	put_number(&entries, "streams",
		   work->trace->stream_count + work->trace->left_out - left_out(work));
	put_number(&entries, "filter.left_out", left_out(work));
	put_number(&entries, "records", sums->calls);
	put_number(&entries, "lost", sums->lost);
	write_entries(gm, &entries, from->final);
}
