/* SPDX-License-Identifier: MIT */
/* watched_stream.c - see watched_stream.h */
#include "system/watched_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "format/chunk.h"
#include "format/deflater.h"
#include "format/meta.h"
#include "format/reasons.h"
#include "format/signatures_encode.h"

#define CHUNK_RECORDS (256u << 10) /* bytes of raw records that make a chunk */
#define FUNCTIONS_MAX 1024u
#define META_ROOM (128u << 10)
#define NS 1000000000ull
#define CLOCK_TICKS 100u /* a second, of `pid.start`: USER_HZ is the same on all machines */

/* Bytes that grow. */
struct pile {
	uint8_t *bytes;
	size_t size, capacity;
};

struct watch_work {
	struct pile words, bits, body, encoder;
	void *deflater_memory;
	struct deflater *deflater;
};

struct watched_thread {
	uint64_t sequence; /* of the first record that is kept */
	uint64_t t_base, last, oldest;
	uint64_t lost; /* before that record */
	struct pile records;
	uint32_t count;
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
	uint8_t known[FUNCTIONS_MAX / 8];
	uint64_t records, lost, unwritten, chunks, bytes;
};

/* Memory -------------------------------------------------------------------------- */

static uint8_t *pile_room(struct pile *pile, size_t size)
{
	size_t capacity = pile->capacity ? pile->capacity : 4096;
	uint8_t *bytes;

	if (pile->capacity - pile->size >= size)
		return pile->bytes + pile->size;
	while (capacity - pile->size < size)
		capacity *= 2;
	bytes = realloc(pile->bytes, capacity);
	if (!bytes)
		return NULL;
	pile->bytes = bytes;
	pile->capacity = capacity;
	return bytes + pile->size;
}

static void pile_release(struct pile *pile)
{
	free(pile->bytes);
	*pile = (struct pile){NULL, 0, 0};
}

/* Room for so many bytes, of which none is kept from before. */
static uint8_t *pile_anew(struct pile *pile, size_t size)
{
	pile->size = 0;
	return pile_room(pile, size);
}

static struct anchor anchor_now(void)
{
	struct timespec mono, real;
	struct anchor anchor;

	clock_gettime(CLOCK_MONOTONIC, &mono);
	clock_gettime(CLOCK_REALTIME, &real);
	anchor.mono = (int64_t)mono.tv_sec * (int64_t)NS + mono.tv_nsec;
	anchor.real = (int64_t)real.tv_sec * (int64_t)NS + real.tv_nsec;
	anchor.ticks = (uint64_t)anchor.mono;
	return anchor;
}

/* That instant, on all clocks. */
static struct anchor anchor_at(uint64_t mono)
{
	struct anchor anchor = anchor_now();

	anchor.real -= anchor.mono - (int64_t)mono;
	anchor.mono = (int64_t)mono;
	anchor.ticks = mono;
	return anchor;
}

/* The place ------------------------------------------------------------------------ */

static void read_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");

	if (!file || !fgets(line, (int)size, file))
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (file)
		fclose(file);
}

int watch_place_init(struct watch_place *place, int dir_fd, const char *run_id)
{
	struct watch_work *work = calloc(1, sizeof(*work));
	struct utsname names;

	if (!work)
		return -ENOMEM;
	*place = (struct watch_place){.dir_fd = dir_fd, .run_id = run_id, .unit = 10, .work = work};
	work->deflater_memory = aligned_alloc(16, (deflater_size() + 15) & ~(size_t)15);
	work->deflater = work->deflater_memory ? deflater_init(work->deflater_memory) : NULL;
	if (!work->deflater) {
		watch_place_release(place);
		return -ENOMEM;
	}
	if (!uname(&names))
		snprintf(place->host, sizeof(place->host), "%s", names.nodename);
	read_line("/proc/sys/kernel/random/boot_id", place->boot_id, sizeof(place->boot_id));
	return 0;
}

void watch_place_release(struct watch_place *place)
{
	struct watch_work *work = place->work;

	if (!work)
		return;
	pile_release(&work->words);
	pile_release(&work->bits);
	pile_release(&work->body);
	pile_release(&work->encoder);
	free(work->deflater_memory);
	free(work);
	place->work = NULL;
}

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
	header->anchor = anchor_now();
	chunk_header_seal(header, body);
	error = write_all(fd, header, body);
	close(fd);
	if (!error) {
		stream->bytes += sizeof(*header) + header->body_size;
		stream->chunks++;
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

struct meta_page {
	struct packer packer;
	uint32_t count;
};

static void put_u64(struct meta_page *page, const char *key, uint64_t value)
{
	meta_put_u64(&page->packer, key, value);
	page->count++;
}

static void put_str(struct meta_page *page, const char *key, const char *value)
{
	meta_put_str(&page->packer, key, value);
	page->count++;
}

static void put_anchor(struct meta_page *page, const char *number, struct anchor anchor)
{
	char key[32];

	snprintf(key, sizeof(key), "anchor.%s.ticks", number);
	put_u64(page, key, anchor.ticks);
	snprintf(key, sizeof(key), "anchor.%s.mono", number);
	meta_put_i64(&page->packer, key, anchor.mono);
	snprintf(key, sizeof(key), "anchor.%s.real", number);
	meta_put_i64(&page->packer, key, anchor.real);
	page->count += 2;
}

static void put_beginning(const struct watched_stream *stream, struct meta_page *page)
{
	const struct watch_place *place = stream->place;
	struct utsname names;

	put_str(page, "run.id", place->run_id);
	put_str(page, "source", "system");
	put_u64(page, "pid", stream->facts.pid);
	put_u64(page, "ppid", stream->facts.ppid);
	put_u64(page, "pid.start", stream->facts.start_boottime / (NS / CLOCK_TICKS));
	put_u64(page, "image", 0);
	put_str(page, "host", place->host);
	put_str(page, "boot.id", place->boot_id);
	put_u64(page, "rank", (uint64_t)stream->facts.job.rank.rank);
	if (stream->facts.job.rank.source)
		put_str(page, "rank.source", stream->facts.job.rank.source);
	if (stream->facts.job.rank.size > 0)
		put_u64(page, "size", (uint64_t)stream->facts.job.rank.size);
	if (*stream->facts.job.world)
		put_str(page, "world", stream->facts.job.world);
	put_u64(page, "main", 0);
	put_str(page, "recorder.version", RECORDER_VERSION);
	if (!uname(&names)) {
		put_str(page, "kernel", names.release);
		put_str(page, "machine", names.machine);
	}
	put_str(page, "byte.order", "little");
	put_str(page, "clock.kind", "monotonic");
	put_u64(page, "clock.granule", 1);
	put_u64(page, "clock.resolution", place->unit);
	put_anchor(page, "0", anchor_at(stream->facts.start));
}

static int append_meta(struct watched_stream *stream, const struct meta_page *page,
		       const uint8_t *bytes, bool final)
{
	struct chunk_header header = {.type = CHUNK_META,
				      .flags = final ? CHUNK_FINAL : 0,
				      .count = page->count};

	header.body_size = header.plain_size = (uint32_t)packer_size(&page->packer, bytes);
	return header.body_size > 0 ? append(stream, ".lm", &header, bytes) : -ENOBUFS;
}

static int write_beginning(struct watched_stream *stream)
{
	uint8_t *bytes = malloc(META_ROOM);
	struct meta_page page = {.packer = packer_of(bytes, META_ROOM)};
	int error;

	if (!bytes)
		return -ENOMEM;
	put_beginning(stream, &page);
	error = append_meta(stream, &page, bytes, false);
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

void watched_stream_job(struct watched_stream *stream, const struct watched_job *job)
{
	stream->facts.job = *job;
}

/* What was described since the last time. */
static int write_facts(struct watched_stream *stream)
{
	struct chunk_header header = {.type = CHUNK_META, .count = stream->fact_count};
	int error;

	if (stream->fact_count == 0)
		return 0;
	header.body_size = header.plain_size = (uint32_t)stream->facts_more.size;
	error = append(stream, ".lm", &header, stream->facts_more.bytes);
	if (!error)
		stream->fact_count = 0, stream->facts_more.size = 0;
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

static uint32_t entries_in(const struct pile *definitions)
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
	header.count = entries_in(&stream->definitions);
	header.body_size = header.plain_size = (uint32_t)stream->definitions.size;
	error = append(stream, ".rec", &header, stream->definitions.bytes);
	if (!error)
		stream->definitions.size = 0;
	return error;
}

bool watched_stream_knows(struct watched_stream *stream, uint16_t function)
{
	uint8_t *byte, bit = (uint8_t)(1 << function % 8);
	bool known;

	if (function >= FUNCTIONS_MAX)
		return true;
	byte = &stream->known[function / 8];
	known = *byte & bit;
	*byte |= bit;
	return known;
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
	stream->threads[index] = (struct watched_thread){.t_base = start, .last = start};
	stream->thread_count++;
	return index;
}

/* Chunks --------------------------------------------------------------------------- */

static struct encode_function function_of(void *data, uint16_t id)
{
	const struct watched_stream *stream = data;
	const struct watched_function *function = stream->functions[id];

	return (struct encode_function){.result_class = function->result_class,
					.arg_count = function->arg_count,
					.arg_classes = function->arg_classes};
}

static struct encode_site site_of(void *data, uint64_t address)
{
	(void)data;
	return (struct encode_site){0, address};
}

/* The body lies in the work memory, or in the records as they are. */
static const uint8_t *encode(const struct watched_stream *stream, struct watched_thread *thread,
			     struct chunk_header *header)
{
	struct watch_work *work = stream->place->work;
	size_t size = thread->records.size;
	uint8_t *words = pile_anew(&work->words, signatures_words_room(size));
	uint8_t *bits = pile_anew(&work->bits, signatures_bits_room(size));
	uint8_t *memory = pile_anew(&work->encoder, signatures_work_size(size) + 16);
	struct encode_input input = {.records = thread->records.bytes,
				     .size = (uint32_t)size,
				     .count = thread->count,
				     .t_base = thread->t_base,
				     .unit = stream->place->unit,
				     .data = (void *)(uintptr_t)stream,
				     .function = function_of,
				     .site = site_of};
	struct encode_output output;
	uint8_t *body;

	if (!words || !bits || !memory)
		return NULL;
	memory += -(uintptr_t)memory % 16;
	if (signatures_encode(&input, memory, words, bits, &output))
		return NULL;
	body = pile_anew(&work->body, signatures_body_bound(output.words_size, output.bits_size));
	if (!body || !signatures_body(work->deflater, words, bits, &output, body, header))
		return NULL;
	return body;
}

static void describe_raw(const struct watched_thread *thread, struct chunk_header *header)
{
	header->encoding = DATA_RAW;
	header->body_size = header->plain_size = (uint32_t)thread->records.size;
	header->t_base = thread->t_base;
	header->t_min = UINT64_MAX;
	header->t_max = thread->last;
	for (size_t at = 0; at < thread->records.size;) {
		const struct raw_record *record = (const void *)(thread->records.bytes + at);

		if (record->tstart < header->t_min)
			header->t_min = record->tstart;
		header->carried += record->tstart < thread->t_base;
		at += record->size;
	}
}

static void write_chunk(struct watched_stream *stream, uint32_t index)
{
	struct watched_thread *thread = &stream->threads[index];
	struct chunk_header header = {.type = CHUNK_DATA,
				      .thread = index,
				      .count = thread->count,
				      .first_sequence = thread->sequence,
				      .lost = (uint32_t)thread->lost};
	const uint8_t *body;
	int error;

	if (thread->count == 0)
		return;
	header.flags = (uint16_t)(thread->lost ? LOSS_RING_FULL << CHUNK_LOSS_SHIFT : 0);
	body = pile_room(&thread->records, RECORDS_BEHIND) ? encode(stream, thread, &header) : NULL;
	if (!body) {
		describe_raw(thread, &header);
		body = thread->records.bytes;
	}
	error = begin(stream);
	if (!error)
		error = write_facts(stream);
	if (!error)
		error = write_definitions(stream);
	if (!error)
		error = append(stream, ".rec", &header, body);
	if (error)
		stream->unwritten += thread->count;
	else
		stream->records += thread->count;
	thread->sequence += thread->count;
	thread->t_base = thread->last;
	thread->records.size = 0;
	thread->count = 0;
	thread->lost = 0;
}

int watched_stream_add(struct watched_stream *stream, uint32_t index, struct raw_record *record)
{
	struct watched_thread *thread = &stream->threads[index];
	uint8_t *at = pile_room(&thread->records, record->size + RECORDS_BEHIND);

	if (!at)
		return -ENOMEM;
	if (thread->count == 0)
		thread->oldest = record->tend;
	record->sequence = (uint32_t)(thread->sequence + thread->count);
	if (record->tend < thread->last) /* two clocks that disagree by less than a tick */
		record->tend = thread->last;
	if (record->tstart > record->tend)
		record->tstart = record->tend;
	thread->last = record->tend;
	memcpy(at, record, record->size);
	thread->records.size += record->size;
	thread->count++;
	if (thread->records.size >= CHUNK_RECORDS)
		write_chunk(stream, index);
	return 0;
}

void watched_stream_lost(struct watched_stream *stream, uint32_t index, uint64_t count)
{
	struct watched_thread *thread = &stream->threads[index];

	write_chunk(stream, index);
	thread->lost += count;
	thread->sequence += count;
	stream->lost += count;
}

void watched_stream_flush(struct watched_stream *stream, uint64_t older_than)
{
	for (uint32_t i = 0; i < stream->thread_count; i++)
		if (stream->threads[i].count > 0 && stream->threads[i].oldest < older_than)
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
	snprintf(stream->name, sizeof(stream->name), "system.%.16s.%u.%llu", place->host,
		 facts->pid, (unsigned long long)(facts->start_boottime / (NS / CLOCK_TICKS)));
	for (char *at = stream->name; *at; at++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-",
			    *at))
			*at = '_';
	if (getrandom(&stream->id, sizeof(stream->id), 0) != sizeof(stream->id))
		stream->id = facts->start_boottime ^ (uint64_t)facts->pid << 40;
	return stream;
}

static void release(struct watched_stream *stream)
{
	for (uint32_t i = 0; i < stream->thread_count; i++)
		pile_release(&stream->threads[i].records);
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
		pack_str(&packer, "ring_full");
		header.body_size = header.plain_size = (uint32_t)packer_size(&packer, body);
		error = append(stream, ".rec", &header, body);
	}
	return error;
}

static int write_end(struct watched_stream *stream, const char *reason, int status)
{
	struct end_head head = {.records = stream->records,
				.lost = stream->lost + stream->unwritten};
	struct end_tail tail = {0, INDEX_MAGIC};
	struct chunk_header header = {.type = CHUNK_END};
	uint8_t body[sizeof(head) + sizeof(tail)], meta[1024];
	struct meta_page page = {.packer = packer_of(meta, sizeof(meta))};
	struct timespec now;
	int error;

	memcpy(body, &head, sizeof(head));
	memcpy(body + sizeof(head), &tail, sizeof(tail));
	header.body_size = header.plain_size = sizeof(body);
	error = append(stream, ".rec", &header, body);
	if (error || !reason)
		return error;
	clock_gettime(CLOCK_REALTIME, &now);
	put_str(&page, "end.reason", reason);
	meta_put_i64(&page.packer, "end.status", status);
	page.count++;
	put_u64(&page, "end.time", (uint64_t)now.tv_sec * NS + (uint64_t)now.tv_nsec);
	put_anchor(&page, "1", anchor_now());
	put_u64(&page, "records", stream->records);
	put_u64(&page, "lost", stream->lost + stream->unwritten);
	if (stream->lost)
		put_u64(&page, "lost.ring_full", stream->lost);
	if (stream->unwritten)
		put_u64(&page, "lost.write_error", stream->unwritten);
	put_u64(&page, "threads", stream->thread_count);
	put_u64(&page, "chunks", stream->chunks);
	put_u64(&page, "bytes", stream->bytes);
	return append_meta(stream, &page, meta, true);
}

void watched_stream_end(struct watched_stream *stream, const char *end_reason, int status)
{
	for (uint32_t i = 0; i < stream->thread_count; i++)
		write_chunk(stream, i);
	if ((stream->begun || stream->lost || stream->unwritten) && !begin(stream) &&
	    !write_facts(stream) && !write_definitions(stream) && !write_losses(stream))
		write_end(stream, end_reason, status);
	release(stream);
}
