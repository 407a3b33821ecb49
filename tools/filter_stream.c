/* SPDX-License-Identifier: MIT */
/* filter_stream.c - see filter_stream.h */
#include "filter_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter_meta.h"
#include "format/defs_relative.h"
#include "format/raw.h"
#include "message.h"
#include "read/chunk_reader.h"
#include "read/convert.h"
#include "read/losses.h"

#define DEFS_SIZE (1u << 20) /* of entries, in one chunk, and a record's more */
#define NAME_ROOM 256u       /* of a stream is 200 at most, and its ending */

void filter_work_init(struct filter_work *work, struct reader *trace, const struct filter *filter,
		      int to_fd)
{
	*work = (struct filter_work){.trace = trace, .filter = filter, .to_fd = to_fd};
	work->chunks = chunk_reader_new(trace);
	work->converter = calloc(1, sizeof(*work->converter));
	work->calls = calloc(trace->functions.count + 1u, sizeof(*work->calls));
	work->batch.deflater =
		deflater_init(aligned_alloc(16, (deflater_size() + 15) & ~(size_t)15));
	if (!work->chunks || !work->converter || !work->calls || !work->batch.deflater)
		die("out of memory");
}

void filter_work_release(struct filter_work *work)
{
	chunk_reader_free(work->chunks);
	free(work->converter);
	free(work->calls);
	free(work->batch.deflater);
	filter_batch_release(&work->batch);
	buffer_release(&work->words);
	buffer_release(&work->packed);
}

/* ---- chunks ---- */

void filter_append(struct chunkfile *file, struct chunk_header *header, const void *body)
{
	int error = chunkfile_append(file, header, body ? body : "");

	if (error)
		die("cannot write the new trace: %s", strerror(-error));
}

static void append(struct filter_work *work, struct chunk_header *header, const void *body)
{
	filter_append(&work->rec, header, body);
	work->chunk_count++;
}

/* The entries relative to each other, deflated, if that makes them smaller. */
static const void *pack_defs(struct filter_work *work, struct chunk_header *header)
{
	const struct buffer *entries = &work->defs.entries;
	size_t room = defs_relative_bound(entries->size), size;
	struct varints words;

	buffer_clear(&work->words);
	words = varints_in(buffer_room(&work->words, room), room);
	header->encoding = DEFS_PLAIN;
	header->count = work->defs.count;
	header->body_size = header->plain_size = (uint32_t)entries->size;
	defs_relative_pack(entries->bytes, (uint32_t)entries->size, &words);
	if (words.full)
		return entries->bytes;
	size = (size_t)(words.p - work->words.bytes);
	buffer_clear(&work->packed);
	room = deflater_bound(size);
	work->packed.size = deflater_run(work->batch.deflater, work->words.bytes, size,
					 buffer_room(&work->packed, room), room);
	if (work->packed.size == 0 || work->packed.size >= entries->size)
		return entries->bytes;
	header->encoding = DEFS_RELATIVE;
	header->plain_size = (uint32_t)size;
	header->body_size = (uint32_t)work->packed.size;
	return work->packed.bytes;
}

static void write_defs(struct filter_work *work)
{
	struct chunk_header header = {.type = CHUNK_DEFS};
	const void *body;

	if (work->defs.count == 0)
		return;
	body = pack_defs(work, &header);
	append(work, &header, body);
	filter_defs_clear(&work->defs);
}

static void write_batch(struct filter_work *work)
{
	struct chunk_header header;

	if (work->batch.count == 0)
		return;
	write_defs(work);
	filter_batch_encode(&work->batch, &header);
	append(work, &header, work->batch.body.bytes);
}

/* ---- records ---- */

static void keep(struct filter_work *work, const struct function *function,
		 const struct raw_record *record)
{
	struct filter_batch *batch = &work->batch;

	filter_defs_need(&work->defs, function, record);
	filter_batch_add(batch, record);
	work->stored++;
	work->calls[function->info.id] += record->repeat;
	if (work->defs.entries.size >= DEFS_SIZE)
		write_defs(work);
	if (batch->records.size >= FILTER_BATCH_SIZE)
		write_batch(work);
}

/* Whether a record of the chunk that is open is asked for. */
static bool is_wanted(struct filter_work *work, const struct thread *thread,
		      const struct function *function, const struct raw_record *record)
{
	if (!filter_function(work->filter, function))
		return false;
	if (work->filter->none)
		return true;
	convert(work->converter, thread, function, record, chunk_reader_sequence(work->chunks));
	return filter_record(work->filter, work->trace, &work->converter->record);
}

/* Where time goes back, chunks stay what they were: readers may tell the difference. */
static void settle_times(struct filter_work *work, const struct chunk *chunk)
{
	struct filter_batch *batch = &work->batch;
	bool goes_back = chunk->t_base < batch->last && batch->last != batch->t_base;

	if (!batch->disordered && !goes_back)
		return;
	write_batch(work);
	batch->t_base = chunk->t_base;
}

/* 0; -ENOMEM. What is damaged is told of, and counted, by the reader. */
static int copy_chunk(struct filter_work *work, const struct thread *thread, uint32_t number)
{
	const struct chunk *chunk = &thread->chunks[number];
	const struct raw_record *record;
	bool summed = chunk_is_summed(chunk);
	uint64_t unit, phase;
	int error = chunk_reader_open(work->chunks, thread, number, work->filter->functions);

	if (error)
		return error == -ENOMEM ? error : 0;
	chunk_reader_unit(work->chunks, &unit, &phase);
	settle_times(work, chunk);
	while ((record = chunk_reader_next(work->chunks))) {
		const struct function *function =
			definitions_function(&thread->stream->defs, record->function);

		if (!is_wanted(work, thread, function, record))
			continue;
		if (work->batch.count == 0 ||
		    !filter_batch_takes(&work->batch, unit, phase, summed)) {
			write_batch(work);
			filter_batch_times(&work->batch, unit, phase, summed);
		}
		if (work->batch.sequence == 0 && work->batch.count == 0)
			work->batch.t_base =
				chunk->t_base < record->tend ? chunk->t_base : record->tend;
		keep(work, function, record);
	}
	return 0;
}

/* The calls in flight that are asked for; they keep their addresses. */
static void copy_open(struct filter_work *work, const struct thread *thread)
{
	struct bytes calls = bytes_of(thread->open.records, thread->open.size);
	struct chunk_header header = {.type = CHUNK_OPEN, .thread = thread->index};
	const struct raw_record *record;

	buffer_clear(&work->batch.body);
	while (raw_next(&calls, &record)) {
		const struct function *function =
			definitions_function(&thread->stream->defs, record->function);

		if (!function || record->arg_count > function->stored_args ||
		    !filter_function(work->filter, function))
			continue;
		convert_open(work->converter, thread, function, record);
		if (!filter_record(work->filter, work->trace, &work->converter->record))
			continue;
		filter_defs_need(&work->defs, function, record);
		buffer_add(&work->batch.body, record, record->size);
		header.count++;
	}
	if (header.count == 0)
		return;
	header.body_size = header.plain_size = (uint32_t)work->batch.body.size;
	write_defs(work);
	append(work, &header, work->batch.body.bytes);
	work->in_flight += header.count;
}

static void copy_thread(struct filter_work *work, const struct thread *thread)
{
	filter_batch_thread(&work->batch, thread, 0);
	for (uint32_t i = 0; i < thread->chunk_count; i++) {
		if (!filter_chunk(work->filter, thread->stream, &thread->chunks[i]))
			continue;
		if (copy_chunk(work, thread, i))
			die("out of memory");
	}
	write_batch(work);
	if (work->filter->in_flight)
		copy_open(work, thread);
}

/* ---- what else the file says ---- */

static bool is_in_lm(const struct filter_work *work, const struct anchor *anchor)
{
	return anchor->ticks == metadata_u64(&work->from->lm, "anchor.0.ticks", 0) ||
	       anchor->ticks == metadata_u64(&work->from->lm, "anchor.1.ticks", 0);
}

/* The clock's readings that a line through the first and the last would not give. */
static void write_anchors(struct filter_work *work)
{
	const struct timeline *timeline = &work->from->timeline;

	for (uint32_t i = 0; i < timeline->anchor_count; i++) {
		struct chunk_header header = {.type = CHUNK_DEFS, .anchor = timeline->anchors[i]};
		bool end = i == 0 || i == timeline->anchor_count - 1;

		if ((end || timeline->segment_count > 1) && !is_in_lm(work, &header.anchor))
			append(work, &header, NULL);
	}
}

static void add_loss(struct buffer *body, uint32_t *count, const char *reason, uint64_t lost)
{
	uint16_t length = (uint16_t)strlen(reason);

	buffer_add(body, &lost, sizeof(lost));
	buffer_add(body, &length, sizeof(length));
	buffer_add(body, reason, length);
	++*count;
}

/* The thread that most was lost of stands for all: reasons are not known by thread. */
static uint32_t losing_thread(const struct stream *stream)
{
	const struct thread *most = NULL;

	for (uint32_t i = 0; i < stream->thread_count; i++)
		if (!most || stream->threads[i].lost > most->lost)
			most = &stream->threads[i];
	return most ? most->index : 0;
}

/* What the process had stored when it ended, and is neither there nor known to be lost, is only known by its number. */
static void count_unreadable(struct filter_work *work)
{
	const struct stream *from = work->from;
	uint64_t said = from->final ? metadata_u64(&from->lm, "records", 0) : 0;
	uint64_t known = add_counts(from->stored, add_counts(from->missing, from->torn));

	work->unreadable = from->unreadable;
	work->vanished = said > known ? said - known : 0;
}

static void write_losses(struct filter_work *work)
{
	const struct stream *from = work->from;
	struct chunk_header header = {.type = CHUNK_LOST, .thread = losing_thread(from)};
	struct buffer *body = &work->words;

	buffer_clear(body);
	for (uint32_t i = 0; i < from->loss_count; i++)
		add_loss(body, &header.count, from->losses[i].reason, from->losses[i].count);
	count_unreadable(work);
	if (work->unreadable > 0)
		add_loss(body, &header.count, "unreadable", work->unreadable);
	if (work->vanished > 0)
		add_loss(body, &header.count, "vanished", work->vanished);
	work->lost = add_counts(from->lost, add_counts(work->unreadable, work->vanished));
	if (header.count == 0)
		return;
	header.body_size = header.plain_size = (uint32_t)body->size;
	append(work, &header, body->bytes);
}

static void write_end(struct filter_work *work)
{
	struct {
		struct end_head head;
		struct end_tail tail;
	} body = {{work->stored, work->lost, 0, 0}, {work->rec.size, {0}}};
	struct chunk_header header = {.type = CHUNK_END};

	memcpy(body.tail.magic, INDEX_MAGIC, sizeof(body.tail.magic));
	header.body_size = header.plain_size = sizeof(body);
	append(work, &header, &body);
}

static void create(struct filter_work *work, const struct stream *from, struct chunkfile *file,
		   const char *ending, enum file_kind kind)
{
	char name[NAME_ROOM + 8];
	int error = -ENAMETOOLONG;

	if ((size_t)snprintf(name, sizeof(name), "%s.%s", from->name, ending) < sizeof(name))
		error = chunkfile_create(file, work->to_fd, name, kind, from->id);
	if (error)
		die("cannot make '%s.%s' of the new trace: %s", from->name, ending,
		    strerror(-error));
}

static void finish(struct chunkfile *file)
{
	if (file->fd >= 0 && close(file->fd))
		die("cannot write the new trace: %s", strerror(errno));
	file->fd = -1;
}

static void copy_records(struct filter_work *work)
{
	const struct stream *from = work->from;

	create(work, from, &work->rec, "rec", FILE_STREAM);
	write_anchors(work);
	filter_defs_threads(&work->defs);
	write_defs(work);
	for (uint32_t i = 0; i < from->thread_count; i++)
		if (filter_thread(work->filter, &from->threads[i]))
			copy_thread(work, &from->threads[i]);
	write_losses(work);
	/* who was killed has not said that it ended */
	if (from->final || from->state == READER_CLEAN)
		write_end(work);
	work->all_stored += work->stored;
	work->all_lost += work->lost;
}

void filter_stream_copy(struct filter_work *work, const struct stream *from)
{
	struct chunkfile lm;

	work->from = from;
	work->defs = (struct filter_defs){.from = from};
	memset(work->calls, 0, work->trace->functions.count * sizeof(*work->calls));
	work->stored = work->lost = work->in_flight = work->chunk_count = 0;
	copy_records(work);
	finish(&work->rec);
	filter_defs_release(&work->defs);
	for (uint32_t i = 0; i < work->trace->functions.count; i++)
		work->all_calls += work->calls[i];
	if (!from->lm_ok)
		return;
	create(work, from, &lm, "lm", FILE_LOCAL);
	filter_meta_stream(work, &lm);
	finish(&lm);
}

void filter_stream_leave_out(struct filter_work *work, const struct stream *from)
{
	struct chunkfile lm;

	work->from = from;
	create(work, from, &lm, "lm", FILE_LOCAL);
	filter_meta_left_out(work, &lm);
	finish(&lm);
}
