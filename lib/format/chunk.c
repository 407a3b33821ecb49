/* SPDX-License-Identifier: MIT */
/* chunk.c - see chunk.h */
#include "format/chunk.h"

#include <errno.h>
#include <zlib.h>

#include "format/loop.h"

uint32_t format_crc(const void *data, size_t size)
{
	return (uint32_t)crc32_z(0, data, size);
}

void file_header_init(struct file_header *header, enum file_kind kind, uint64_t stream_id)
{
	memset(header, 0, sizeof(*header));
	memcpy(header->magic, FILE_MAGIC, sizeof(header->magic));
	header->kind = (uint8_t)kind;
	header->major = FORMAT_MAJOR;
	header->minor = FORMAT_MINOR;
	header->stream_id = stream_id;
	header->crc = format_crc(header, offsetof(struct file_header, crc));
}

int file_header_check(const struct file_header *header, enum file_kind kind)
{
	if (memcmp(header->magic, FILE_MAGIC, sizeof(header->magic)) != 0 ||
	    header->crc != format_crc(header, offsetof(struct file_header, crc)))
		return -EBADMSG;
	if (header->kind != kind)
		return -EINVAL;
	return header->major == FORMAT_MAJOR ? 0 : -EPROTO;
}

void chunk_header_seal(struct chunk_header *header, const void *body)
{
	header->magic = CHUNK_MAGIC;
	header->body_crc = format_crc(body, header->body_size);
	header->header_crc = format_crc(header, offsetof(struct chunk_header, header_crc));
}

static uint64_t most_records(const struct chunk_header *header)
{
	bool loop = header->type == CHUNK_DATA && data_is_loop(header->encoding);

	return loop ? LOOP_MAX_RECORDS : CHUNK_MAX_RECORDS;
}

int chunk_header_check(const struct chunk_header *header)
{
	if (header->magic != CHUNK_MAGIC ||
	    header->header_crc != format_crc(header, offsetof(struct chunk_header, header_crc)))
		return -EBADMSG;
	if (header->body_size > CHUNK_MAX_BODY || header->plain_size > CHUNK_MAX_PLAIN ||
	    header->count > most_records(header) || header->carried > CHUNK_MAX_CARRIED)
		return -EFBIG;
	return 0;
}

bool chunk_body_check(const struct chunk_header *header, const void *body)
{
	return format_crc(body, header->body_size) == header->body_crc;
}

const char *chunk_type_name(unsigned type)
{
	static const char *const names[] = {
		[CHUNK_DEFS] = "DEFS", [CHUNK_DATA] = "DATA", [CHUNK_LOST] = "LOST",
		[CHUNK_END] = "END",   [CHUNK_META] = "META", [CHUNK_OPEN] = "OPEN",
		[CHUNK_BACK] = "BACK",
	};

	return type < sizeof(names) / sizeof(names[0]) && names[type] ? names[type] : "unknown";
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(file_header_round_trip)
{
	struct file_header header;

	file_header_init(&header, FILE_STREAM, 77);
	EXPECT_EQ(file_header_check(&header, FILE_STREAM), 0);
	EXPECT_EQ(file_header_check(&header, FILE_LOCAL), -EINVAL);
	EXPECT_EQ(header.stream_id, 77);
	header.minor = 9;
	EXPECT_EQ(file_header_check(&header, FILE_STREAM), -EBADMSG);
	header.crc = format_crc(&header, offsetof(struct file_header, crc));
	EXPECT_EQ(file_header_check(&header, FILE_STREAM), 0);
	header.major = 2;
	header.crc = format_crc(&header, offsetof(struct file_header, crc));
	EXPECT_EQ(file_header_check(&header, FILE_STREAM), -EPROTO);
}

TEST_CASE(chunk_header_detects_every_flipped_bit)
{
	struct chunk_header header = {.type = CHUNK_DATA, .body_size = 4, .plain_size = 4};
	uint8_t *byte = (uint8_t *)&header;

	chunk_header_seal(&header, "abcd");
	EXPECT_EQ(chunk_header_check(&header), 0);
	EXPECT(chunk_body_check(&header, "abcd"));
	EXPECT(!chunk_body_check(&header, "abce"));
	for (unsigned bit = 0; bit < sizeof(header) * 8; bit++) {
		byte[bit / 8] ^= (uint8_t)(1 << bit % 8);
		EXPECT_EQ(chunk_header_check(&header), -EBADMSG);
		byte[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
}

TEST_CASE(chunk_header_limits)
{
	struct chunk_header header = {.type = CHUNK_DATA, .plain_size = CHUNK_MAX_PLAIN};

	chunk_header_seal(&header, "");
	EXPECT_EQ(chunk_header_check(&header), 0);
	header.plain_size++;
	chunk_header_seal(&header, "");
	EXPECT_EQ(chunk_header_check(&header), -EFBIG);
}
#endif
