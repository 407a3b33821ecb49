/* SPDX-License-Identifier: MIT */
/* pack_shape.c - see pack_shape.h */
#include "format/pack_shape.h"

#include <errno.h>

#include "format/chunk.h"
#include "format/pack.h"
#include "format/pack_numbers.h"
#include "format/pack_walk.h"

#define CUTS_MAX 64u

/* ---- shapes ---- */

static uint32_t take_count(struct bytes *blob, uint64_t least)
{
	uint64_t count = bytes_varint(blob);

	if (count > bytes_left(blob) / least) {
		bytes_fail(blob);
		return 0;
	}
	return (uint32_t)count;
}

int pack_shape_open(struct pack_shape *shape, struct bytes blob)
{
	uint32_t size = take_count(&blob, 1);
	const uint8_t *p = bytes_take(&blob, size);

	memset(shape, 0, sizeof(*shape));
	if (!p)
		return -EBADMSG;
	shape->ops = bytes_of(p, size);
	shape->number_count = take_count(&blob, 1);
	shape->numbers = blob;
	for (uint32_t i = 0; i < shape->number_count; i++)
		bytes_varint(&blob);
	shape->numbers.end = blob.p;
	shape->time_count = take_count(&blob, 2);
	shape->times = blob;
	return blob.bad ? -EBADMSG : 0;
}

int pack_shape_base(const struct pack_shape *shape, uint64_t *numbers, uint64_t *times,
		    uint8_t *clocks)
{
	struct bytes in = shape->numbers;

	for (uint32_t i = 0; i < shape->number_count; i++)
		numbers[i] = bytes_varint(&in);
	in = shape->times;
	for (uint32_t i = 0; i < shape->time_count; i++) {
		clocks[i] = bytes_u8(&in);
		times[i] = bytes_varint(&in);
		if (clocks[i] >= PACK_CLOCKS)
			return -EBADMSG;
	}
	return in.bad || bytes_left(&in) > 0 ? -EBADMSG : 0;
}

/* ---- pieces ---- */

static void take_header(struct pack_walker *walker, struct chunk_header *header)
{
	header->magic = CHUNK_MAGIC;
	header->type = (uint8_t)pack_walk_number(walker, UINT8_MAX);
	header->encoding = (uint8_t)pack_walk_number(walker, UINT8_MAX);
	header->flags = (uint16_t)pack_walk_number(walker, UINT16_MAX);
	header->thread = (uint32_t)pack_walk_number(walker, UINT32_MAX);
	header->count = (uint32_t)pack_walk_number(walker, CHUNK_MAX_RECORDS);
	header->lost = (uint32_t)pack_walk_number(walker, UINT32_MAX);
	header->first_sequence = pack_walk_number(walker, UINT64_MAX);
	header->carried = (uint32_t)pack_walk_time(walker, CHUNK_MAX_CARRIED);
	header->t_base = pack_walk_time(walker, UINT64_MAX);
	header->t_min = pack_walk_time(walker, UINT64_MAX);
	header->t_max = pack_walk_time(walker, UINT64_MAX);
	header->anchor.ticks = pack_walk_time(walker, UINT64_MAX);
	header->anchor.mono = (int64_t)pack_walk_time(walker, UINT64_MAX);
	header->anchor.real = (int64_t)pack_walk_time(walker, UINT64_MAX);
}

static void take_file_header(struct pack_walker *walker, struct pack_piece *piece)
{
	struct file_header *file = &piece->file;

	file_header_init(file, (enum file_kind)pack_walk_number(walker, UINT8_MAX), 0);
	file->major = (uint16_t)pack_walk_number(walker, UINT16_MAX);
	file->minor = (uint16_t)pack_walk_number(walker, UINT16_MAX);
	file->reserved0 = (uint32_t)pack_walk_number(walker, UINT32_MAX);
	file->stream_id = pack_walk_number(walker, UINT64_MAX);
	file->reserved1 = (uint32_t)pack_walk_number(walker, UINT32_MAX);
	file->crc = format_crc(file, offsetof(struct file_header, crc));
	piece->size = sizeof(*file);
}

static void take_raw(struct pack_walker *walker, struct pack_piece *piece)
{
	piece->raw_plain = (uint32_t)pack_walk_number(walker, PACK_RAW_MAX);
	piece->raw_stored = (uint32_t)pack_walk_number(walker, PACK_RAW_MAX);
	walker->bad |= piece->raw_stored > piece->raw_plain;
	piece->size = piece->raw_plain;
	piece->data_size = sizeof(uint32_t) + piece->raw_stored;
}

/* Passes the tokens; how many bytes they stand for. */
static uint64_t pass_tokens(struct pack_walker *walker, struct pack_piece *piece, size_t room)
{
	int64_t size;

	pack_walk_done(walker);
	piece->tokens = *walker->place;
	size = walker->bad ? -EBADMSG : pack_tokens_expand(walker->part, walker->place, NULL, room);
	walker->bad |= size < 0;
	walker->ops = walker->part->ops;
	bytes_take(&walker->ops, walker->place->op);
	return size < 0 ? 0 : (uint64_t)size;
}

static void take_chunk(struct pack_walker *walker, struct pack_piece *piece)
{
	struct chunk_header *header = &piece->header;

	take_header(walker, header);
	if (piece->op != PACK_OP_PLAIN)
		header->body_size = (uint32_t)pack_walk_number(walker, CHUNK_MAX_BODY);
	if (piece->op == PACK_OP_RELATIVE || piece->op == PACK_OP_BLOB)
		header->plain_size = (uint32_t)pack_walk_number(walker, CHUNK_MAX_PLAIN);
	if (piece->op == PACK_OP_BLOB) {
		piece->blob = (uint32_t)pack_walk_number(walker, UINT32_MAX);
	} else if (piece->op == PACK_OP_PLAIN) {
		header->body_size = (uint32_t)pass_tokens(walker, piece, CHUNK_MAX_BODY);
		header->plain_size = header->body_size;
	} else {
		uint64_t size = pass_tokens(walker, piece, PACK_BLOCK_MAX);

		if (piece->op == PACK_OP_DEFLATED)
			header->plain_size = (uint32_t)size;
	}
	if (piece->op == PACK_OP_RELATIVE)
		walker->bad |= header->type != CHUNK_DEFS || header->encoding != DEFS_RELATIVE;
	piece->size = sizeof(*header) + header->body_size;
}

static void take_records(struct pack_walker *walker, struct pack_piece *piece)
{
	struct chunk_header *header = &piece->header;

	take_header(walker, header);
	piece->blob = (uint32_t)pack_walk_number(walker, UINT32_MAX);
	piece->names = (uint32_t)pack_walk_number(walker, UINT32_MAX);
	header->body_size = (uint32_t)pack_walk_time(walker, CHUNK_MAX_BODY);
	header->plain_size = (uint32_t)pack_walk_time(walker, CHUNK_MAX_PLAIN);
	piece->times_plain = (uint32_t)pack_walk_time(walker, CHUNK_MAX_PLAIN);
	piece->times_stored = (uint32_t)pack_walk_time(walker, CHUNK_MAX_BODY);
	piece->bits = (uint32_t)pack_walk_time(walker, CHUNK_MAX_BODY);
	walker->bad |= header->type != CHUNK_DATA || piece->times_stored > piece->times_plain ||
		       piece->bits > header->body_size;
	piece->size = sizeof(*header) + header->body_size;
	piece->data_size = sizeof(uint32_t) + piece->times_stored + piece->bits;
}

int pack_piece_next(const struct pack_part *part, struct pack_place *place,
		    struct pack_piece *piece)
{
	struct pack_walker walker = pack_walk_from(part, place);

	memset(piece, 0, sizeof(*piece));
	if (bytes_left(&walker.ops) == 0 && !walker.bad)
		return 0;
	piece->op = (enum pack_op)bytes_u8(&walker.ops);
	switch (piece->op) {
	case PACK_OP_FILE:
		pass_tokens(&walker, piece, PACK_RAW_MAX);
		break;
	case PACK_OP_RAW:
		take_raw(&walker, piece);
		break;
	case PACK_OP_HEADER:
		take_file_header(&walker, piece);
		break;
	case PACK_OP_PLAIN:
	case PACK_OP_DEFLATED:
	case PACK_OP_RELATIVE:
	case PACK_OP_BLOB:
		take_chunk(&walker, piece);
		break;
	case PACK_OP_RECORDS:
		take_records(&walker, piece);
		break;
	default:
		return -EBADMSG;
	}
	pack_walk_done(&walker);
	return walker.bad ? -EBADMSG : 1;
}

/* ---- cuts ---- */

static void take_over(struct bytes *from, uint64_t size, struct packer *out)
{
	const uint8_t *p = size > bytes_left(from) ? NULL : bytes_take(from, (size_t)size);

	if (!p)
		bytes_fail(from);
	else
		pack_bytes(out, p, (size_t)size);
}

int pack_cuts_join(struct bytes *cuts, struct bytes sources[PACK_SOURCES], struct packer *out)
{
	uint64_t count = bytes_varint(cuts);

	if (count > CUTS_MAX)
		return -EBADMSG;
	for (uint64_t i = 0; i < count; i++)
		for (unsigned k = 0; k < PACK_SOURCES; k++) {
			take_over(&sources[k], bytes_varint(cuts), out);
			if (sources[k].bad)
				return -EBADMSG;
		}
	return cuts->bad || out->overflow ? -EBADMSG : 0;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(shapes_take_numbers_and_times_from_parts)
{
	static const uint8_t ops[] = {PACK_OP_FILE,
				      PACK_TOKEN_DECIMAL,
				      PACK_TOKEN_BYTES,
				      2,
				      '.',
				      'x',
				      PACK_TOKEN_END,
				      PACK_OP_RAW,
				      PACK_OP_PLAIN,
				      PACK_TOKEN_U32,
				      PACK_TOKEN_BYTES,
				      1,
				      'a',
				      PACK_TOKEN_PAD,
				      PACK_TOKEN_TIME,
				      PACK_TOKEN_END};
	uint64_t numbers[] = {123, 5, 4, CHUNK_META, 0, 1, 2, 3, 4, 5, 0x01020304};
	uint64_t times[] = {0, 6, 7, 8, 9, 10, 11, 12};
	struct pack_part part = {bytes_of(ops, sizeof(ops)), numbers, times, 11, 8};
	struct pack_place place = {0};
	struct pack_piece piece;
	uint8_t out[32];

	EXPECT_EQ(pack_piece_next(&part, &place, &piece), 1);
	EXPECT_EQ(pack_tokens_expand(&part, &piece.tokens, out, sizeof(out)), 5);
	EXPECT_MEM(out, "123.x", 5);
	EXPECT_EQ(pack_piece_next(&part, &place, &piece), 1);
	EXPECT(piece.size == 5 && piece.data_size == 8);
	EXPECT_EQ(pack_piece_next(&part, &place, &piece), 1);
	EXPECT(piece.header.body_size == 16 && piece.header.t_min == 7 && piece.header.count == 3);
	EXPECT_EQ(pack_tokens_expand(&part, &piece.tokens, out, sizeof(out)), 16);
	EXPECT_MEM(out, "\4\3\2\1a\0\0\0\14\0\0\0\0\0\0\0", 16);
	EXPECT_EQ(pack_piece_next(&part, &place, &piece), 0);
	for (uint32_t cut = 0; cut < sizeof(ops); cut++) {
		int more = 1;

		part.ops = bytes_of(ops, cut);
		place = (struct pack_place){0};
		while (more > 0)
			more = pack_piece_next(&part, &place, &piece);
		EXPECT(more == -EBADMSG || cut == 0 || cut == 7 || cut == 8);
	}
}

TEST_CASE(cuts_take_in_turns)
{
	struct bytes cuts = bytes_of("\2\1\2\0\3\0\1", 7);
	struct bytes sources[PACK_SOURCES] = {bytes_of("adef", 4), bytes_of("bc", 2),
					      bytes_of("g", 1)};
	uint8_t out[7];
	struct packer packer = packer_of(out, sizeof(out));

	EXPECT_EQ(pack_cuts_join(&cuts, sources, &packer), 0);
	EXPECT_MEM(out, "abcdefg", 7);
	cuts = bytes_of("\1\1\0\0", 4);
	EXPECT_EQ(pack_cuts_join(&cuts, sources, &packer), -EBADMSG);
}
#endif
