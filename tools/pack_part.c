/* SPDX-License-Identifier: MIT */
/* pack_part.c - see pack_part.h */
#include "pack_part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "format/chunk.h"
#include "format/defs.h"
#include "format/defs_relative.h"
#include "format/deflater.h"
#include "format/pack.h"
#include "format/pack_shape.h"
#include "format/signature_spans.h"
#include "message.h"
#include "read/tracefiles.h"

#define COUNTING 8u /* times smaller than its entries is a chunk of definitions that count on */
#define TOKENS_MOST (64u << 10) /* bytes of definitions that become tokens; more become a blob */
#define SHAPE_MOST (4u << 20)   /* bytes of a shape, at most, up to which chunks are taken apart */
#define WINDOW (64u << 10)
#define HEADER_SIZE sizeof(struct chunk_header)

/* What a FUNCTION definition says of how its calls are stored. */
struct known_function {
	bool known;
	uint8_t arg_count, result_class;
	uint8_t classes[RECORD_MAX_ARGS];
};

struct part_maker {
	struct part_sink sink;
	struct part_shape shape;
	struct deflater *deflater;
	struct known_function *functions[UINT16_MAX + 1];
	uint32_t chunks; /* DATA chunks of the part so far */
	/* the file at work */
	const char *name;
	int fd;
	uint64_t size;
	/* memory that is used again */
	struct buffer chunk, plain, entries, again, own, times, times_stored;
	struct list_function *list;
};

struct part_maker *part_maker_new(const struct part_sink *sink)
{
	struct part_maker *maker = calloc(1, sizeof(*maker));

	if (!maker)
		die("out of memory");
	maker->deflater = deflater_init(aligned_alloc(16, deflater_size()));
	maker->list = calloc(UINT16_MAX + 1, sizeof(*maker->list));
	if (!maker->deflater || !maker->list)
		die("out of memory");
	maker->sink = *sink;
	return maker;
}

static void forget_functions(struct part_maker *maker)
{
	for (size_t i = 0; i <= UINT16_MAX; i++) {
		free(maker->functions[i]);
		maker->functions[i] = NULL;
	}
}

void part_maker_free(struct part_maker *maker)
{
	if (!maker)
		return;
	forget_functions(maker);
	shape_release(&maker->shape);
	buffer_release(&maker->chunk);
	buffer_release(&maker->plain);
	buffer_release(&maker->entries);
	buffer_release(&maker->again);
	buffer_release(&maker->own);
	buffer_release(&maker->times);
	buffer_release(&maker->times_stored);
	free(maker->deflater);
	free(maker->list);
	free(maker);
}

void part_begin(struct part_maker *maker)
{
	shape_clear(&maker->shape);
	maker->chunks = 0;
}

const struct part_shape *part_shape(const struct part_maker *maker)
{
	return &maker->shape;
}

static void put_data(struct part_maker *maker, const void *bytes, size_t size)
{
	maker->sink.data(maker->sink.self, bytes, size);
}

/* Sets `plain` to `size` bytes that are yet to be filled. */
static uint8_t *resize(struct buffer *buffer, size_t size)
{
	buffer_clear(buffer);
	buffer_room(buffer, size);
	buffer->size = size;
	return buffer->bytes;
}

/* A zlib stream of `bytes`, or they themselves if that is not longer. */
static const struct buffer *store(struct part_maker *maker, const void *bytes, size_t size)
{
	struct buffer *stored = &maker->times_stored;
	uLongf room = compressBound(size);

	resize(stored, room);
	if (compress2(stored->bytes, &room, bytes, size, 9) != Z_OK)
		die("cannot compress");
	stored->size = room;
	if (room >= size) {
		buffer_clear(stored);
		buffer_add(stored, bytes, size);
	}
	return stored;
}

/* ---- bytes as they are ---- */

static void put_raw(struct part_maker *maker, const uint8_t *bytes, size_t size)
{
	for (size_t at = 0; at < size;) {
		size_t part = size - at < PACK_RAW_MAX ? size - at : PACK_RAW_MAX;
		uint32_t crc = format_crc(bytes + at, part);
		const struct buffer *stored = store(maker, bytes + at, part);

		shape_op(&maker->shape, PACK_OP_RAW);
		shape_number(&maker->shape, part);
		shape_number(&maker->shape, stored->size);
		put_data(maker, &crc, sizeof(crc));
		put_data(maker, stored->bytes, stored->size);
		at += part;
	}
}

/* Exactly `size` bytes of the file. */
static void read_at(struct part_maker *maker, void *buffer, size_t size, uint64_t offset)
{
	ssize_t got = fd_read_at(maker->fd, buffer, size, offset);

	if (got < 0)
		die("cannot read '%s': %s", maker->name, strerror((int)-got));
	if ((size_t)got != size)
		die("'%s' became shorter while it was read", maker->name);
}

static void put_raw_range(struct part_maker *maker, uint64_t begin, uint64_t end)
{
	while (begin < end) {
		size_t part = end - begin < PACK_RAW_MAX ? (size_t)(end - begin) : PACK_RAW_MAX;
		uint8_t *bytes = resize(&maker->plain, part);

		read_at(maker, bytes, part, begin);
		put_raw(maker, bytes, part);
		begin += part;
	}
}

/* ---- chunks ---- */

static void put_header(struct part_maker *maker, enum pack_op op, const struct chunk_header *header)
{
	struct part_shape *shape = &maker->shape;

	shape_op(shape, op);
	shape_number(shape, header->type);
	shape_number(shape, header->encoding);
	shape_number(shape, header->flags);
	shape_number(shape, header->thread);
	shape_number(shape, header->count);
	shape_number(shape, header->lost);
	shape_number(shape, header->first_sequence);
	shape_time(shape, PACK_SIZE, header->carried);
	shape_time(shape, PACK_TICKS, header->t_base);
	shape_time(shape, PACK_TICKS, header->t_min);
	shape_time(shape, PACK_TICKS, header->t_max);
	shape_time(shape, PACK_TICKS, header->anchor.ticks);
	shape_time(shape, PACK_MONO, (uint64_t)header->anchor.mono);
	shape_time(shape, PACK_REAL, (uint64_t)header->anchor.real);
}

/* Inflates what a body begins with into maker->plain; *rest is what follows. 0; -EBADMSG: it would be another one if it was deflated again. */
static int inflate_exactly(struct part_maker *maker, const struct chunk_header *header,
			   struct bytes body, struct bytes *rest)
{
	uint8_t *plain = resize(&maker->plain, header->plain_size);
	uLongf size = header->plain_size;
	uLong used = bytes_left(&body);
	size_t room = deflater_bound(header->plain_size);

	if (header->plain_size > PACK_BLOB_MAX ||
	    uncompress2(plain, &size, body.p, &used) != Z_OK || size != header->plain_size)
		return -EBADMSG;
	if (deflater_run(maker->deflater, plain, size, resize(&maker->again, room), room) != used ||
	    memcmp(maker->again.bytes, body.p, used) != 0)
		return -EBADMSG;
	*rest = bytes_of(body.p + used, bytes_left(&body) - used);
	return 0;
}

/* ---- definitions ---- */

static void learn_function(struct part_maker *maker, struct bytes payload)
{
	struct known_function *function;
	struct def_function head;
	struct def_parameter parameter;

	if (!def_function_unpack(&payload, &head) || head.arg_count > RECORD_MAX_ARGS)
		return;
	if (!maker->functions[head.id])
		maker->functions[head.id] = calloc(1, sizeof(*function));
	function = maker->functions[head.id];
	if (!function)
		die("out of memory");
	function->known = true;
	function->arg_count = head.arg_count;
	function->result_class = head.result_class;
	for (unsigned i = 0; i < head.arg_count; i++)
		if (def_parameter_unpack(&payload, &parameter))
			function->classes[i] = parameter.class;
		else
			function->known = false;
}

static void learn_functions(struct part_maker *maker, struct bytes entries)
{
	struct def_entry entry;

	while (def_entry_next(&entries, &entry))
		if (entry.type == DEF_FUNCTION)
			learn_function(maker, entry.payload);
}

/* The entries of a chunk in the relative encoding, in maker->entries. -EBADMSG: they would be encoded in another way. */
static int unpack_relative(struct part_maker *maker)
{
	struct bytes words = bytes_of(maker->plain.bytes, maker->plain.size);
	uint32_t size = defs_relative_size(&words);
	struct varints again;
	size_t room;

	if (size > DEFS_RELATIVE_MAX)
		return -EBADMSG;
	if (defs_relative_unpack(&words, resize(&maker->entries, size), size))
		return -EBADMSG;
	room = defs_relative_bound(size);
	again = varints_in(resize(&maker->again, room), room);
	defs_relative_pack(maker->entries.bytes, size, &again);
	return !again.full && (size_t)(again.p - maker->again.bytes) == maker->plain.size &&
			       memcmp(maker->again.bytes, maker->plain.bytes, maker->plain.size) ==
				       0
		       ? 0
		       : -EBADMSG;
}

static int put_blob(struct part_maker *maker, const struct chunk_header *header)
{
	put_header(maker, PACK_OP_BLOB, header);
	shape_number(&maker->shape, header->body_size);
	shape_number(&maker->shape, header->plain_size);
	shape_blob(&maker->shape, maker->sink.words(maker->sink.self, UINT32_MAX,
						    maker->plain.bytes, maker->plain.size));
	return 0;
}

/* Definitions whose entries are in `entries`, as tokens. */
static int put_entries(struct part_maker *maker, const struct chunk_header *header, enum pack_op op,
		       struct bytes entries)
{
	int error;

	put_header(maker, op, header);
	shape_number(&maker->shape, header->body_size);
	if (op == PACK_OP_RELATIVE)
		shape_number(&maker->shape, header->plain_size);
	error = tokens_defs(&maker->shape, entries);
	tokens_end(&maker->shape);
	return error;
}

/* Whether definitions are little more than what is different from the one before, as those of files with numbers for names: tokens would lose that. */
static bool counts_on(const struct chunk_header *header, struct bytes entries)
{
	return bytes_left(&entries) / COUNTING > header->body_size;
}

static int put_defs(struct part_maker *maker, const struct chunk_header *header, struct bytes body)
{
	struct bytes rest, entries;
	bool relative = header->encoding == DEFS_RELATIVE;
	int error = inflate_exactly(maker, header, body, &rest);

	if (error || bytes_left(&rest) > 0)
		return -EBADMSG;
	entries = bytes_of(maker->plain.bytes, maker->plain.size);
	if (relative) {
		error = unpack_relative(maker);
		entries = bytes_of(maker->entries.bytes, maker->entries.size);
	}
	learn_functions(maker, entries);
	if (error || bytes_left(&entries) > TOKENS_MOST || counts_on(header, entries))
		return put_blob(maker, header);
	return put_entries(maker, header, relative ? PACK_OP_RELATIVE : PACK_OP_DEFLATED, entries);
}

/* ---- records ---- */

/* The functions of a chunk, with classes. -EBADMSG: one is not known. */
static int list_functions(struct part_maker *maker, const struct lists *lists)
{
	if (lists_functions(lists, maker->list))
		return -EBADMSG;
	for (uint32_t i = 0; i < lists->function_count; i++) {
		const struct known_function *function = maker->functions[maker->list[i].id];

		if (!function || !function->known)
			return -EBADMSG;
		maker->list[i].arg_count = function->arg_count;
		maker->list[i].result_class = function->result_class;
		maker->list[i].classes = function->classes;
	}
	return 0;
}

static int find_spans(struct part_maker *maker, const struct chunk_header *header,
		      struct bytes bits, struct signature_spans *spans)
{
	struct bytes words = bytes_of(maker->plain.bytes, maker->plain.size);
	struct span end = {header->plain_size, header->plain_size};
	struct lists lists;
	int error;

	if (header->encoding == DATA_COLUMNS) { /* times are all over it */
		*spans = (struct signature_spans){{0, end.end}, end, end, end, {0, 0}};
		return bytes_left(&bits) > 0 ? -EBADMSG : 0;
	}
	error = lists_open(&lists, header, &words);
	if (!error)
		error = list_functions(maker, &lists);
	if (!error)
		error = signature_spans_find(&lists, maker->list, maker->plain.bytes, words,
					     header->encoding == DATA_SUMMED, spans);
	return error || spans->bits.end > bytes_left(&bits) ? -EBADMSG : 0;
}

/* What of the words and the bits belongs to one source, in turns with the others. */
static void put_turn(struct buffer *cuts, uint32_t own, uint32_t times, uint32_t names)
{
	buffer_add_varint(cuts, own);
	buffer_add_varint(cuts, times);
	buffer_add_varint(cuts, names);
}

static uint32_t span_size(struct span span)
{
	return span.end - span.begin;
}

static void put_cuts(const struct signature_spans *spans, uint32_t words, uint32_t bits,
		     struct buffer *cuts)
{
	buffer_add_varint(cuts, 4);
	put_turn(cuts, spans->phase.begin, span_size(spans->phase), 0);
	put_turn(cuts, spans->carried.begin - spans->phase.end, span_size(spans->carried),
		 span_size(spans->names));
	put_turn(cuts, spans->times.begin - spans->names.end, span_size(spans->times), 0);
	put_turn(cuts, words - spans->times.end, 0, 0);
	buffer_add_varint(cuts, 2);
	put_turn(cuts, spans->bits.begin, span_size(spans->bits), 0);
	put_turn(cuts, bits - spans->bits.end, 0, 0);
}

static void add_range(struct buffer *to, const uint8_t *bytes, uint32_t begin, uint32_t end)
{
	buffer_add(to, bytes + begin, end - begin);
}

/* The blob: what of the words and the bits is neither about time nor names. */
static void cut_own(struct part_maker *maker, const struct signature_spans *spans,
		    struct bytes bits)
{
	const uint8_t *words = maker->plain.bytes;
	struct buffer *own = &maker->own;

	buffer_clear(own);
	add_range(own, words, 0, spans->phase.begin);
	add_range(own, words, spans->phase.end, spans->carried.begin);
	add_range(own, words, spans->names.end, spans->times.begin);
	add_range(own, words, spans->times.end, (uint32_t)maker->plain.size);
	add_range(own, bits.p, 0, spans->bits.begin);
	add_range(own, bits.p, spans->bits.end, (uint32_t)bytes_left(&bits));
}

/* Where all belongs, and then what of the words is about time. */
static void cut_times(struct part_maker *maker, const struct signature_spans *spans,
		      struct bytes bits)
{
	const uint8_t *words = maker->plain.bytes;
	struct buffer *times = &maker->times, *cuts = &maker->again;

	buffer_clear(cuts);
	put_cuts(spans, (uint32_t)maker->plain.size, (uint32_t)bytes_left(&bits), cuts);
	buffer_clear(times);
	buffer_add_varint(times, cuts->size);
	buffer_add(times, cuts->bytes, cuts->size);
	add_range(times, words, spans->phase.begin, spans->phase.end);
	add_range(times, words, spans->carried.begin, spans->carried.end);
	add_range(times, words, spans->times.begin, spans->times.end);
}

static void put_blobs(struct part_maker *maker, const struct signature_spans *spans)
{
	const struct part_sink *sink = &maker->sink;
	uint32_t like = 2 * maker->chunks++;

	shape_blob(&maker->shape, sink->words(sink->self, like, maker->own.bytes, maker->own.size));
	shape_blob(&maker->shape,
		   sink->words(sink->self, like + 1, maker->plain.bytes + spans->names.begin,
			       span_size(spans->names)));
}

static int put_records(struct part_maker *maker, const struct chunk_header *header,
		       struct bytes body)
{
	struct part_shape *shape = &maker->shape;
	struct signature_spans spans;
	const struct buffer *stored;
	struct bytes bits;
	uint32_t crc;

	if (inflate_exactly(maker, header, body, &bits) || find_spans(maker, header, bits, &spans))
		return -EBADMSG;
	cut_own(maker, &spans, bits);
	cut_times(maker, &spans, bits);
	crc = format_crc(maker->plain.bytes, maker->plain.size);
	crc = (uint32_t)crc32_z(crc, bits.p, bytes_left(&bits));
	stored = store(maker, maker->times.bytes, maker->times.size);
	put_header(maker, PACK_OP_RECORDS, header);
	put_blobs(maker, &spans);
	shape_time(shape, PACK_SIZE, header->body_size);
	shape_time(shape, PACK_SIZE, header->plain_size);
	shape_time(shape, PACK_SIZE, maker->times.size);
	shape_time(shape, PACK_SIZE, stored->size);
	shape_time(shape, PACK_SIZE, span_size(spans.bits));
	put_data(maker, &crc, sizeof(crc));
	put_data(maker, stored->bytes, stored->size);
	put_data(maker, bits.p + spans.bits.begin, span_size(spans.bits));
	return 0;
}

/* ---- files ---- */

static int put_plain(struct part_maker *maker, const struct chunk_header *header, struct bytes body)
{
	int error = -EBADMSG;

	if (header->plain_size != header->body_size || header->encoding != 0)
		return -EBADMSG;
	put_header(maker, PACK_OP_PLAIN, header);
	if (header->type == CHUNK_META)
		error = tokens_meta(&maker->shape, body);
	else if (header->type == CHUNK_END)
		error = tokens_end_chunk(&maker->shape, body);
	else if (header->type == CHUNK_DEFS && header->body_size <= TOKENS_MOST)
		error = tokens_defs(&maker->shape, body);
	tokens_end(&maker->shape);
	return error;
}

/* Whether there is place in the shape for more than raw bytes. It is one blob, of at most PACK_BLOB_MAX bytes, which names without end would fill. */
static bool has_place(const struct part_shape *shape)
{
	size_t values = shape->numbers.size / sizeof(uint64_t) + shape->clocks.size;

	return shape->ops.size + values * (1 + VARINT_MAX) < SHAPE_MOST;
}

/* maker->chunk is a whole chunk. */
static void put_chunk(struct part_maker *maker, const struct chunk_header *header)
{
	struct bytes body = bytes_of(maker->chunk.bytes + HEADER_SIZE, header->body_size);
	struct shape_mark mark = shape_mark(&maker->shape);
	int error;

	if (header->type == CHUNK_DEFS && header->encoding == DEFS_PLAIN)
		learn_functions(maker, body);
	if (!has_place(&maker->shape))
		error = -EFBIG;
	else if (header->type == CHUNK_DEFS &&
		 (header->encoding == DEFS_DEFLATED || header->encoding == DEFS_RELATIVE))
		error = put_defs(maker, header, body);
	else if (header->type == CHUNK_DATA &&
		 (header->encoding >= DATA_COLUMNS && header->encoding <= DATA_SUMMED))
		error = put_records(maker, header, body);
	else
		error = put_plain(maker, header, body);
	if (!error)
		return;
	shape_take_back(&maker->shape, mark);
	put_raw(maker, maker->chunk.bytes, maker->chunk.size);
}

/* Reads the chunk at `offset` into maker->chunk. False: there is no whole one. */
static bool read_chunk(struct part_maker *maker, uint64_t offset, struct chunk_header *header)
{
	uint8_t *chunk;

	if (maker->size - offset < HEADER_SIZE)
		return false;
	read_at(maker, header, HEADER_SIZE, offset);
	if (chunk_header_check(header) || header->body_size > maker->size - offset - HEADER_SIZE)
		return false;
	chunk = resize(&maker->chunk, HEADER_SIZE + header->body_size);
	read_at(maker, chunk, HEADER_SIZE + header->body_size, offset);
	return chunk_body_check(header, chunk + HEADER_SIZE);
}

/* The next place from `offset` on that has the magic of a chunk; the end of the file if none has. */
static uint64_t find_magic(struct part_maker *maker, uint64_t offset)
{
	static const uint32_t magic = CHUNK_MAGIC;
	uint8_t window[WINDOW];

	while (offset < maker->size && maker->size - offset >= sizeof(magic)) {
		uint64_t left = maker->size - offset;
		size_t size = left < WINDOW ? (size_t)left : WINDOW;
		const uint8_t *found;

		read_at(maker, window, size, offset);
		found = memmem(window, size, &magic, sizeof(magic));
		if (found)
			return offset + (uint64_t)(found - window);
		offset += size - (sizeof(magic) - 1);
	}
	return maker->size;
}

/* A file header that is right. */
static bool put_file_header(struct part_maker *maker)
{
	struct part_shape *shape = &maker->shape;
	struct file_header header;

	if (maker->size < sizeof(header))
		return false;
	read_at(maker, &header, sizeof(header), 0);
	if (memcmp(header.magic, FILE_MAGIC, sizeof(header.magic)) != 0 ||
	    header.crc != format_crc(&header, offsetof(struct file_header, crc)))
		return false;
	shape_op(shape, PACK_OP_HEADER);
	shape_number(shape, header.kind);
	shape_number(shape, header.major);
	shape_number(shape, header.minor);
	shape_number(shape, header.reserved0);
	shape_number(shape, header.stream_id);
	shape_number(shape, header.reserved1);
	return true;
}

void part_add(struct part_maker *maker, const char *name, int fd)
{
	struct chunk_header header;
	struct stat status;
	uint64_t raw, offset;

	maker->name = name;
	maker->fd = fd;
	if (fstat(fd, &status))
		die("cannot read '%s': %s", name, strerror(errno));
	maker->size = (uint64_t)status.st_size;
	forget_functions(maker);
	shape_op(&maker->shape, PACK_OP_FILE);
	tokens_text(&maker->shape, name, strlen(name));
	tokens_end(&maker->shape);
	raw = offset = put_file_header(maker) ? sizeof(struct file_header) : 0;
	while (offset < maker->size) {
		if (!read_chunk(maker, offset, &header)) {
			offset = find_magic(maker, offset + 1);
			continue;
		}
		put_raw_range(maker, raw, offset);
		put_chunk(maker, &header);
		raw = offset += HEADER_SIZE + header.body_size;
	}
	put_raw_range(maker, raw, maker->size);
}
