/* SPDX-License-Identifier: MIT */
/* packed_pieces.c - see packed_pieces.h */
#include "read/packed_pieces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "format/chunk.h"

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

static int body_of_tokens(const struct packed_part *part, const struct pack_piece *piece,
			  struct packed_body *body)
{
	int64_t size = packed_part_expand(part, &piece->tokens, NULL, PACK_BLOCK_MAX);

	if (size < 0)
		return -EBADMSG;
	if (reserve(&body->plain, &body->plain_capacity, (size_t)size))
		return -ENOMEM;
	body->plain_size = (size_t)size;
	body->form = piece->op == PACK_OP_PLAIN      ? PACKED_STORED
		     : piece->op == PACK_OP_RELATIVE ? PACKED_ENTRIES
						     : PACKED_PLAIN;
	return packed_part_expand(part, &piece->tokens, body->plain, (size_t)size) == size
		       ? 0
		       : -EBADMSG;
}

static int body_of_blob(struct packed_blocks *blocks, const struct pack_piece *piece,
			struct packed_body *body)
{
	struct blob blob;
	int error = packed_blob(blocks, PACK_WORDS, piece->blob, &blob);

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

static int body_of_records(struct packed_blocks *blocks, const struct pack_piece *piece,
			   uint64_t offset, struct packed_body *body)
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
	error = packed_read_exactly(blocks, data, size, offset);
	if (!error)
		error = packed_blob(blocks, PACK_WORDS, piece->blob, &sources.blob);
	if (!error)
		error = packed_blob(blocks, PACK_WORDS, piece->names, &sources.names);
	if (!error)
		error = join_data(&sources, piece, bytes_of(data, size), body->spare, body);
	free(sources.blob.bytes);
	free(sources.names.bytes);
	return error;
}

int packed_piece_body(struct packed_blocks *blocks, const struct packed_part *part,
		      const struct packed_piece *where, struct packed_body *body)
{
	const struct pack_piece *piece = &where->piece;

	body->bits_size = 0;
	switch (piece->op) {
	case PACK_OP_PLAIN:
	case PACK_OP_DEFLATED:
	case PACK_OP_RELATIVE:
		return body_of_tokens(part, piece, body);
	case PACK_OP_BLOB:
		return body_of_blob(blocks, piece, body);
	case PACK_OP_RECORDS:
		return body_of_records(blocks, piece, where->data, body);
	default:
		return -ENOENT;
	}
}

/* ---- bytes of a file ---- */

/* A piece of a file as far as it can be made byte by byte: `room` is as large as the piece's header, or all of it if it is stored. */
static int raw_of(struct packed_blocks *blocks, const struct pack_piece *piece, uint64_t data,
		  uint8_t *bytes)
{
	uint8_t stored[sizeof(uint32_t) + PACK_RAW_MAX];
	struct bytes in = bytes_of(stored, (size_t)piece->data_size);
	int error = packed_read_exactly(blocks, stored, (size_t)piece->data_size, data);
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
static int chunk_of(const struct packed_part *part, const struct pack_piece *piece, uint8_t *bytes,
		    bool with_body)
{
	struct chunk_header header = piece->header;

	if (with_body) {
		if (packed_part_expand(part, &piece->tokens, bytes + sizeof(header),
				       header.body_size) != header.body_size)
			return -EBADMSG;
		header.body_crc = format_crc(bytes + sizeof(header), header.body_size);
	}
	header.header_crc = format_crc(&header, offsetof(struct chunk_header, header_crc));
	memcpy(bytes, &header, sizeof(header));
	return 0;
}

int packed_piece_read(struct packed_blocks *blocks, const struct packed_part *part,
		      const struct packed_piece *where, uint64_t from, uint8_t *to, size_t size)
{
	const struct pack_piece *piece = &where->piece;
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
		error = raw_of(blocks, piece, where->data, bytes);
	else if (piece->op == PACK_OP_HEADER)
		memcpy(bytes, &piece->file, sizeof(piece->file));
	else
		error = chunk_of(part, piece, bytes, whole);
	if (!error)
		memcpy(to, bytes + from, there - from < size ? there - from : size);
	free(bytes);
	return error;
}
