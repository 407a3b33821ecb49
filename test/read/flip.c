/* SPDX-License-Identifier: MIT */
/*
 * flip.c - spoils a trace in every place and reads it each time.
 *
 *	flip DIR FILE...      files of the trace: every byte flipped, every length cut to;
 *	                      what changes the records must be told as a problem
 *	flip -s DIR FILE...   bodies of chunks: every byte flipped (of what is inflated, if it is deflated), the
 *	                      checksums made right again; nothing may crash
 *	flip -p FILE FILE     a packed trace: every byte of its index and of what its blocks inflate to flipped, the
 *	                      checksums made right again; nothing may crash
 *	flip -l DIR FILE...   live files, which have no checksums: every byte flipped; nothing may crash
 *
 * Files are changed in place and put back. Meant to be run with sanitizers.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <recorder/reader.h>

#include "format/chunk.h"
#include "format/pack.h"

/* What a reading gave. */
struct outcome {
	uint64_t digest; /* of all that the records say */
	uint64_t records;
	unsigned problems;
	int refused;
};

static const char *dir;
static unsigned failures;

static void mix(uint64_t *digest, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		*digest = (*digest ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3u;
}

/* Not the times: they follow the clocks of all chunks, of which any may be missing. */
static void mix_record(uint64_t *digest, struct reader *trace, const struct recorder_record *record)
{
	char text[512];
	size_t size;

	mix(digest, &record->sequence, sizeof(record->sequence));
	mix(digest, &record->ret, sizeof(record->ret));
	mix(digest, &record->err, sizeof(record->err));
	mix(digest, reader_function(trace, record)->name,
	    strlen(reader_function(trace, record)->name));
	for (unsigned i = 0; i < record->arg_count; i++) {
		size = reader_arg_text(trace, record, i, text, sizeof(text));
		mix(digest, text, size < sizeof(text) ? size : sizeof(text) - 1);
	}
	reader_result_text(trace, record, text, sizeof(text));
}

static void walk(struct outcome *outcome, struct reader *trace, enum reader_order order)
{
	struct reader_filter filter = {.sz = sizeof(filter), .order = order, .in_flight = 1};
	struct reader_cursor *cursor = reader_cursor_new(trace, &filter);
	const struct recorder_record *record;
	struct reader_file file;

	while (cursor && (record = reader_next(cursor))) {
		mix_record(&outcome->digest, trace, record);
		reader_record_file(trace, record, &file);
		reader_bytes(trace, record);
		outcome->records++;
	}
	reader_cursor_free(cursor);
}

static struct outcome read_trace(void)
{
	struct outcome outcome = {.digest = 0xCBF29CE484222325u};
	struct reader *trace = reader_open(dir, NULL);

	if (!trace) {
		outcome.refused = 1;
		return outcome;
	}
	walk(&outcome, trace, READER_BY_END);
	walk(&outcome, trace, READER_BY_TIME);
	reader_verify(trace);
	outcome.problems = reader_problem_count(trace);
	reader_close(trace);
	return outcome;
}

static void put_file(const char *path, const uint8_t *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd) != 0) {
		perror(path);
		exit(2);
	}
}

static uint8_t *get_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = malloc(1 << 26);

	if (!file || !data) {
		perror(path);
		exit(2);
	}
	*size = fread(data, 1, 1 << 26, file);
	fclose(file);
	return data;
}

/* Damage that changes what is read must be told. */
static void judge(const struct outcome *sound, const char *path, const char *what, size_t at)
{
	struct outcome outcome = read_trace();

	if (outcome.refused || outcome.problems > sound->problems ||
	    (outcome.digest == sound->digest && outcome.records == sound->records))
		return;
	printf("%s: %s at %zu is not noticed: %" PRIu64 " records instead of %" PRIu64 "\n", path,
	       what, at, outcome.records, sound->records);
	failures++;
}

static void flip_bytes(const struct outcome *sound, const char *path, uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		uint8_t was = data[i];

		data[i] ^= (uint8_t)(i % 3 ? 1u << i % 8 : 0xffu);
		put_file(path, data, size);
		judge(sound, path, "a flipped byte", i);
		data[i] = was;
	}
	for (size_t cut = 0; cut < size; cut++) {
		put_file(path, data, cut);
		judge(sound, path, "a cut", cut);
	}
	put_file(path, data, size);
}

/* ---- damage with right checksums ---- */

/* Puts a chunk with another body in place of the one at `at`, and reads the trace. */
static void try_body(const char *path, const uint8_t *data, size_t size, size_t at,
		     const struct chunk_header *header, const uint8_t *body, size_t body_size)
{
	size_t after = at + sizeof(*header) + header->body_size;
	uint8_t *file = malloc(size + sizeof(*header) + body_size);
	struct chunk_header sealed = *header;

	if (!file)
		exit(2);
	sealed.body_size = (uint32_t)body_size;
	chunk_header_seal(&sealed, body);
	memcpy(file, data, at);
	memcpy(file + at, &sealed, sizeof(sealed));
	memcpy(file + at + sizeof(sealed), body, body_size);
	memcpy(file + at + sizeof(sealed) + body_size, data + after, size - after);
	put_file(path, file, size - header->body_size + body_size);
	read_trace();
	free(file);
}

static void spoil_plain(const char *path, const uint8_t *data, size_t size, size_t at,
			const struct chunk_header *header)
{
	const uint8_t *body = data + at + sizeof(*header);
	uint8_t *plain = malloc(header->body_size + 1);

	if (!plain)
		exit(2);
	memcpy(plain, body, header->body_size);
	for (size_t i = 0; i < header->body_size; i++) {
		plain[i] ^= (uint8_t)(i % 2 ? 0xffu : 1u << i % 8);
		try_body(path, data, size, at, header, plain, header->body_size);
		plain[i] = body[i];
	}
	free(plain);
}

static void spoil_deflated(const char *path, const uint8_t *data, size_t size, size_t at,
			   const struct chunk_header *header)
{
	uLongf plain_size = header->plain_size, room = compressBound(plain_size), got;
	uint8_t *plain = malloc(plain_size + 1), *body = malloc(room);

	if (!plain || !body)
		exit(2);
	/* A chunk of a type that nobody knows may hold anything. */
	if (uncompress(plain, &plain_size, data + at + sizeof(*header), header->body_size) != Z_OK)
		plain_size = 0;
	for (size_t i = 0; i < plain_size; i++) {
		plain[i] ^= (uint8_t)(i % 2 ? 0xffu : 1u << i % 8);
		got = room;
		compress2(body, &got, plain, plain_size, 1);
		try_body(path, data, size, at, header, body, got);
		plain[i] ^= (uint8_t)(i % 2 ? 0xffu : 1u << i % 8);
	}
	free(plain);
	free(body);
}

/* What a header claims, one field after the other. */
static void spoil_header(const char *path, const uint8_t *data, size_t size, size_t at,
			 const struct chunk_header *header)
{
	for (size_t i = 4; i < offsetof(struct chunk_header, body_crc); i++) {
		struct chunk_header other = *header;

		if (i >= offsetof(struct chunk_header, body_size) &&
		    i < offsetof(struct chunk_header, plain_size))
			continue;
		((uint8_t *)&other)[i] ^= (uint8_t)(i % 2 ? 0xffu : 1u << i % 8);
		try_body(path, data, size, at, &other, data + at + sizeof(other),
			 header->body_size);
	}
}

static void spoil_chunks(const char *path, const uint8_t *data, size_t size)
{
	size_t at = sizeof(struct file_header);

	while (at + sizeof(struct chunk_header) <= size) {
		struct chunk_header header;

		memcpy(&header, data + at, sizeof(header));
		if (chunk_header_check(&header) != 0)
			break;
		spoil_header(path, data, size, at, &header);
		if (header.plain_size != header.body_size)
			spoil_deflated(path, data, size, at, &header);
		else
			spoil_plain(path, data, size, at, &header);
		at += sizeof(header) + header.body_size;
	}
	put_file(path, data, size);
}

/* ---- packed traces ---- */

struct packed_file {
	const char *path;
	const uint8_t *data;
	size_t size;
	struct pack_trailer trailer;
	uint8_t index[1u << 16];
	uLongf index_size;
};

/* The areas of a file, then an index and its trailer. */
static void put_packed(const struct packed_file *file, const uint8_t *areas, size_t areas_size,
		       const uint8_t *index, size_t index_size)
{
	struct pack_trailer trailer = {.index_offset = areas_size,
				       .index_plain = (uint32_t)index_size};
	uLongf stored = compressBound(index_size);
	uint8_t *all = malloc(areas_size + stored + sizeof(trailer));

	if (!all)
		exit(2);
	memcpy(all, areas, areas_size);
	compress2(all + areas_size, &stored, index, index_size, 1);
	trailer.index_size = (uint32_t)stored;
	trailer.index_crc = format_crc(all + areas_size, stored);
	pack_trailer_seal(&trailer);
	memcpy(all + areas_size + stored, &trailer, sizeof(trailer));
	put_file(file->path, all, areas_size + stored + sizeof(trailer));
	read_trace();
	free(all);
}

static void spoil_index(struct packed_file *file)
{
	for (size_t i = 0; i < file->index_size; i++) {
		uint8_t was = file->index[i];

		file->index[i] ^= (uint8_t)(i % 2 ? 0xffu : 1u << i % 8);
		put_packed(file, file->data, file->trailer.index_offset, file->index,
			   file->index_size);
		file->index[i] = was;
	}
}

/* Puts a block with other contents in place of the one at `at`, whose description in the index is from `begin` to `end`. */
static void try_block(struct packed_file *file, size_t at, const struct pack_area *area,
		      size_t begin, size_t end, const uint8_t *plain)
{
	struct pack_area other = *area;
	uLongf stored = compressBound(area->plain_size);
	size_t rest = file->trailer.index_offset - at - area->size;
	uint8_t *areas = malloc(at + stored + rest), *index = malloc(file->index_size + 64);
	size_t row;

	if (!areas || !index)
		exit(2);
	memcpy(areas, file->data, at);
	compress2(areas + at, &stored, plain, area->plain_size, 1);
	memcpy(areas + at + stored, file->data + at + area->size, rest);
	other.size = stored;
	other.crc = format_crc(plain, area->plain_size);
	memcpy(index, file->index, begin);
	row = pack_area_put(index + begin, &other);
	memcpy(index + begin + row, file->index + end, file->index_size - end);
	put_packed(file, areas, at + stored + rest, index, file->index_size - end + begin + row);
	free(areas);
	free(index);
}

static void spoil_block(struct packed_file *file, size_t at, const struct pack_area *area,
			size_t begin, size_t end)
{
	uLongf size = area->plain_size;
	uint8_t *plain = malloc(size + 1);

	if (!plain || uncompress(plain, &size, file->data + at, area->size) != Z_OK)
		exit(2);
	for (size_t i = 0; i < size; i++) {
		uint8_t was = plain[i];

		plain[i] ^= (uint8_t)(i % 2 ? 0xffu : 1u << i % 8);
		try_block(file, at, area, begin, end, plain);
		plain[i] = was;
	}
	free(plain);
}

static void spoil_packed(const char *path, const uint8_t *data, size_t size)
{
	static struct packed_file file;
	size_t at = sizeof(struct file_header);
	struct bytes index;
	uint64_t count;

	file = (struct packed_file){
		.path = path, .data = data, .size = size, .index_size = sizeof(file.index)};
	memcpy(&file.trailer, data + size - sizeof(file.trailer), sizeof(file.trailer));
	if (uncompress(file.index, &file.index_size, data + file.trailer.index_offset,
		       file.trailer.index_size) != Z_OK)
		exit(2);
	spoil_index(&file);
	index = bytes_of(file.index, file.index_size);
	for (count = bytes_varint(&index); count > 0; count--) {
		size_t begin = (size_t)(index.p - file.index);
		struct pack_area area;

		if (pack_area_take(&index, &area))
			exit(2);
		if (area.kind != PACK_DATA)
			spoil_block(&file, at, &area, begin, (size_t)(index.p - file.index));
		at += area.size;
	}
	put_file(path, data, size);
}

/* ---- */

/* In place and byte by byte: the rest of a ring is what it was. */
static void flip_live(const char *path, size_t size)
{
	int fd = open(path, O_RDWR);
	uint8_t byte, other;

	if (fd < 0) {
		perror(path);
		exit(2);
	}
	for (size_t i = 0; i < size; i++) {
		/* Headers byte by byte, what lies behind them only where something is. */
		if (pread(fd, &byte, 1, (off_t)i) != 1 || (i >= 4096 && byte == 0 && i % 64))
			continue;
		other = byte ^ (uint8_t)(i % 2 ? 0xffu : 1u << i % 8);
		if (pwrite(fd, &other, 1, (off_t)i) != 1)
			exit(2);
		read_trace();
		if (pwrite(fd, &byte, 1, (off_t)i) != 1)
			exit(2);
	}
	close(fd);
}

int main(int argc, char **argv)
{
	char mode = argc > 1 && argv[1][0] == '-' ? argv[1][1] : 0;
	int first = mode ? 2 : 1;
	struct outcome sound;

	if (argc < first + 2) {
		fprintf(stderr, "usage: flip [-s|-l|-p] DIR FILE...\n");
		return 2;
	}
	dir = argv[first];
	sound = read_trace();
	for (int i = first + 1; i < argc; i++) {
		size_t size;
		uint8_t *data = get_file(argv[i], &size);

		if (mode == 's')
			spoil_chunks(argv[i], data, size);
		else if (mode == 'p')
			spoil_packed(argv[i], data, size);
		else if (mode == 'l')
			flip_live(argv[i], size);
		else
			flip_bytes(&sound, argv[i], data, size);
		free(data);
	}
	return failures > 0;
}
