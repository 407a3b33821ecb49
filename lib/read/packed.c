/* SPDX-License-Identifier: MIT */
/* packed.c - see packed.h */
#include "read/packed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/chunk.h"
#include "format/trace_names.h"
#include "read/pool.h"
#include "read/tracefiles.h"

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
	struct pool pool;
};

/* ---- files ---- */

/* The file whose first piece comes behind `piece`, which has its name. */
static int add_file(struct packed *packed, uint32_t number, const struct packed_part *part,
		    const struct packed_piece *piece, uint32_t first)
{
	char name[STREAM_FILE_NAME_MAX + 1];
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
	length = packed_part_expand(part, &piece->piece.tokens, (uint8_t *)name,
				    STREAM_FILE_NAME_MAX);
	if (length < 0)
		return -EBADMSG;
	name[length] = '\0';
	if (!name_is_plain(name, (size_t)length, STREAM_FILE_NAME_MAX))
		return -EBADMSG;
	file = &packed->files[packed->count];
	*file = (struct packed_file){.name = pool_copy(&packed->pool, name, (size_t)length),
				     .part = number,
				     .first = first};
	packed->count += file->name != NULL;
	return file->name ? 0 : -ENOMEM;
}

static int add_files(struct packed *packed, uint32_t number, const struct packed_part *part)
{
	struct packed_piece piece;

	for (uint32_t i = 0;; i++) {
		struct packed_file *file;
		int error = packed_part_piece(part, i, &piece);

		if (error)
			return error == -ENOENT ? 0 : error;
		if (piece.piece.op == PACK_OP_FILE) {
			error = add_file(packed, number, part, &piece, i + 1);
			if (error)
				return error;
			continue;
		}
		if (packed->count == 0 || packed->files[packed->count - 1].part != number)
			return -EBADMSG;
		file = &packed->files[packed->count - 1];
		file->count++;
		file->size = piece.offset + piece.piece.size;
	}
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
		struct packed_part *part;
		int error = packed->blocks.shapes > most
				    ? -EFBIG
				    : packed_part_get(&packed->blocks, i, &part);

		if (error == -EBADMSG) /* it was told; the others are read */
			continue;
		if (error)
			return error;
		error = add_files(packed, i, part);
		packed_part_give_back(&packed->blocks, i, part);
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

static uint32_t piece_of(const struct packed_file *file, const struct packed_part *part,
			 uint64_t offset)
{
	return packed_part_find(part, file->first, file->count, offset);
}

int packed_piece_at(struct packed *packed, uint32_t number, uint64_t offset,
		    struct packed_piece *piece)
{
	const struct packed_file *file = &packed->files[number];
	struct packed_part *part;
	int error;

	if (number >= packed->count || offset >= file->size || file->count == 0)
		return 0;
	error = packed_part_get(&packed->blocks, file->part, &part);
	if (error)
		return error;
	error = packed_part_piece(part, piece_of(file, part, offset), piece);
	packed_part_give_back(&packed->blocks, file->part, part);
	return error ? error : 1;
}

int packed_body(struct packed *packed, uint32_t number, uint64_t offset, struct packed_body *body)
{
	const struct packed_file *file = &packed->files[number];
	struct packed_piece piece;
	struct packed_part *part;
	int error;

	if (number >= packed->count || offset >= file->size || file->count == 0)
		return -ENOENT;
	error = packed_part_get(&packed->blocks, file->part, &part);
	if (error)
		return error;
	error = packed_part_piece(part, piece_of(file, part, offset), &piece);
	if (!error && piece.offset != offset)
		error = -ENOENT;
	if (!error)
		error = packed_piece_body(&packed->blocks, part, &piece, body);
	packed_part_give_back(&packed->blocks, file->part, part);
	return error;
}

/* ---- reading as from a file ---- */

static int read_pieces(struct packed *packed, const struct packed_file *file,
		       const struct packed_part *part, uint8_t *to, size_t size, uint64_t offset)
{
	uint32_t number = piece_of(file, part, offset);

	while (size > 0) {
		struct packed_piece piece;
		uint64_t from, left;
		size_t here;
		int error = packed_part_piece(part, number, &piece);

		if (error)
			return error;
		from = offset - piece.offset;
		left = piece.piece.size - from;
		here = left < size ? (size_t)left : size;
		error = packed_piece_read(&packed->blocks, part, &piece, from, to, here);
		if (error == -EBADMSG)
			packed_area_tell(&packed->blocks,
					 &packed->blocks.areas[PACK_DATA][file->part],
					 "bytes of a file are damaged");
		if (error)
			return error;
		to += here;
		offset += here;
		size -= here;
		number++;
	}
	return 0;
}

ssize_t packed_read(struct packed *packed, uint32_t number, void *buffer, size_t size,
		    uint64_t offset)
{
	const struct packed_file *file = &packed->files[number];
	struct packed_part *part;
	int error;

	if (number >= packed->count || offset >= file->size || file->count == 0)
		return 0;
	if (size > file->size - offset)
		size = (size_t)(file->size - offset);
	error = packed_part_get(&packed->blocks, file->part, &part);
	if (error)
		return error;
	error = read_pieces(packed, file, part, buffer, size, offset);
	packed_part_give_back(&packed->blocks, file->part, part);
	return error ? error : (ssize_t)size;
}
