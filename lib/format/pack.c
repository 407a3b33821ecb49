/* SPDX-License-Identifier: MIT */
/* pack.c - see pack.h */
#include "format/pack.h"

#include <errno.h>

#include "format/chunk.h"

void pack_trailer_seal(struct pack_trailer *trailer)
{
	memcpy(trailer->magic, PACK_MAGIC, sizeof(trailer->magic));
	trailer->crc = format_crc(trailer, offsetof(struct pack_trailer, crc));
}

int pack_trailer_check(const struct pack_trailer *trailer, uint64_t size)
{
	uint64_t frame = sizeof(struct file_header) + sizeof(*trailer);

	if (memcmp(trailer->magic, PACK_MAGIC, sizeof(trailer->magic)) != 0 ||
	    trailer->crc != format_crc(trailer, offsetof(struct pack_trailer, crc)))
		return -EBADMSG;
	if (trailer->index_plain > PACK_INDEX_MAX)
		return -EFBIG;
	if (size < frame + trailer->index_size ||
	    trailer->index_offset != size - sizeof(*trailer) - trailer->index_size)
		return -ERANGE;
	return 0;
}

size_t pack_area_put(uint8_t *p, const struct pack_area *area)
{
	uint8_t *begin = p;

	p = varint_put(p, area->size << 2 | area->kind);
	if (area->kind == PACK_DATA)
		return (size_t)(p - begin);
	p = varint_put(p, area->plain_size);
	p = varint_put(p, area->crc);
	p = varint_put(p, area->blobs);
	return (size_t)(p - begin);
}

int pack_area_take(struct bytes *index, struct pack_area *area)
{
	uint64_t head = bytes_varint(index), plain = 0, crc = 0, blobs = 0;

	area->kind = (enum pack_area_kind)(head & 3);
	area->size = head >> 2;
	if (area->kind != PACK_DATA) {
		plain = bytes_varint(index);
		crc = bytes_varint(index);
		blobs = bytes_varint(index);
	}
	if (plain > PACK_BLOCK_MAX || crc > UINT32_MAX || blobs > plain)
		return -EBADMSG;
	area->plain_size = (uint32_t)plain;
	area->crc = (uint32_t)crc;
	area->blobs = (uint32_t)blobs;
	return index->bad ? -EBADMSG : 0;
}

static uint64_t stir(uint64_t state, uint64_t word, uint64_t factor)
{
	__uint128_t product = (__uint128_t)(state ^ word) * factor;

	return (uint64_t)product ^ (uint64_t)(product >> 64) ^ (state << 29 | state >> 35);
}

struct pack_digest pack_digest_of(const void *bytes, size_t size)
{
	struct pack_digest digest = {0x9E3779B97F4A7C15u ^ size, 0xC2B2AE3D27D4EB4Fu + size};
	const uint8_t *p = bytes;

	for (size_t left = size; left > 0;) {
		uint64_t word = 0;
		size_t part = left < sizeof(word) ? left : sizeof(word);

		memcpy(&word, p, part);
		digest.a = stir(digest.a, word, 0xD6E8FEB86659FD93u);
		digest.b = stir(digest.b, word, 0xA0761D6478BD642Fu);
		p += part;
		left -= part;
	}
	digest.a = stir(digest.a, digest.b, 0x9FB21C651E98DF25u);
	digest.b = stir(digest.b, digest.a, 0xE7037ED1A0B428DBu);
	return digest;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(pack_areas_round_trip)
{
	struct pack_area in = {PACK_WORDS, 1u << 20, 5u << 20, 0xfedcba98, 77}, out;
	struct pack_area data = {.kind = PACK_DATA, .size = 1ull << 50};
	uint8_t buffer[2 * PACK_AREA_ROOM];
	size_t size = pack_area_put(buffer, &in);
	struct bytes bytes;

	size += pack_area_put(buffer + size, &data);
	bytes = bytes_of(buffer, size);
	EXPECT_EQ(pack_area_take(&bytes, &out), 0);
	EXPECT(out.kind == in.kind && out.size == in.size && out.plain_size == in.plain_size);
	EXPECT(out.crc == in.crc && out.blobs == in.blobs);
	EXPECT_EQ(pack_area_take(&bytes, &out), 0);
	EXPECT(out.kind == PACK_DATA && out.size == data.size);
	EXPECT_EQ(pack_area_take(&bytes, &out), -EBADMSG);
}

TEST_CASE(pack_trailers_tell_where_the_index_is)
{
	struct pack_trailer trailer = {.index_offset = 132, .index_size = 10, .index_plain = 20};

	pack_trailer_seal(&trailer);
	EXPECT_EQ(pack_trailer_check(&trailer, 132 + 10 + 32), 0);
	EXPECT_EQ(pack_trailer_check(&trailer, 132 + 10 + 33), -ERANGE);
	EXPECT_EQ(pack_trailer_check(&trailer, 40), -ERANGE);
	trailer.index_size++;
	EXPECT_EQ(pack_trailer_check(&trailer, 132 + 11 + 32), -EBADMSG);
	trailer.index_plain = PACK_INDEX_MAX + 1;
	pack_trailer_seal(&trailer);
	EXPECT_EQ(pack_trailer_check(&trailer, 132 + 11 + 32), -EFBIG);
}

TEST_CASE(digests_tell_blobs_apart)
{
	uint8_t zeros[64] = {0};
	struct pack_digest before = pack_digest_of(zeros, 0);

	for (size_t size = 1; size <= sizeof(zeros); size++) {
		struct pack_digest digest = pack_digest_of(zeros, size);

		EXPECT(digest.a != before.a && digest.b != before.b);
		before = digest;
	}
	zeros[63] = 1;
	EXPECT(pack_digest_of(zeros, 64).a != before.a);
	EXPECT(pack_digest_of(zeros, 64).b != before.b);
}
#endif
