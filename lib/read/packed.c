/* SPDX-License-Identifier: MIT */
/* packed.c - see packed.h */
#include "read/packed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "format/chunk.h"
#include "format/pack_numbers.h"
#include "read/pool.h"
#include "read/tracefiles.h"

#define NAME_MOST 204u /* a stream's name and ".rec" */
#define NAME_SET "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
/* Bytes of shapes that all parts together may have, beyond what an honest file of its size has. */
#define SHAPES_MOST (1ull << 30)
#define SHAPES_RATIO 4096u

/* A file: some pieces of a part. */
struct packed_file {
	const char *name;
	uint64_t size;
	uint32_t part;
	uint32_t first, count; /* pieces */
};

struct packed {
	struct packed_blocks blocks;
	struct packed_file *files; /* by name */
	uint32_t count, capacity;
	_Atomic uint64_t shapes; /* bytes of those of all parts so far */
	struct pool pool;
};

/* Where a piece begins. */
struct spot {
	uint64_t offset, data; /* in the file, in the packed trace */
	struct pack_place place;
};

/* A part while it is in use, in one piece of memory. */
struct open_part {
	struct pack_part part;
	uint32_t count; /* of pieces */
	struct spot *spots;
};

/* ---- parts ---- */

static uint64_t part_key(uint32_t number)
{
	return (uint64_t)PACK_KINDS << 32 | number;
}

/* Memory for a part: its spots come behind all else. */
struct part_memory {
	uint64_t *numbers, *times, *base_numbers, *base_times;
	uint8_t *clocks, *ops;
};

static struct open_part *part_allocate(const struct pack_shape *shape, uint32_t pieces,
				       size_t *size, struct part_memory *memory)
{
	size_t values = ((size_t)shape->number_count + shape->time_count) * sizeof(uint64_t);
	size_t ops = bytes_left(&shape->ops);
	struct open_part *part;

	*size = sizeof(*part) + (size_t)pieces * sizeof(struct spot) + 2 * values +
		shape->time_count + ops;
	part = malloc(*size);
	if (!part)
		return NULL;
	part->spots = (struct spot *)(part + 1);
	part->count = 0;
	memory->numbers = (uint64_t *)(part->spots + pieces);
	memory->times = memory->numbers + shape->number_count;
	memory->base_numbers = memory->times + shape->time_count;
	memory->base_times = memory->base_numbers + shape->number_count;
	memory->clocks = (uint8_t *)(memory->base_times + shape->time_count);
	memory->ops = memory->clocks + shape->time_count;
	memcpy(memory->ops, shape->ops.p, ops);
	part->part = (struct pack_part){.ops = bytes_of(memory->ops, ops),
					.numbers = memory->numbers,
					.times = memory->times,
					.number_count = shape->number_count,
					.time_count = shape->time_count};
	return part;
}

/* The times of a part, from the end of its data area. To be freed; NULL and *error. */
static uint8_t *read_times(struct packed *packed, const struct packed_area *area, uint64_t size,
			   int *error)
{
	uint8_t *times;
	uint32_t crc;

	*error = -EBADMSG;
	if (size > PACK_BLOCK_MAX || size + sizeof(crc) > area->size)
		return NULL;
	times = malloc((size_t)size + sizeof(crc));
	*error = times ? packed_read_exactly(&packed->blocks, times, (size_t)size + sizeof(crc),
					     area->offset + area->size - size - sizeof(crc))
		       : -ENOMEM;
	if (!*error) {
		memcpy(&crc, times + size, sizeof(crc));
		*error = crc == format_crc(times, (size_t)size) ? 0 : -EBADMSG;
	}
	if (!*error)
		return times;
	free(times);
	return NULL;
}

/* How many pieces a shape has at most: each op takes a byte, and the numbers of a header. */
static uint32_t most_pieces(const struct pack_shape *shape)
{
	size_t ops = bytes_left(&shape->ops);

	return (uint32_t)(ops < shape->number_count + 16u ? ops : shape->number_count + 16u);
}

/* Finds the pieces, which must use up the data area but for the times at its end. */
static int find_pieces(struct open_part *part, const struct packed_area *area, uint64_t times_size,
		       uint32_t most)
{
	uint64_t end = area->offset + area->size - times_size - sizeof(uint32_t);
	uint64_t data = area->offset, offset = 0;
	struct pack_place place = {0};
	struct pack_piece piece;

	for (;;) {
		struct pack_place begin = place;
		int more = pack_piece_next(&part->part, &place, &piece);

		if (more <= 0)
			return more < 0 || data != end ? -EBADMSG : 0;
		if (piece.op == PACK_OP_FILE)
			offset = 0;
		if (part->count == most || piece.data_size > end - data)
			return -EBADMSG;
		part->spots[part->count++] = (struct spot){offset, data, begin};
		data += piece.data_size;
		offset += piece.size;
	}
}

static int make_part(struct packed *packed, uint32_t number, const struct pack_shape *shape,
		     struct bytes differences, uint64_t times_size, struct open_part **made,
		     size_t *size)
{
	const struct packed_area *area = &packed->blocks.areas[PACK_DATA][number];
	uint32_t most = most_pieces(shape);
	struct part_memory memory;
	struct open_part *part;
	int error;
	uint8_t *times = read_times(packed, area, times_size, &error);

	if (!times)
		return error;
	part = part_allocate(shape, most, size, &memory);
	error = part ? pack_shape_base(shape, memory.base_numbers, memory.base_times, memory.clocks)
		     : -ENOMEM;
	if (!error)
		error = pack_numbers_read(differences, memory.base_numbers, memory.numbers,
					  shape->number_count);
	if (!error)
		error = pack_times_read(bytes_of(times, (size_t)times_size), memory.base_times,
					memory.clocks, memory.times, shape->time_count);
	if (!error)
		error = find_pieces(part, area, times_size, most);
	free(times);
	if (error)
		free(part);
	else
		*made = part;
	return error;
}

static int load_part(struct packed *packed, uint32_t number, struct open_part **part)
{
	struct packed_blocks *blocks = &packed->blocks;
	struct blob blob = {0}, shape_blob = {0};
	struct pack_shape shape;
	struct open_part *made;
	size_t size;
	uint64_t shape_number = 0, times_size = 0;
	struct bytes in;
	int error = packed_blob(blocks, PACK_PARTS, number, &blob);

	if (!error) {
		in = bytes_of(blob.bytes, blob.size);
		shape_number = bytes_varint(&in);
		times_size = bytes_varint(&in);
		error = in.bad || shape_number > UINT32_MAX ? -EBADMSG : 0;
	}
	if (!error)
		error = packed_blob(blocks, PACK_SHAPES, (uint32_t)shape_number, &shape_blob);
	if (!error)
		error = pack_shape_open(&shape, bytes_of(shape_blob.bytes, shape_blob.size));
	if (!error)
		error = make_part(packed, number, &shape, in, times_size, &made, &size);
	atomic_fetch_add(&packed->shapes, shape_blob.size);
	free(blob.bytes);
	free(shape_blob.bytes);
	if (error == -EBADMSG)
		packed_area_tell(blocks, &blocks->areas[PACK_DATA][number], "a part is damaged");
	if (!error)
		*part = packed_cache_add(&blocks->cache, part_key(number), made, size);
	return error;
}

static int part_get(struct packed *packed, uint32_t number, struct open_part **part)
{
	*part = packed_cache_get(&packed->blocks.cache, part_key(number));
	return *part ? 0 : load_part(packed, number, part);
}

static void part_give_back(struct packed *packed, uint32_t number, struct open_part *part)
{
	packed_cache_give_back(&packed->blocks.cache, part_key(number), part);
}

/* ---- files ---- */

static bool is_file_name(const char *name, size_t length)
{
	return length > 0 && length <= NAME_MOST && name[0] != '.' &&
	       strspn(name, NAME_SET) == length;
}

static int add_file(struct packed *packed, uint32_t number, const struct open_part *part,
		    uint32_t spot)
{
	struct pack_place place = part->spots[spot].place;
	char name[NAME_MOST + 1];
	struct pack_piece piece;
	int64_t length;
	struct packed_file *file;

	if (packed->count == packed->capacity) {
		uint32_t capacity = packed->capacity ? packed->capacity * 2 : 16;

		file = realloc(packed->files, capacity * sizeof(*file));
		if (!file)
			return -ENOMEM;
		packed->files = file;
		packed->capacity = capacity;
	}
	if (pack_piece_next(&part->part, &place, &piece) < 0)
		return -EBADMSG;
	length = pack_tokens_expand(&part->part, &piece.tokens, (uint8_t *)name, NAME_MOST);
	if (length < 0)
		return -EBADMSG;
	name[length] = '\0';
	if (!is_file_name(name, (size_t)length))
		return -EBADMSG;
	file = &packed->files[packed->count];
	*file = (struct packed_file){.name = pool_copy(&packed->pool, name, (size_t)length),
				     .part = number,
				     .first = spot + 1};
	packed->count += file->name != NULL;
	return file->name ? 0 : -ENOMEM;
}

static int add_files(struct packed *packed, uint32_t number, const struct open_part *part)
{
	struct pack_piece piece;

	for (uint32_t i = 0; i < part->count; i++) {
		struct pack_place place = part->spots[i].place;
		struct packed_file *file;
		int error = pack_piece_next(&part->part, &place, &piece) < 0 ? -EBADMSG : 0;

		if (!error && piece.op == PACK_OP_FILE) {
			error = add_file(packed, number, part, i);
			if (error)
				return error;
			continue;
		}
		if (error || packed->count == 0 || packed->files[packed->count - 1].part != number)
			return -EBADMSG;
		file = &packed->files[packed->count - 1];
		file->count++;
		file->size = part->spots[i].offset + piece.size;
	}
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct packed_file *)a)->name, ((const struct packed_file *)b)->name);
}

/* Sorts the files; of two with one name the first part's is taken. */
static void sort_files(struct packed *packed)
{
	uint32_t kept = 0;

	if (packed->count == 0)
		return;
	qsort(packed->files, packed->count, sizeof(*packed->files), by_name);
	for (uint32_t i = 1; i < packed->count; i++) {
		if (strcmp(packed->files[kept].name, packed->files[i].name) != 0) {
			packed->files[++kept] = packed->files[i];
			continue;
		}
		packed_area_tell(&packed->blocks,
				 &packed->blocks.areas[PACK_DATA][packed->files[i].part],
				 "has a file of a name that is there already");
	}
	packed->count = kept + 1;
}

static int find_files(struct packed *packed)
{
	uint64_t most = SHAPES_MOST + SHAPES_RATIO * packed->blocks.size;

	for (uint32_t i = 0; i < packed->blocks.counts[PACK_DATA]; i++) {
		struct open_part *part;
		int error = packed->shapes > most ? -EFBIG : part_get(packed, i, &part);

		if (error == -EBADMSG) /* it was told; the others are read */
			continue;
		if (error)
			return error;
		error = add_files(packed, i, part);
		part_give_back(packed, i, part);
		if (error == -EBADMSG)
			packed_area_tell(&packed->blocks, &packed->blocks.areas[PACK_DATA][i],
					 "a part is damaged");
		else if (error)
			return error;
	}
	sort_files(packed);
	return 0;
}

bool packed_is(int fd)
{
	struct file_header header;

	return fd_read_at(fd, &header, sizeof(header), 0) == sizeof(header) &&
	       memcmp(header.magic, FILE_MAGIC, sizeof(header.magic)) == 0 &&
	       header.kind == FILE_PACKED;
}

int packed_open(struct packed **opened, int fd, packed_tell *tell, void *data, const char **what,
		uint64_t *offset)
{
	struct packed *packed = calloc(1, sizeof(*packed));
	int error;

	if (!packed)
		return -ENOMEM;
	packed->blocks.tell = tell;
	packed->blocks.data = data;
	error = packed_blocks_open(&packed->blocks, fd, what, offset);
	if (error) {
		free(packed);
		return error;
	}
	error = find_files(packed);
	if (!error) {
		*opened = packed;
		return 0;
	}
	packed->blocks.fd = -1;
	packed_close(packed);
	*what = "its parts have more in them than an honest file can have";
	*offset = 0;
	return error == -EFBIG ? -EBADMSG : error;
}

void packed_close(struct packed *packed)
{
	if (!packed)
		return;
	if (packed->blocks.fd >= 0)
		close(packed->blocks.fd);
	packed_blocks_release(&packed->blocks);
	pool_release(&packed->pool);
	free(packed->files);
	free(packed);
}

uint32_t packed_file_count(const struct packed *packed)
{
	return packed->count;
}

const char *packed_file_name(const struct packed *packed, uint32_t file)
{
	return packed->files[file].name;
}

uint64_t packed_file_size(const struct packed *packed, uint32_t file)
{
	return file < packed->count ? packed->files[file].size : 0;
}

uint64_t packed_size(const struct packed *packed)
{
	return packed->blocks.size;
}

uint32_t packed_find(const struct packed *packed, const char *name)
{
	struct packed_file key = {.name = name};
	const struct packed_file *found =
		name && packed->count > 0
			? bsearch(&key, packed->files, packed->count, sizeof(key), by_name)
			: NULL;

	return found ? (uint32_t)(found - packed->files) : UINT32_MAX;
}

/* ---- pieces of a file ---- */

/* The last piece of the file that begins at `offset` or before; it has one. */
static uint32_t spot_of(const struct packed_file *file, const struct open_part *part,
			uint64_t offset)
{
	uint32_t low = file->first, high = file->first + file->count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (part->spots[middle].offset <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static int piece_of(const struct open_part *part, uint32_t spot, struct pack_piece *piece)
{
	struct pack_place place = part->spots[spot].place;

	return pack_piece_next(&part->part, &place, piece) > 0 ? 0 : -EBADMSG;
}

int packed_piece_at(struct packed *packed, uint32_t number, uint64_t offset,
		    struct packed_piece *piece)
{
	const struct packed_file *file = &packed->files[number];
	struct open_part *part;
	uint32_t spot;
	int error;

	if (number >= packed->count || offset >= file->size || file->count == 0)
		return 0;
	error = part_get(packed, file->part, &part);
	if (error)
		return error;
	spot = spot_of(file, part, offset);
	error = piece_of(part, spot, &piece->piece);
	piece->offset = part->spots[spot].offset;
	part_give_back(packed, file->part, part);
	return error ? error : 1;
}

/* ---- bodies ---- */

static int reserve(uint8_t **buffer, size_t *capacity, size_t size)
{
	if (size + 1 <= *capacity)
		return 0;
	free(*buffer);
	*buffer = malloc(size + 1);
	*capacity = *buffer ? size + 1 : 0;
	return *buffer ? 0 : -ENOMEM;
}

void packed_body_release(struct packed_body *body)
{
	free(body->plain);
	free(body->bits);
	free(body->spare);
	memset(body, 0, sizeof(*body));
}

static int body_of_tokens(const struct open_part *part, const struct pack_piece *piece,
			  struct packed_body *body)
{
	struct pack_place place = piece->tokens;
	int64_t size = pack_tokens_expand(&part->part, &place, NULL, PACK_BLOCK_MAX);

	if (size < 0)
		return -EBADMSG;
	if (reserve(&body->plain, &body->plain_capacity, (size_t)size))
		return -ENOMEM;
	place = piece->tokens;
	body->plain_size = (size_t)size;
	body->form = piece->op == PACK_OP_PLAIN      ? PACKED_STORED
		     : piece->op == PACK_OP_RELATIVE ? PACKED_ENTRIES
						     : PACKED_PLAIN;
	return pack_tokens_expand(&part->part, &place, body->plain, (size_t)size) == size
		       ? 0
		       : -EBADMSG;
}

static int body_of_blob(struct packed *packed, const struct pack_piece *piece,
			struct packed_body *body)
{
	struct blob blob;
	int error = packed_blob(&packed->blocks, PACK_WORDS, piece->blob, &blob);

	if (error)
		return error;
	free(body->plain);
	body->plain = blob.bytes;
	body->plain_size = blob.size;
	body->plain_capacity = blob.size;
	body->form = PACKED_PLAIN;
	return blob.size == piece->header.plain_size ? 0 : -EBADMSG;
}

/* Plain bytes of a piece of the data area that is a zlib stream, or as it is if that is not shorter. */
static int take_stored(struct bytes *data, uint32_t stored, uint8_t *plain, uint32_t plain_size)
{
	const uint8_t *p = bytes_take(data, stored);
	uLongf got = plain_size;
	uLong used = stored;

	if (!p)
		return -EBADMSG;
	if (stored == plain_size) {
		memcpy(plain, p, stored);
		return 0;
	}
	return uncompress2(plain, &got, p, &used) == Z_OK && got == plain_size && used == stored
		       ? 0
		       : -EBADMSG;
}

/* What a DATA chunk is put together from. */
struct sources {
	struct blob blob, names;
	struct bytes times, bits;
};

static int join_words(struct bytes *cuts, struct bytes from[PACK_SOURCES], struct packed_body *body)
{
	struct packer out = packer_of(body->plain, body->plain_size);

	return pack_cuts_join(cuts, from, &out) || out.p != out.end ? -EBADMSG : 0;
}

static int join_bits(struct bytes *cuts, struct bytes from[PACK_SOURCES], struct packed_body *body)
{
	size_t size = bytes_left(&from[0]) + bytes_left(&from[1]);
	struct packer out = packer_of(body->bits, size);

	body->bits_size = size;
	return pack_cuts_join(cuts, from, &out) || out.p != out.end ? -EBADMSG : 0;
}

/* The words and the bits. All that there is must be used up. */
static int join(const struct sources *sources, const struct pack_piece *piece,
		struct packed_body *body)
{
	struct bytes cuts = sources->times;
	uint64_t cuts_size = bytes_varint(&cuts);
	size_t rest = bytes_left(&cuts), plain_size = piece->header.plain_size;
	struct bytes from[PACK_SOURCES] = {bytes_of(sources->blob.bytes, sources->blob.size),
					   bytes_of(NULL, 0),
					   bytes_of(sources->names.bytes, sources->names.size)};

	if (cuts_size > rest || plain_size > sources->blob.size + sources->names.size + rest)
		return -EBADMSG;
	from[1] = bytes_of(cuts.p + cuts_size, rest - (size_t)cuts_size);
	cuts.end = cuts.p + cuts_size;
	if (reserve(&body->plain, &body->plain_capacity, plain_size) ||
	    reserve(&body->bits, &body->bits_capacity,
		    sources->blob.size + bytes_left(&sources->bits)))
		return -ENOMEM;
	body->plain_size = plain_size;
	body->form = PACKED_PLAIN;
	if (join_words(&cuts, from, body) || bytes_left(&from[1]) || bytes_left(&from[2]))
		return -EBADMSG;
	from[1] = sources->bits;
	return join_bits(&cuts, from, body) || bytes_left(&cuts) ||
			       body->bits_size > piece->header.body_size
		       ? -EBADMSG
		       : 0;
}

/* The data of a DATA chunk: a checksum of all, its times, its bits. */
static int join_data(struct sources *sources, const struct pack_piece *piece, struct bytes data,
		     uint8_t *times, struct packed_body *body)
{
	uint32_t crc = bytes_u32(&data), sum;
	int error = take_stored(&data, piece->times_stored, times, piece->times_plain);

	sources->times = bytes_of(times, piece->times_plain);
	sources->bits = data;
	if (!error)
		error = join(sources, piece, body);
	if (error)
		return error;
	sum = (uint32_t)crc32_z(0, body->plain, body->plain_size);
	sum = (uint32_t)crc32_z(sum, body->bits, body->bits_size);
	return sum == crc ? 0 : -EBADMSG;
}

static int body_of_records(struct packed *packed, const struct pack_piece *piece, uint64_t offset,
			   struct packed_body *body)
{
	size_t size = (size_t)piece->data_size;
	struct sources sources = {.blob = {0}};
	uint8_t *data;
	int error;

	if (piece->times_plain / 1032u > piece->times_stored)
		return -EBADMSG;
	if (reserve(&body->spare, &body->spare_capacity, size + piece->times_plain))
		return -ENOMEM;
	data = body->spare + piece->times_plain;
	error = packed_read_exactly(&packed->blocks, data, size, offset);
	if (!error)
		error = packed_blob(&packed->blocks, PACK_WORDS, piece->blob, &sources.blob);
	if (!error)
		error = packed_blob(&packed->blocks, PACK_WORDS, piece->names, &sources.names);
	if (!error)
		error = join_data(&sources, piece, bytes_of(data, size), body->spare, body);
	free(sources.blob.bytes);
	free(sources.names.bytes);
	return error;
}

static int body_of(struct packed *packed, const struct open_part *part, uint32_t spot,
		   const struct pack_piece *piece, struct packed_body *body)
{
	body->bits_size = 0;
	switch (piece->op) {
	case PACK_OP_PLAIN:
	case PACK_OP_DEFLATED:
	case PACK_OP_RELATIVE:
		return body_of_tokens(part, piece, body);
	case PACK_OP_BLOB:
		return body_of_blob(packed, piece, body);
	case PACK_OP_RECORDS:
		return body_of_records(packed, piece, part->spots[spot].data, body);
	default:
		return -ENOENT;
	}
}

int packed_body(struct packed *packed, uint32_t number, uint64_t offset, struct packed_body *body)
{
	const struct packed_file *file = &packed->files[number];
	struct pack_piece piece;
	struct open_part *part;
	uint32_t spot;
	int error;

	if (number >= packed->count || offset >= file->size || file->count == 0)
		return -ENOENT;
	error = part_get(packed, file->part, &part);
	if (error)
		return error;
	spot = spot_of(file, part, offset);
	error = piece_of(part, spot, &piece);
	if (!error && part->spots[spot].offset != offset)
		error = -ENOENT;
	if (!error)
		error = body_of(packed, part, spot, &piece, body);
	part_give_back(packed, file->part, part);
	return error;
}

/* ---- reading as from a file ---- */

/* A piece of a file as far as it can be made byte by byte: `room` is as large as the piece's header, or all of it if it is stored. */
static int raw_of(struct packed *packed, const struct pack_piece *piece, uint64_t data,
		  uint8_t *bytes)
{
	uint8_t stored[sizeof(uint32_t) + PACK_RAW_MAX];
	struct bytes in = bytes_of(stored, (size_t)piece->data_size);
	int error = packed_read_exactly(&packed->blocks, stored, (size_t)piece->data_size, data);
	uint32_t crc;

	if (error)
		return error;
	crc = bytes_u32(&in);
	error = take_stored(&in, piece->raw_stored, bytes, piece->raw_plain);
	if (!error && format_crc(bytes, piece->raw_plain) != crc)
		error = -EBADMSG;
	return error;
}

/* A chunk whose body is there as it was has the checksums that it had; others have none for the body. */
static int chunk_of(const struct open_part *part, const struct pack_piece *piece, uint8_t *bytes,
		    bool with_body)
{
	struct chunk_header header = piece->header;
	struct pack_place place = piece->tokens;

	if (with_body) {
		if (pack_tokens_expand(&part->part, &place, bytes + sizeof(header),
				       header.body_size) != header.body_size)
			return -EBADMSG;
		header.body_crc = format_crc(bytes + sizeof(header), header.body_size);
	}
	header.header_crc = format_crc(&header, offsetof(struct chunk_header, header_crc));
	memcpy(bytes, &header, sizeof(header));
	return 0;
}

/* Copies what of the piece lies from `from` on, at most `size` bytes; zeros for what is not stored byte by byte. */
static int read_piece(struct packed *packed, const struct open_part *part, uint32_t spot,
		      const struct pack_piece *piece, uint64_t from, uint8_t *to, size_t size)
{
	bool whole = piece->op == PACK_OP_RAW || piece->op == PACK_OP_PLAIN;
	size_t there = whole                         ? (size_t)piece->size
		       : piece->op == PACK_OP_HEADER ? sizeof(struct file_header)
						     : sizeof(struct chunk_header);
	uint8_t *bytes;
	int error = 0;

	memset(to, 0, size);
	if (from >= there)
		return 0;
	bytes = malloc(there + 1);
	if (!bytes)
		return -ENOMEM;
	if (piece->op == PACK_OP_RAW)
		error = raw_of(packed, piece, part->spots[spot].data, bytes);
	else if (piece->op == PACK_OP_HEADER)
		memcpy(bytes, &piece->file, sizeof(piece->file));
	else
		error = chunk_of(part, piece, bytes, whole);
	if (!error)
		memcpy(to, bytes + from, there - from < size ? there - from : size);
	free(bytes);
	return error;
}

static int read_pieces(struct packed *packed, const struct packed_file *file,
		       const struct open_part *part, uint8_t *to, size_t size, uint64_t offset)
{
	uint32_t spot = spot_of(file, part, offset);

	while (size > 0) {
		uint64_t from = offset - part->spots[spot].offset;
		struct pack_piece piece;
		size_t here;
		int error = piece_of(part, spot, &piece);

		if (error)
			return error;
		here = piece.size - from < size ? (size_t)(piece.size - from) : size;
		error = read_piece(packed, part, spot, &piece, from, to, here);
		if (error == -EBADMSG)
			packed_area_tell(&packed->blocks,
					 &packed->blocks.areas[PACK_DATA][file->part],
					 "bytes of a file are damaged");
		if (error)
			return error;
		to += here;
		offset += here;
		size -= here;
		spot++;
	}
	return 0;
}

ssize_t packed_read(struct packed *packed, uint32_t number, void *buffer, size_t size,
		    uint64_t offset)
{
	const struct packed_file *file = &packed->files[number];
	struct open_part *part;
	int error;

	if (number >= packed->count || offset >= file->size || file->count == 0)
		return 0;
	if (size > file->size - offset)
		size = (size_t)(file->size - offset);
	error = part_get(packed, file->part, &part);
	if (error)
		return error;
	error = read_pieces(packed, file, part, buffer, size, offset);
	part_give_back(packed, file->part, part);
	return error ? error : (ssize_t)size;
}
