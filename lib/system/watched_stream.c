/* SPDX-License-Identifier: MIT */
/* watched_stream.c - see watched_stream.h */
#include "system/watched_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "format/chunk.h"
#include "format/meta.h"
#include "format/reasons.h"
#include "system/watched_chunk.h"
#include "system/watched_meta.h"
#include "system/watched_order.h"

#define CHUNK_RECORDS (256u << 10) /* bytes of raw records that make a chunk */
#define FUNCTIONS_MAX 6144u
#define META_ROOM (128u << 10)
#define CLOCKS_MAX 512u /* readings of clocks in a chunk of metadata */

const struct watched_job watched_nobodys_job = {{0, -1, NULL}, ""};

struct watched_thread {
	uint32_t tid;
	uint64_t start;
	uint64_t sequence; /* of the first record that is kept */
	uint64_t oldest;   /* its end */
	uint64_t lost;     /* before that record */
	enum loss_reason reason;
	bool disordered; /* they are not in the order of their ends */
	struct watched_records records;
};

struct watched_stream {
	const struct watch_place *place;
	struct watched_facts facts;
	char name[64];
	uint64_t id;
	bool begun; /* there are files */
	struct pile definitions, facts_more;
	uint32_t fact_count;
	struct watched_thread *threads;
	uint32_t thread_count, thread_room;
	const struct watched_function *functions[FUNCTIONS_MAX];
	struct watched_sums sums;
};

/* Files ---------------------------------------------------------------------------- */

static int open_file(const struct watched_stream *stream, const char *suffix, int flags)
{
	char name[sizeof(stream->name) + 8];
	int fd;

	snprintf(name, sizeof(name), "%s%s", stream->name, suffix);
	fd = openat(stream->place->dir_fd, name,
		    O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
	return fd < 0 ? -errno : fd;
}

static int write_all(int fd, const struct chunk_header *header, const void *body)
{
	size_t size = sizeof(*header) + header->body_size;
	uint8_t *whole = malloc(size);
	ssize_t written;

	if (!whole)
		return -ENOMEM;
	memcpy(whole, header, sizeof(*header));
	if (header->body_size > 0)
		memcpy(whole + sizeof(*header), body, header->body_size);
	written = write(fd, whole, size);
	free(whole);
	if (written < 0)
		return -errno;
	return (size_t)written == size ? 0 : -ENOSPC;
}

static int append(struct watched_stream *stream, const char *suffix, struct chunk_header *header,
		  const void *body)
{
	int fd = open_file(stream, suffix, 0), error;

	if (fd < 0)
		return fd;
	header->anchor = watch_anchor_now();
	chunk_header_seal(header, body);
	error = write_all(fd, header, body);
	close(fd);
	if (!error) {
		stream->sums.bytes += sizeof(*header) + header->body_size;
		stream->sums.chunks++;
	}
	return error;
}

static int create(struct watched_stream *stream, const char *suffix, enum file_kind kind)
{
	struct file_header header;
	int fd = open_file(stream, suffix, O_CREAT | O_EXCL), error = 0;

	if (fd < 0)
		return fd;
	file_header_init(&header, kind, stream->id);
	if (write(fd, &header, sizeof(header)) != sizeof(header))
		error = errno ? -errno : -ENOSPC;
	close(fd);
	return error;
}

/* Metadata ------------------------------------------------------------------------- */

static int append_meta(struct watched_stream *stream, const struct entries *entries, bool final)
{
	struct chunk_header header = {.type = CHUNK_META,
				      .flags = final ? CHUNK_FINAL : 0,
				      .count = entries->count};

	header.body_size = header.plain_size = (uint32_t)entries_size(entries);
	return header.body_size > 0 ? append(stream, ".lm", &header, entries->body) : -ENOBUFS;
}

static int write_beginning(struct watched_stream *stream)
{
	uint8_t *bytes = malloc(META_ROOM);
	struct entries entries = entries_in(bytes, META_ROOM);
	int error;

	if (!bytes)
		return -ENOMEM;
	watched_meta_begin(&entries, stream->place, &stream->facts);
	error = append_meta(stream, &entries, false);
	free(bytes);
	return error;
}

/* Once; 0 as soon as both files are there. */
static int begin(struct watched_stream *stream)
{
	int error = 0;

	if (stream->begun)
		return 0;
	error = create(stream, ".lm", FILE_LOCAL);
	if (!error)
		error = write_beginning(stream);
	if (!error)
		error = create(stream, ".rec", FILE_STREAM);
	stream->begun = !error;
	return error;
}

void watched_stream_describe(struct watched_stream *stream, const char *key, const void *bytes,
			     size_t size)
{
	size_t room = strlen(key) + size + 16;
	uint8_t *at = pile_room(&stream->facts_more, room);
	struct packer packer = packer_of(at, at ? room : 0);

	if (!at)
		return;
	meta_put_bytes(&packer, key, bytes, size);
	stream->facts_more.size += packer_size(&packer, at);
	stream->fact_count++;
}

void watched_stream_arguments(struct watched_stream *stream, char *strings, size_t size)
{
	if (stream->place->secrets == SECRETS_LEAVE_OUT)
		return;
	if (stream->place->secrets == SECRETS_MASK)
		secrets_mask_argv(strings, size);
	watched_stream_describe(stream, "argv", strings, size);
}

void watched_stream_job(struct watched_stream *stream, const struct watched_job *job, bool main)
{
	stream->facts.job = *job;
	stream->facts.main = main;
}

/* Readings of the clocks, which readers look for in all streams of a machine; as many as fit well into a chunk. Whether there may be more. */
static bool describe_clocks(struct watched_stream *stream)
{
	char key[32], text[CLOCK_LOG_TEXT];
	unsigned number, count = 0;

	while (count < CLOCKS_MAX && clock_log_take(&stream->place->work->clocks, text, &number)) {
		snprintf(key, sizeof(key), "clock.reading.%u", number);
		watched_stream_describe(stream, key, text, strlen(text));
		count++;
	}
	return count == CLOCKS_MAX;
}

/* What was described since the last time. */
static int write_facts(struct watched_stream *stream)
{
	int error = 0;
	bool more;

	do {
		struct chunk_header header = {.type = CHUNK_META};

		more = describe_clocks(stream);
		header.count = stream->fact_count;
		if (stream->fact_count == 0)
			break;
		header.body_size = header.plain_size = (uint32_t)stream->facts_more.size;
		error = append(stream, ".lm", &header, stream->facts_more.bytes);
		if (!error)
			stream->fact_count = 0, stream->facts_more.size = 0;
	} while (more && !error);
	return error;
}

/* Definitions ---------------------------------------------------------------------- */

int watched_stream_define(struct watched_stream *stream, enum def_type type, const void *payload,
			  size_t size)
{
	size_t room = def_entry_size(size);
	uint8_t *at = pile_room(&stream->definitions, room);

	if (!at)
		return -ENOMEM;
	stream->definitions.size += def_entry_pack(at, room, type, payload, size);
	return 0;
}

static uint32_t definitions_in(const struct pile *definitions)
{
	uint32_t count = 0;

	for (size_t at = 0; at < definitions->size; count++) {
		struct def_header header;

		memcpy(&header, definitions->bytes + at, sizeof(header));
		at += def_entry_size(header.size);
	}
	return count;
}

static int write_definitions(struct watched_stream *stream)
{
	struct chunk_header header = {.type = CHUNK_DEFS, .encoding = DEFS_PLAIN};
	int error;

	if (stream->definitions.size == 0)
		return 0;
	header.count = definitions_in(&stream->definitions);
	header.body_size = header.plain_size = (uint32_t)stream->definitions.size;
	error = append(stream, ".rec", &header, stream->definitions.bytes);
	if (!error)
		stream->definitions.size = 0;
	return error;
}

bool watched_stream_knows(const struct watched_stream *stream, uint16_t function)
{
	return function >= FUNCTIONS_MAX || stream->functions[function];
}

void watched_stream_function(struct watched_stream *stream, uint16_t id,
			     const struct watched_function *function)
{
	if (id < FUNCTIONS_MAX)
		stream->functions[id] = function;
}

/* Threads -------------------------------------------------------------------------- */

static int define_thread(struct watched_stream *stream, uint32_t index, uint32_t tid,
			 uint64_t start, const char *name)
{
	struct def_thread thread = {.index = index,
				    .tid = tid,
				    .flags = tid == stream->facts.pid ? THREAD_MAIN : 0,
				    .start = start,
				    .name = {name ? name : "", name ? strlen(name) : 0}};
	uint8_t payload[256];
	size_t size = def_thread_pack(payload, sizeof(payload), &thread);

	return watched_stream_define(stream, DEF_THREAD, payload, size);
}

int64_t watched_stream_thread(struct watched_stream *stream, uint32_t tid, uint64_t start,
			      const char *name)
{
	uint32_t index = stream->thread_count;

	if (index == stream->thread_room) {
		uint32_t room = index ? 2 * index : 4;
		struct watched_thread *threads = realloc(stream->threads, room * sizeof(*threads));

		if (!threads)
			return -ENOMEM;
		stream->threads = threads;
		stream->thread_room = room;
	}
	if (define_thread(stream, index, tid, start, name))
		return -ENOMEM;
	stream->threads[index] = (struct watched_thread){
		.tid = tid,
		.start = start,
		.records = {.t_base = start, .last = start, .functions = stream->functions}};
	stream->thread_count++;
	return index;
}

void watched_stream_rename(struct watched_stream *stream, uint32_t index, const char *name)
{
	define_thread(stream, index, stream->threads[index].tid, stream->threads[index].start,
		      name);
}

/* Chunks --------------------------------------------------------------------------- */

static void write_chunk(struct watched_stream *stream, uint32_t index)
{
	struct watched_thread *thread = &stream->threads[index];
	struct chunk_header header = {.type = CHUNK_DATA,
				      .thread = index,
				      .count = thread->records.count,
				      .first_sequence = thread->sequence,
				      .lost = (uint32_t)thread->lost};
	const uint8_t *body;
	int error;

	if (thread->records.count == 0)
		return;
	if (thread->disordered)
		watched_order(&thread->records, thread->sequence);
	header.flags = (uint16_t)(thread->lost ? thread->reason << CHUNK_LOSS_SHIFT : 0);
	body = watched_chunk_body(stream->place, &thread->records, &header);
	error = begin(stream);
	if (!error)
		error = write_facts(stream);
	if (!error)
		error = write_definitions(stream);
	if (!error)
		error = append(stream, ".rec", &header, body);
	if (error)
		stream->sums.unwritten += thread->records.count;
	else
		stream->sums.records += thread->records.count;
	thread->sequence += thread->records.count;
	thread->records.t_base = thread->records.last;
	thread->disordered = false;
	thread->records.raw.size = 0;
	thread->records.count = 0;
	thread->lost = 0;
	thread->reason = LOSS_NONE;
}

int watched_stream_add(struct watched_stream *stream, uint32_t index, struct raw_record *record)
{
	struct watched_thread *thread = &stream->threads[index];
	uint8_t *at = pile_room(&thread->records.raw, record->size + RECORDS_BEHIND);

	if (!at)
		return -ENOMEM;
	if (thread->records.count == 0)
		thread->oldest = record->tend;
	record->sequence = (uint32_t)(thread->sequence + thread->records.count);
	if (record->tend < thread->records.t_base) /* too late to be put where it belongs */
		record->tend = thread->records.t_base;
	if (record->tstart > record->tend)
		record->tstart = record->tend;
	if (record->tend < thread->records.last)
		thread->disordered = true;
	else
		thread->records.last = record->tend;
	memcpy(at, record, record->size);
	thread->records.raw.size += record->size;
	thread->records.count++;
	if (thread->records.raw.size >= CHUNK_RECORDS)
		write_chunk(stream, index);
	return 0;
}

uint64_t watched_stream_last(const struct watched_stream *stream, uint32_t index)
{
	return stream->threads[index].records.last;
}

void watched_stream_lost(struct watched_stream *stream, uint32_t index, uint64_t count,
			 enum loss_reason reason)
{
	struct watched_thread *thread = &stream->threads[index];

	write_chunk(stream, index);
	thread->lost += count;
	thread->reason = loss_both(thread->reason, reason);
	thread->sequence += count;
	stream->sums.lost += count;
	stream->sums.too_deep += reason == LOSS_TOO_DEEP ? count : 0;
}

void watched_stream_flush(struct watched_stream *stream, uint64_t older_than)
{
	for (uint32_t i = 0; i < stream->thread_count; i++)
		if (stream->threads[i].records.count > 0 && stream->threads[i].oldest < older_than)
			write_chunk(stream, i);
}

/* Begin and end -------------------------------------------------------------------- */

struct watched_stream *watched_stream_new(const struct watch_place *place,
					  const struct watched_facts *facts)
{
	struct watched_stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return NULL;
	stream->place = place;
	stream->facts = *facts;
	snprintf(stream->name, sizeof(stream->name), "%s.%.16s.%u.%llu",
		 facts->source ? facts->source : "system", place->host,
		 facts->outer ? facts->outer : facts->pid, (unsigned long long)facts->pid_start);
	for (char *at = stream->name; *at; at++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-",
			    *at))
			*at = '_';
	if (getrandom(&stream->id, sizeof(stream->id), 0) != sizeof(stream->id))
		stream->id = facts->pid_start ^ (uint64_t)facts->pid << 40;
	return stream;
}

uint64_t watched_stream_id(const struct watched_stream *stream)
{
	return stream->id;
}

static void release(struct watched_stream *stream)
{
	for (uint32_t i = 0; i < stream->thread_count; i++)
		pile_release(&stream->threads[i].records.raw);
	free(stream->threads);
	pile_release(&stream->definitions);
	pile_release(&stream->facts_more);
	free(stream);
}

/* Losses that no DATA chunk comes behind. */
static int write_losses(struct watched_stream *stream)
{
	int error = 0;

	for (uint32_t i = 0; i < stream->thread_count && !error; i++) {
		struct chunk_header header = {.type = CHUNK_LOST, .thread = i, .count = 1};
		uint8_t body[32];
		struct packer packer = packer_of(body, sizeof(body));

		if (stream->threads[i].lost == 0)
			continue;
		pack_u64(&packer, stream->threads[i].lost);
		pack_str(&packer, loss_name(stream->threads[i].reason));
		header.body_size = header.plain_size = (uint32_t)packer_size(&packer, body);
		error = append(stream, ".rec", &header, body);
	}
	return error;
}

static int write_end(struct watched_stream *stream, const char *reason, int status, uint64_t when)
{
	struct end_head head = {.records = stream->sums.records,
				.lost = stream->sums.lost + stream->sums.unwritten};
	struct end_tail tail = {0, INDEX_MAGIC};
	struct chunk_header header = {.type = CHUNK_END};
	uint8_t body[sizeof(head) + sizeof(tail)], meta[1024];
	struct entries entries = entries_in(meta, sizeof(meta));
	int error;

	memcpy(body, &head, sizeof(head));
	memcpy(body + sizeof(head), &tail, sizeof(tail));
	header.body_size = header.plain_size = sizeof(body);
	error = append(stream, ".rec", &header, body);
	if (error || !reason)
		return error;
	stream->sums.threads = stream->thread_count;
	watched_meta_end(&entries, reason, status, when, &stream->sums);
	return append_meta(stream, &entries, true);
}

void watched_stream_end(struct watched_stream *stream, const char *end_reason, int status,
			uint64_t when)
{
	clock_log_end(&stream->place->work->clocks);
	for (uint32_t i = 0; i < stream->thread_count; i++)
		write_chunk(stream, i);
	if ((stream->begun || stream->sums.lost || stream->sums.unwritten) && !begin(stream) &&
	    !write_facts(stream) && !write_definitions(stream) && !write_losses(stream))
		write_end(stream, end_reason, status, when);
	release(stream);
}
