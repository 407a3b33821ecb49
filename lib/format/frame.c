/* SPDX-License-Identifier: MIT */
/* frame.c - see frame.h */
#include "format/frame.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "format/chunk.h"

_Static_assert(sizeof(struct frame_tag) == FRAME_TAG_SIZE, "doc/format.md section 11");

static uint32_t tag_crc(const struct frame_tag *tag, const struct chunk_header *header)
{
	uint32_t crc = format_crc(tag->stream, sizeof(tag->stream));

	return (uint32_t)crc32_z(crc, (const void *)header, sizeof(*header));
}

void frame_tag_seal(struct frame_tag *tag, uint64_t stream, const struct chunk_header *header)
{
	memcpy(tag->stream, &stream, sizeof(tag->stream));
	tag->crc = tag_crc(tag, header);
}

int frame_check(const uint8_t *frame, uint64_t *stream, struct chunk_header *header)
{
	struct frame_tag tag;

	memcpy(&tag, frame, sizeof(tag));
	memcpy(header, frame + sizeof(tag), sizeof(*header));
	memcpy(stream, tag.stream, sizeof(tag.stream));
	if (header->magic != CHUNK_MAGIC || *stream == 0 || tag.crc != tag_crc(&tag, header))
		return -EBADMSG;
	return chunk_header_check(header);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(frames_say_whose_chunk_it_is)
{
	struct chunk_header header = {.type = CHUNK_DATA, .body_size = 3, .plain_size = 3}, found;
	uint8_t frame[FRAME_HEADER_SIZE];
	struct frame_tag tag;
	uint64_t stream;

	chunk_header_seal(&header, "abc");
	frame_tag_seal(&tag, 0x123456789abcdef0, &header);
	memcpy(frame, &tag, sizeof(tag));
	memcpy(frame + sizeof(tag), &header, sizeof(header));
	EXPECT_EQ(frame_check(frame, &stream, &found), 0);
	EXPECT_EQ(stream, 0x123456789abcdef0);
	EXPECT_EQ(found.body_size, 3);
	for (unsigned bit = 0; bit < sizeof(frame) * 8; bit++) {
		frame[bit / 8] ^= (uint8_t)(1 << bit % 8);
		EXPECT_EQ(frame_check(frame, &stream, &found), -EBADMSG);
		frame[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
}
#endif
