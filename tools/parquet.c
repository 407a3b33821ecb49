/* SPDX-License-Identifier: MIT */
/* parquet.c - see parquet.h */
#include "parquet.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "buffer.h"
#include "message.h"

#define GROUP_BYTES (64u << 20) /* of the values, before they are compressed */
#define LEVEL 3                 /* of zlib */
#define GZIP_WINDOW (15 + 16)

static const char magic[4] = {'P', 'A', 'R', '1'};

/* Words of the format. */
enum { DATA_PAGE = 0, CODEC_GZIP = 2, ENCODING_PLAIN = 0, ENCODING_RLE = 3, TEXT_UTF8 = 0 };

struct values {
	struct buffer levels; /* runs of 0 and 1: whether there is a value */
	struct buffer plain;
	bool present; /* in the last run, which is not in `levels` yet */
	uint32_t run;
};

struct page {
	uint64_t at, plain_size, packed_size; /* sizes with header */
};

struct parquet {
	struct output *output;
	const struct parquet_column *columns;
	unsigned count, at; /* columns; the next one of the row */
	struct values *values;
	uint32_t rows; /* of this group */
	size_t bytes;
	uint64_t place, all_rows;
	struct buffer groups; /* each: rows, and a page for each column */
	unsigned group_count;
	struct buffer notes; /* key and value, with their zeroes */
	unsigned note_count;
	struct buffer packed, header;
};

struct parquet *parquet_new(struct output *output, const struct parquet_column *columns,
			    unsigned count)
{
	struct parquet *parquet = parquet_new_part(output, columns, count);

	output_bytes(output, magic, sizeof(magic));
	parquet->place = sizeof(magic);
	return parquet;
}

struct parquet *parquet_new_part(struct output *output, const struct parquet_column *columns,
				 unsigned count)
{
	struct parquet *parquet = calloc(1, sizeof(*parquet));

	if (!parquet)
		die("out of memory");
	*parquet = (struct parquet){.output = output, .columns = columns, .count = count};
	parquet->values = calloc(count, sizeof(*parquet->values));
	if (!parquet->values)
		die("out of memory");
	return parquet;
}

void parquet_free(struct parquet *parquet)
{
	for (unsigned i = 0; i < parquet->count; i++) {
		buffer_release(&parquet->values[i].levels);
		buffer_release(&parquet->values[i].plain);
	}
	free(parquet->values);
	buffer_release(&parquet->groups);
	buffer_release(&parquet->notes);
	buffer_release(&parquet->packed);
	buffer_release(&parquet->header);
	free(parquet);
}

/* ---- Thrift's compact protocol ---- */

enum thrift {
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12
};

static void put_byte(struct buffer *to, unsigned byte)
{
	uint8_t one = (uint8_t)byte;

	buffer_add(to, &one, 1);
}

/* `last`: number of the field before in its structure. */
static void put_field(struct buffer *to, unsigned *last, unsigned field, enum thrift type)
{
	put_byte(to, (field - *last) << 4 | type);
	*last = field;
}

static void put_zigzag(struct buffer *to, int64_t value)
{
	buffer_add_varint(to, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static void put_i32(struct buffer *to, unsigned *last, unsigned field, int64_t value)
{
	put_field(to, last, field, THRIFT_I32);
	put_zigzag(to, value);
}

static void put_i64(struct buffer *to, unsigned *last, unsigned field, uint64_t value)
{
	put_field(to, last, field, THRIFT_I64);
	put_zigzag(to, (int64_t)value);
}

static void put_binary(struct buffer *to, const char *text)
{
	buffer_add_varint(to, strlen(text));
	buffer_add_text(to, text);
}

static void put_text(struct buffer *to, unsigned *last, unsigned field, const char *text)
{
	put_field(to, last, field, THRIFT_BINARY);
	put_binary(to, text);
}

static void put_list(struct buffer *to, unsigned *last, unsigned field, enum thrift type,
		     unsigned count)
{
	put_field(to, last, field, THRIFT_LIST);
	put_byte(to, (count < 15 ? count << 4 : 0xf0u) | type);
	if (count >= 15)
		buffer_add_varint(to, count);
}

static void put_end(struct buffer *to)
{
	put_byte(to, 0);
}

/* ---- values ---- */

static void end_run(struct values *values)
{
	if (values->run == 0)
		return;
	buffer_add_varint(&values->levels, (uint64_t)values->run << 1);
	put_byte(&values->levels, values->present);
	values->run = 0;
}

static void write_group(struct parquet *parquet);

/* The column that a value goes to. */
static struct values *next(struct parquet *parquet, bool present)
{
	struct values *values = &parquet->values[parquet->at];

	if (values->present != present)
		end_run(values);
	values->present = present;
	values->run++;
	return values;
}

static void added(struct parquet *parquet, size_t bytes)
{
	parquet->bytes += bytes;
	if (++parquet->at < parquet->count)
		return;
	parquet->at = 0;
	parquet->rows++;
	if (parquet->bytes >= GROUP_BYTES)
		write_group(parquet);
}

/* Little-endian, as the format is and the machines that tools run on are. */
void parquet_integer(struct parquet *parquet, int64_t value)
{
	size_t size = parquet->columns[parquet->at].type == PARQUET_INT32 ? 4 : 8;

	buffer_add(&next(parquet, true)->plain, &value, size);
	added(parquet, size);
}

void parquet_double(struct parquet *parquet, double value)
{
	buffer_add(&next(parquet, true)->plain, &value, sizeof(value));
	added(parquet, sizeof(value));
}

void parquet_text(struct parquet *parquet, const char *bytes, size_t size)
{
	struct values *values = next(parquet, true);
	uint32_t length = (uint32_t)size;

	buffer_add(&values->plain, &length, sizeof(length));
	buffer_add(&values->plain, bytes, size);
	added(parquet, sizeof(length) + size);
}

void parquet_null(struct parquet *parquet)
{
	next(parquet, false);
	added(parquet, 0);
}

/* ---- pages ---- */

static void pack(struct parquet *parquet, z_stream *stream, const void *bytes, size_t size,
		 int flush)
{
	int result;

	stream->next_in = (Bytef *)(uintptr_t)bytes;
	stream->avail_in = (uInt)size;
	do {
		stream->next_out = buffer_room(&parquet->packed, 65536);
		stream->avail_out = 65536;
		result = deflate(stream, flush);
		parquet->packed.size += 65536 - stream->avail_out;
	} while (result == Z_OK && (stream->avail_out == 0 || flush == Z_FINISH));
}

/* Levels and values of a column, compressed; returns how many bytes they were. */
static size_t pack_values(struct parquet *parquet, unsigned column)
{
	struct values *values = &parquet->values[column];
	uint32_t length;
	z_stream stream = {0};
	size_t size = values->plain.size;

	end_run(values);
	length = (uint32_t)values->levels.size;
	buffer_clear(&parquet->packed);
	if (deflateInit2(&stream, LEVEL, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		die("out of memory");
	if (parquet->columns[column].optional) {
		pack(parquet, &stream, &length, sizeof(length), Z_NO_FLUSH);
		pack(parquet, &stream, values->levels.bytes, length, Z_NO_FLUSH);
		size += sizeof(length) + length;
	}
	pack(parquet, &stream, values->plain.bytes, values->plain.size, Z_FINISH);
	deflateEnd(&stream);
	buffer_clear(&values->levels);
	buffer_clear(&values->plain);
	return size;
}

static void make_header(struct parquet *parquet, size_t plain_size)
{
	struct buffer *to = &parquet->header;
	unsigned last = 0, inner = 0;

	buffer_clear(to);
	put_i32(to, &last, 1, DATA_PAGE);
	put_i32(to, &last, 2, (int64_t)plain_size);
	put_i32(to, &last, 3, (int64_t)parquet->packed.size);
	put_field(to, &last, 5, THRIFT_STRUCT);
	put_i32(to, &inner, 1, parquet->rows);
	put_i32(to, &inner, 2, ENCODING_PLAIN);
	put_i32(to, &inner, 3, ENCODING_RLE);
	put_i32(to, &inner, 4, ENCODING_RLE);
	put_end(to);
	put_end(to);
}

static void put_buffer(struct parquet *parquet, const struct buffer *buffer)
{
	output_bytes(parquet->output, (const char *)buffer->bytes, buffer->size);
	parquet->place += buffer->size;
}

static void write_group(struct parquet *parquet)
{
	uint64_t rows = parquet->rows;

	if (rows == 0)
		return;
	buffer_add(&parquet->groups, &rows, sizeof(rows));
	for (unsigned i = 0; i < parquet->count; i++) {
		struct page page = {.at = parquet->place};
		size_t plain = pack_values(parquet, i);

		make_header(parquet, plain);
		page.plain_size = parquet->header.size + plain;
		page.packed_size = parquet->header.size + parquet->packed.size;
		put_buffer(parquet, &parquet->header);
		put_buffer(parquet, &parquet->packed);
		buffer_add(&parquet->groups, &page, sizeof(page));
	}
	parquet->group_count++;
	parquet->all_rows += rows;
	parquet->rows = 0;
	parquet->bytes = 0;
}

void parquet_cut(struct parquet *parquet)
{
	write_group(parquet);
}

/* ---- several writers ---- */

/* Places count from where the groups begin. */
void parquet_take(struct parquet *parquet, struct buffer *groups)
{
	struct buffer none = {0};

	*groups = parquet->groups;
	parquet->groups = none;
	parquet->group_count = 0;
	parquet->place = 0;
}

void parquet_adopt(struct parquet *parquet, const void *groups, size_t size)
{
	const uint8_t *from = groups, *end = from + size;
	uint64_t begin = parquet->place;

	while (from < end) {
		uint64_t rows;

		memcpy(&rows, from, sizeof(rows));
		from += sizeof(rows);
		buffer_add(&parquet->groups, &rows, sizeof(rows));
		parquet->all_rows += rows;
		parquet->group_count++;
		for (unsigned i = 0; i < parquet->count; i++, from += sizeof(struct page)) {
			struct page page;

			memcpy(&page, from, sizeof(page));
			page.at += begin;
			parquet->place = page.at + page.packed_size;
			buffer_add(&parquet->groups, &page, sizeof(page));
		}
	}
}

/* ---- footer ---- */

static void put_schema(const struct parquet *parquet, struct buffer *to)
{
	unsigned last = 0;

	put_text(to, &last, 4, "records");
	put_i32(to, &last, 5, parquet->count);
	put_end(to);
	for (unsigned i = 0; i < parquet->count; i++) {
		last = 0;
		put_i32(to, &last, 1, parquet->columns[i].type);
		put_i32(to, &last, 3, parquet->columns[i].optional);
		put_text(to, &last, 4, parquet->columns[i].name);
		if (parquet->columns[i].type == PARQUET_TEXT)
			put_i32(to, &last, 6, TEXT_UTF8);
		put_end(to);
	}
}

static void put_column(struct buffer *to, const struct parquet_column *column,
		       const struct page *page, uint64_t rows)
{
	unsigned last = 0, inner = 0;

	put_i64(to, &last, 2, page->at);
	put_field(to, &last, 3, THRIFT_STRUCT);
	put_i32(to, &inner, 1, column->type);
	put_list(to, &inner, 2, THRIFT_I32, 2);
	put_zigzag(to, ENCODING_PLAIN);
	put_zigzag(to, ENCODING_RLE);
	put_list(to, &inner, 3, THRIFT_BINARY, 1);
	put_binary(to, column->name);
	put_i32(to, &inner, 4, CODEC_GZIP);
	put_i64(to, &inner, 5, rows);
	put_i64(to, &inner, 6, page->plain_size);
	put_i64(to, &inner, 7, page->packed_size);
	put_i64(to, &inner, 9, page->at);
	put_end(to);
	put_end(to);
}

static void put_group(const struct parquet *parquet, struct buffer *to, const uint8_t **from)
{
	uint64_t rows, bytes = 0;
	struct page page;
	unsigned last = 0;

	memcpy(&rows, *from, sizeof(rows));
	*from += sizeof(rows);
	put_list(to, &last, 1, THRIFT_STRUCT, parquet->count);
	for (unsigned i = 0; i < parquet->count; i++, *from += sizeof(page)) {
		memcpy(&page, *from, sizeof(page));
		put_column(to, &parquet->columns[i], &page, rows);
		bytes += page.plain_size;
	}
	put_i64(to, &last, 2, bytes);
	put_i64(to, &last, 3, rows);
	put_end(to);
}

void parquet_note(struct parquet *parquet, const char *key, const char *value)
{
	buffer_add(&parquet->notes, key, strlen(key) + 1);
	buffer_add(&parquet->notes, value, strlen(value) + 1);
	parquet->note_count++;
}

static void put_notes(const struct parquet *parquet, struct buffer *to)
{
	const char *text = (const char *)parquet->notes.bytes;

	for (unsigned i = 0; i < parquet->note_count; i++) {
		unsigned last = 0;

		put_text(to, &last, 1, text);
		text += strlen(text) + 1;
		put_text(to, &last, 2, text);
		text += strlen(text) + 1;
		put_end(to);
	}
}

void parquet_end(struct parquet *parquet)
{
	struct buffer *to = &parquet->header;
	const uint8_t *from;
	unsigned last = 0;
	uint32_t size;

	write_group(parquet);
	buffer_clear(to);
	put_i32(to, &last, 1, 1);
	put_list(to, &last, 2, THRIFT_STRUCT, parquet->count + 1);
	put_schema(parquet, to);
	put_i64(to, &last, 3, parquet->all_rows);
	put_list(to, &last, 4, THRIFT_STRUCT, parquet->group_count);
	from = parquet->groups.bytes;
	for (unsigned i = 0; i < parquet->group_count; i++)
		put_group(parquet, to, &from);
	put_list(to, &last, 5, THRIFT_STRUCT, parquet->note_count);
	put_notes(parquet, to);
	put_text(to, &last, 6, "recorder " RECORDER_VERSION);
	put_end(to);
	size = (uint32_t)to->size;
	put_buffer(parquet, to);
	output_bytes(parquet->output, (const char *)&size, sizeof(size));
	output_bytes(parquet->output, magic, sizeof(magic));
}
