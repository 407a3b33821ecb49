/* SPDX-License-Identifier: MIT */
/* pack_numbers.c - see pack_numbers.h */
#include "format/pack_numbers.h"

#include <errno.h>

/* What a code says; a larger one is a difference, zigzag, beyond FIRST. */
enum code { ZEROS, AGAIN, BEFORE, WORD, FIRST };

static void note(uint64_t last[2], uint64_t difference)
{
	if (difference == last[0])
		return;
	last[1] = last[0];
	last[0] = difference;
}

static void put_zeros(struct pack_writer *writer, struct varints *out)
{
	if (writer->zeros == 0)
		return;
	varints_put(out, ZEROS);
	varints_put(out, writer->zeros - 1);
	writer->zeros = 0;
}

void pack_number_put(struct pack_writer *writer, uint64_t difference, struct varints *out)
{
	uint64_t code = zigzag((int64_t)difference);

	if (difference == 0) {
		writer->zeros++;
		return;
	}
	put_zeros(writer, out);
	if (difference == writer->last[0]) {
		varints_put(out, AGAIN);
	} else if (difference == writer->last[1]) {
		varints_put(out, BEFORE);
	} else if (code > UINT64_MAX >> 2) {
		varints_put(out, WORD);
		varints_bytes(out, &difference, sizeof(difference));
	} else {
		varints_put(out, code + FIRST);
	}
	note(writer->last, difference);
}

uint64_t pack_number_take(struct pack_numbers *numbers)
{
	uint64_t code, difference;

	if (numbers->zeros > 0) {
		numbers->zeros--;
		return 0;
	}
	if (bytes_left(&numbers->in) == 0)
		return 0;
	code = bytes_varint(&numbers->in);
	switch (code) {
	case ZEROS:
		numbers->zeros = bytes_varint(&numbers->in);
		return 0;
	case AGAIN:
		return numbers->last[0];
	case BEFORE:
		difference = numbers->last[1];
		break;
	case WORD:
		difference = bytes_u64(&numbers->in);
		break;
	default:
		difference = (uint64_t)unzigzag(code - FIRST);
		break;
	}
	note(numbers->last, difference);
	return difference;
}

bool pack_numbers_ended(const struct pack_numbers *numbers)
{
	return !numbers->in.bad && bytes_left(&numbers->in) == 0 && numbers->zeros == 0;
}

int pack_numbers_read(struct bytes in, const uint64_t *base, uint64_t *numbers, size_t count)
{
	struct pack_numbers list = pack_numbers_of(in);

	for (size_t i = 0; i < count; i++)
		numbers[i] = base[i] + pack_number_take(&list);
	return pack_numbers_ended(&list) ? 0 : -EBADMSG;
}

int pack_times_read(struct bytes in, const uint64_t *base, const uint8_t *clocks, uint64_t *times,
		    size_t count)
{
	struct pack_numbers list = pack_numbers_of(in);
	uint64_t off[PACK_CLOCKS] = {0};

	for (size_t i = 0; i < count; i++) {
		unsigned clock = clocks[i];

		if (clock >= PACK_CLOCKS)
			return -EBADMSG;
		off[clock] = (clock == PACK_SIZE ? 0 : off[clock]) + pack_number_take(&list);
		times[i] = base[i] + off[clock];
	}
	return pack_numbers_ended(&list) ? 0 : -EBADMSG;
}

void pack_numbers_write(const uint64_t *base, const uint64_t *numbers, size_t count,
			struct varints *out)
{
	struct pack_writer writer = {0};

	for (size_t i = 0; i < count; i++)
		pack_number_put(&writer, numbers[i] - base[i], out);
}

void pack_times_write(const uint64_t *base, const uint8_t *clocks, const uint64_t *times,
		      size_t count, struct varints *out)
{
	struct pack_writer writer = {0};
	uint64_t off[PACK_CLOCKS] = {0};

	for (size_t i = 0; i < count; i++) {
		uint64_t now = times[i] - base[i];
		uint64_t before = clocks[i] == PACK_SIZE ? 0 : off[clocks[i]];

		pack_number_put(&writer, now - before, out);
		off[clocks[i]] = now;
	}
}

#ifdef UNIT_TEST
#include "unittest.h"

#define COUNT 12u

TEST_CASE(packed_numbers_round_trip)
{
	static const uint64_t base[COUNT] = {5, 5, 5, 100, 200, 300, 7, 8, UINT64_MAX, 0, 1, 2};
	static const uint64_t numbers[COUNT] = {5,    5, 4, 1100,           1200, 299,
						1007, 8, 0, UINT64_MAX / 2, 1,    2};
	static const uint8_t clocks[COUNT] = {0, 1, 2, 0, 1, 2, 3, 3, 0, 0, 1, 2};
	uint8_t buffer[COUNT * PACK_NUMBER_ROOM];
	struct varints out = varints_in(buffer, sizeof(buffer));
	uint64_t back[COUNT];
	size_t size;

	pack_numbers_write(base, numbers, COUNT, &out);
	size = (size_t)(out.p - buffer);
	EXPECT_EQ(pack_numbers_read(bytes_of(buffer, size), base, back, COUNT), 0);
	EXPECT_MEM(back, numbers, sizeof(back));
	EXPECT_EQ(pack_numbers_read(bytes_of(buffer, size), base, back, COUNT - 4), -EBADMSG);
	out = varints_in(buffer, sizeof(buffer));
	pack_times_write(base, clocks, numbers, COUNT, &out);
	size = (size_t)(out.p - buffer);
	EXPECT_EQ(pack_times_read(bytes_of(buffer, size), base, clocks, back, COUNT), 0);
	EXPECT_MEM(back, numbers, sizeof(back));
	out = varints_in(buffer, sizeof(buffer));
	pack_times_write(base, clocks, base, COUNT, &out);
	EXPECT(out.p == buffer);
}

TEST_CASE(packed_numbers_that_end_early_are_refused)
{
	static const uint64_t base[2];
	uint64_t back[2];

	EXPECT_EQ(pack_numbers_read(bytes_of("\0\1", 2), base, back, 2), 0);
	EXPECT_EQ(pack_numbers_read(bytes_of("\0\2", 2), base, back, 2), -EBADMSG);
	EXPECT_EQ(pack_numbers_read(bytes_of("\3\1\2", 3), base, back, 2), -EBADMSG);
	EXPECT_EQ(pack_numbers_read(bytes_of("\5\5\5", 3), base, back, 2), -EBADMSG);
}
#endif
