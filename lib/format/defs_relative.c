/* SPDX-License-Identifier: MIT */
/* defs_relative.c - see defs_relative.h */
#include "format/defs_relative.h"

#include <errno.h>
#include <string.h>

#include "format/defs.h"
#include "format/equal_bytes.h"

#define TYPES 32u     /* whose last entry is kept */
#define EQUAL_WORTH 4 /* equal bytes that are worth the end of a run of others */
#define STEP_MAX 4u   /* other bytes that may be a number which goes on; more are text */

/* The last entry of each type. */
struct earlier {
	const uint8_t *payload[TYPES];
	uint32_t size[TYPES];
};

/* The payload before of this type, and its size; 0 without. */
static const uint8_t *find_earlier(const struct earlier *earlier, unsigned type, uint32_t *size)
{
	*size = type < TYPES ? earlier->size[type] : 0;
	return type < TYPES ? earlier->payload[type] : NULL;
}

static void keep_earlier(struct earlier *earlier, unsigned type, const uint8_t *payload,
			 uint32_t size)
{
	if (type < TYPES) {
		earlier->payload[type] = payload;
		earlier->size[type] = size;
	}
}

/* ---- packing ---- */

/* Bytes from `at` on that differ, with equal ones between that are too few to matter. */
static uint32_t other_bytes(const uint8_t *payload, uint32_t size, const uint8_t *before,
			    uint32_t before_size, uint32_t at)
{
	uint32_t begin = at, end = size < before_size ? size : before_size;

	while (at < end) {
		uint32_t equal;

		if (payload[at] != before[at]) {
			at++;
			continue;
		}
		equal = (uint32_t)equal_bytes(payload + at, before + at, end - at);
		if (equal >= EQUAL_WORTH || at + equal == size)
			return at - begin;
		at += equal;
	}
	return size - begin;
}

/* Text is worth more as it is: deflate finds it again. */
static void put_others(const uint8_t *payload, uint32_t at, uint32_t others, const uint8_t *before,
		       uint32_t before_size, struct varints *words)
{
	if (others > STEP_MAX) {
		varints_put(words, 0);
		varints_put(words, others);
		varints_bytes(words, payload + at, others);
		return;
	}
	varints_put(words, others);
	for (; others > 0; others--, at++)
		varints_byte(words, (uint8_t)(payload[at] - (at < before_size ? before[at] : 0)));
}

static void put_payload(const uint8_t *payload, uint32_t size, const uint8_t *before,
			uint32_t before_size, struct varints *words)
{
	uint32_t common = size < before_size ? size : before_size;

	for (uint32_t at = 0; at < size;) {
		uint32_t equal = 0, others;

		if (at < common)
			equal = (uint32_t)equal_bytes(payload + at, before + at, common - at);

		varints_put(words, equal);
		at += equal;
		if (at == size)
			break;
		others = other_bytes(payload, size, before, before_size, at);
		put_others(payload, at, others, before, before_size, words);
		at += others;
	}
}

size_t defs_relative_bound(size_t size)
{
	/* an entry has 16 bytes or more; a pair of counts is worth as many bytes, but for the first ones */
	return size + size + 64;
}

/* Entries are walked twice: first for the size that they have without padding. */
static uint32_t size_without_padding(struct bytes entries, uint32_t *count)
{
	struct def_entry entry;
	size_t size = 0;

	for (*count = 0; def_entry_next(&entries, &entry);)
		if (entry.type != DEF_PADDING) {
			size += def_entry_size(bytes_left(&entry.payload));
			++*count;
		}
	return (uint32_t)size;
}

uint32_t defs_relative_pack(const uint8_t *entries, uint32_t size, struct varints *words)
{
	struct bytes left = bytes_of(entries, size);
	struct earlier earlier = {{NULL}, {0}};
	struct def_entry entry;
	uint32_t count;

	varints_put(words, size_without_padding(left, &count));
	while (def_entry_next(&left, &entry)) {
		uint32_t before_size, payload_size = (uint32_t)bytes_left(&entry.payload);
		const uint8_t *before = find_earlier(&earlier, entry.type, &before_size);

		if (entry.type == DEF_PADDING)
			continue;
		varints_put(words, entry.type);
		varints_put(words, payload_size);
		put_payload(entry.payload.p, payload_size, before, before_size, words);
		keep_earlier(&earlier, entry.type, entry.payload.p, payload_size);
	}
	return count;
}

/* ---- unpacking ---- */

uint32_t defs_relative_size(struct bytes *words)
{
	uint64_t size = bytes_varint(words);

	return words->bad || size > DEFS_RELATIVE_MAX || size % 8 ? UINT32_MAX : (uint32_t)size;
}

static bool take_equal(struct bytes *words, uint8_t *payload, uint32_t size, const uint8_t *before,
		       uint32_t before_size, uint32_t *at)
{
	uint64_t equal = bytes_varint(words);

	if (words->bad || equal > size - *at || (equal > 0 && *at + equal > before_size))
		return false;
	if (equal)
		memcpy(payload + *at, before + *at, equal);
	*at += (uint32_t)equal;
	return true;
}

static bool take_others(struct bytes *words, uint8_t *payload, uint32_t size, const uint8_t *before,
			uint32_t before_size, uint32_t *at)
{
	uint64_t others = bytes_varint(words);
	bool plain = others == 0;
	const uint8_t *bytes;

	if (plain)
		others = bytes_varint(words);
	if (words->bad || others == 0 || others > size - *at)
		return false;
	bytes = bytes_take(words, others);
	if (!bytes)
		return false;
	for (uint64_t i = 0; i < others; i++, ++*at)
		payload[*at] =
			(uint8_t)(bytes[i] + (!plain && *at < before_size ? before[*at] : 0));
	return true;
}

static bool take_payload(struct bytes *words, uint8_t *payload, uint32_t size,
			 const uint8_t *before, uint32_t before_size)
{
	for (uint32_t at = 0; at < size;) {
		if (!take_equal(words, payload, size, before, before_size, &at))
			return false;
		if (at < size && !take_others(words, payload, size, before, before_size, &at))
			return false;
	}
	return true;
}

int defs_relative_unpack(struct bytes *words, uint8_t *entries, uint32_t size)
{
	struct earlier earlier = {{NULL}, {0}};
	uint32_t at = 0;

	if (size)
		memset(entries, 0, size);
	while (at < size) {
		uint64_t type = bytes_varint(words), payload_size = bytes_varint(words);
		struct def_header header = {(uint32_t)payload_size, (uint16_t)type, 0};
		uint8_t *payload = entries + at + sizeof(header);
		const uint8_t *before;
		uint32_t before_size;

		if (words->bad || type > UINT16_MAX || payload_size > size ||
		    def_entry_size(payload_size) > size - at)
			return -EBADMSG;
		memcpy(entries + at, &header, sizeof(header));
		before = find_earlier(&earlier, header.type, &before_size);
		if (!take_payload(words, payload, header.size, before, before_size))
			return -EBADMSG;
		keep_earlier(&earlier, header.type, payload, header.size);
		at += (uint32_t)def_entry_size(header.size);
	}
	return bytes_left(words) == 0 && !words->bad ? 0 : -EBADMSG;
}

#ifdef UNIT_TEST
#include "unittest.h"

#define RELATIVE_TEST_ENTRIES 100u

static uint8_t relative_test_entries[RELATIVE_TEST_ENTRIES * 64];
static uint8_t relative_test_words[2 * sizeof(relative_test_entries) + 64];
static uint8_t relative_test_again[sizeof(relative_test_entries)];

/* Names that count on, some cut, some padding. */
static uint32_t relative_test_fill(void)
{
	uint32_t size = 0;

	for (unsigned i = 0; i < RELATIVE_TEST_ENTRIES; i++) {
		char name[32] = "a name that counts on ........";

		name[24] = (char)('0' + i / 10);
		name[25] = (char)('0' + i % 10);
		size += (uint32_t)def_entry_pack(relative_test_entries + size, 64,
						 (enum def_type)(i % 7 == 6 ? 40 : 2 + i % 2), name,
						 20 + i % 11);
	}
	return size;
}

TEST_CASE(defs_relative_round_trip)
{
	uint32_t size = relative_test_fill();
	struct varints words = varints_in(relative_test_words, defs_relative_bound(size));
	struct bytes in;

	EXPECT_EQ(defs_relative_pack(relative_test_entries, size, &words), RELATIVE_TEST_ENTRIES);
	REQUIRE(!words.full);
	in = bytes_of(relative_test_words, (size_t)(words.p - relative_test_words));
	EXPECT(bytes_left(&in) < size / 2);
	REQUIRE(defs_relative_size(&in) == size);
	REQUIRE(defs_relative_unpack(&in, relative_test_again, size) == 0);
	EXPECT_MEM(relative_test_again, relative_test_entries, size);
}

TEST_CASE(defs_relative_leaves_out_padding)
{
	struct def_header padding = {24, DEF_PADDING, 0};
	struct varints words = varints_in(relative_test_words, sizeof(relative_test_words));
	struct bytes in;

	memset(relative_test_entries, 0, 64);
	memcpy(relative_test_entries, &padding, sizeof(padding));
	def_entry_pack(relative_test_entries + 32, 32, DEF_STRING, "text", 4);
	EXPECT_EQ(defs_relative_pack(relative_test_entries, 48, &words), 1);
	in = bytes_of(relative_test_words, (size_t)(words.p - relative_test_words));
	EXPECT_EQ(defs_relative_size(&in), 16);
	EXPECT_EQ(defs_relative_unpack(&in, relative_test_again, 16), 0);
	EXPECT_MEM(relative_test_again, relative_test_entries + 32, 16);
}

TEST_CASE(defs_relative_broken)
{
	uint32_t size = relative_test_fill();
	struct varints words = varints_in(relative_test_words, sizeof(relative_test_words));
	size_t words_size;

	defs_relative_pack(relative_test_entries, size, &words);
	words_size = (size_t)(words.p - relative_test_words);
	for (size_t cut = 2; cut < words_size; cut++) {
		struct bytes in = bytes_of(relative_test_words, cut);

		EXPECT_EQ(defs_relative_size(&in), size);
		EXPECT_EQ(defs_relative_unpack(&in, relative_test_again, size), -EBADMSG);
	}
	for (size_t at = 2; at < words_size; at++) {
		struct bytes in = bytes_of(relative_test_words, words_size);

		relative_test_words[at] ^= (uint8_t)(1 << at % 8);
		if (defs_relative_size(&in) == size)
			defs_relative_unpack(&in, relative_test_again, size);
		relative_test_words[at] ^= (uint8_t)(1 << at % 8);
	}
}
#endif
