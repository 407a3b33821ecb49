/* SPDX-License-Identifier: MIT */
/* raw.c - see raw.h */
#include "format/raw.h"

bool raw_next(struct bytes *data, const struct raw_record **record)
{
	const struct raw_record *next = (const struct raw_record *)data->p;

	if (bytes_left(data) == 0)
		return false;
	if (bytes_left(data) < sizeof(*next) || next->size % 8 != 0 ||
	    next->arg_count > RECORD_MAX_ARGS ||
	    next->size < sizeof(*next) + next->arg_count * 8u || next->size > RECORD_MAX_SIZE ||
	    !bytes_take(data, next->size)) {
		bytes_fail(data);
		return false;
	}
	*record = next;
	return true;
}

void raw_describe(struct chunk_header *header, const uint8_t *records, size_t size, uint64_t t_base)
{
	header->encoding = DATA_RAW;
	header->body_size = header->plain_size = (uint32_t)size;
	header->carried = 0;
	header->t_base = t_base;
	header->t_min = UINT64_MAX;
	header->t_max = 0;
	for (size_t at = 0; at < size;) {
		const struct raw_record *record = (const void *)(records + at);

		header->carried += record->tstart < t_base;
		header->t_min = record->tstart < header->t_min ? record->tstart : header->t_min;
		header->t_max = record->tend > header->t_max ? record->tend : header->t_max;
		at += record->size;
	}
}

void raw_settle_run(uint8_t *data, size_t size, const struct ring_run run[2])
{
	struct bytes rest = bytes_of(data, size);
	const struct raw_record *record = NULL;
	struct raw_record *last;

	while (raw_next(&rest, &record))
		;
	if (!record || rest.bad || record->repeat < 2 || record->arg_count == 0 ||
	    run[record->repeat & 1].tend < record->tend)
		return;
	last = (struct raw_record *)(data + size - record->size);
	last->tend = run[last->repeat & 1].tend;
	last->args[last->arg_count - 1] = run[last->repeat & 1].busy;
}

uint32_t raw_in_place(const struct ring_header *ring, const uint8_t *behind, size_t size)
{
	const struct raw_record *next = (const void *)behind;
	struct bytes rest;

	if (ring->in_place != ring->published + RING_IN_PLACE || size < sizeof(*next))
		return 0;
	rest = bytes_of(behind, next->size < size ? next->size : size);
	return raw_next(&rest, &next) ? next->size : 0;
}

/* A block's head of `head` bytes at offset `value`; NULL if it is not all there. */
static const void *block_at(const struct raw_record *record, uint64_t value, size_t head)
{
	if (value < sizeof(*record) + record->arg_count * 8u || value % 8 != 0 ||
	    value > record->size || record->size - value < head)
		return NULL;
	return (const uint8_t *)record + value;
}

const struct string_block *raw_string(const struct raw_record *record, uint64_t value)
{
	const struct string_block *block = block_at(record, value, sizeof(*block));

	if (!block || block->stored > record->size - value - sizeof(*block) ||
	    block->stored > block->original)
		return NULL;
	return block;
}

const struct array_block *raw_array(const struct raw_record *record, uint64_t value)
{
	const struct array_block *block = block_at(record, value, sizeof(*block));

	if (!block || block->stored > (record->size - value - sizeof(*block)) / sizeof(int64_t) ||
	    block->stored > block->original)
		return NULL;
	return block;
}

static bool sum_is_right(const struct array_block *block)
{
	uint64_t sum = 0;

	if (block->stored != block->original)
		return true;
	for (uint32_t i = 0; i < block->stored; i++)
		sum += (uint64_t)block->elements[i];
	return sum == (uint64_t)block->sum;
}

bool raw_blocks_check(const struct raw_record *record, const uint8_t *classes)
{
	for (unsigned i = 0; i < record->arg_count; i++) {
		const struct array_block *array;

		if (record->args[i] <= BLOCK_UNREADABLE)
			continue;
		if (classes[i] == CLASS_STRING && !raw_string(record, record->args[i]))
			return false;
		if (classes[i] != CLASS_ARRAY)
			continue;
		array = raw_array(record, record->args[i]);
		if (!array || !sum_is_right(array))
			return false;
	}
	return true;
}

#ifdef UNIT_TEST
#include "unittest.h"

struct raw_sample {
	struct raw_record record;
	uint64_t args[1];
	uint32_t stored, original;
	char text[8];
};

static struct raw_sample raw_sample_make(void)
{
	return (struct raw_sample){
		.record = {.size = sizeof(struct raw_sample), .arg_count = 1},
		.args = {offsetof(struct raw_sample, stored)},
		.stored = 3,
		.original = 3,
		.text = "abc",
	};
}

TEST_CASE(raw_records_are_walked)
{
	struct raw_sample samples[2] = {raw_sample_make(), raw_sample_make()};
	struct bytes data = bytes_of(samples, sizeof(samples));
	const struct raw_record *record;
	const struct string_block *block;

	REQUIRE(raw_next(&data, &record));
	block = raw_string(record, record->args[0]);
	REQUIRE(block);
	EXPECT_MEM(block->bytes, "abc", 3);
	EXPECT(raw_next(&data, &record));
	EXPECT(!raw_next(&data, &record) && !data.bad);
	for (size_t cut = 1; cut < sizeof(samples[0]); cut++) {
		data = bytes_of(samples, cut);
		EXPECT(!raw_next(&data, &record) && data.bad);
	}
}

TEST_CASE(raw_runs_are_settled)
{
	struct raw_sample samples[2] = {raw_sample_make(), raw_sample_make()};
	const struct ring_run run[2] = {{.tend = 700, .busy = 70}, {.tend = 800, .busy = 80}};
	struct raw_record *last = (struct raw_record *)&samples[1];
	uint64_t before = last->tend;

	raw_settle_run((uint8_t *)samples, sizeof(samples), run);
	EXPECT_EQ(last->tend, before);
	last->repeat = 3;
	raw_settle_run((uint8_t *)samples, sizeof(samples), run);
	EXPECT_EQ(last->tend, 800);
	EXPECT_EQ(last->args[last->arg_count - 1], 80);
	last->repeat = 4; /* of another ring: a run does not become shorter */
	raw_settle_run((uint8_t *)samples, sizeof(samples), run);
	EXPECT_EQ(last->tend, 800);
}

TEST_CASE(raw_record_in_place)
{
	struct raw_sample samples[2] = {raw_sample_make(), raw_sample_make()};
	struct ring_header ring = {.published = 7ull << 32 | 64, .in_place = 7ull << 32 | 65};
	const uint8_t *behind = (const uint8_t *)samples;

	EXPECT_EQ(raw_in_place(&ring, behind, sizeof(samples)), sizeof(samples[0]));
	EXPECT_EQ(raw_in_place(&ring, behind, sizeof(samples[0])), sizeof(samples[0]));
	EXPECT_EQ(raw_in_place(&ring, behind, sizeof(samples[0]) - 1), 0);
	samples[0].record.size = 0;
	EXPECT_EQ(raw_in_place(&ring, behind, sizeof(samples)), 0);
	samples[0] = raw_sample_make();
	ring.published += sizeof(samples[0]); /* it has ended */
	EXPECT_EQ(raw_in_place(&ring, behind, sizeof(samples)), 0);
	ring = (struct ring_header){.published = 0}; /* of an earlier version */
	EXPECT_EQ(raw_in_place(&ring, behind, sizeof(samples)), 0);
}

TEST_CASE(raw_blocks_stay_inside)
{
	struct raw_sample sample = raw_sample_make();
	uint64_t bytes[sizeof(sample) / 8];
	const struct raw_record *record = (const void *)bytes;

	memcpy(bytes, &sample, sizeof(sample));
	EXPECT(!raw_string(record, BLOCK_ABSENT));
	EXPECT(!raw_string(record, 8));
	EXPECT(!raw_string(record, sizeof(sample)));
	EXPECT(!raw_string(record, UINT64_MAX - 7));
	EXPECT(!raw_array(record, sample.args[0]));
	EXPECT(raw_string(record, sample.args[0]));
	sample.stored = 9;
	memcpy(bytes, &sample, sizeof(sample));
	EXPECT(!raw_string(record, sample.args[0]));
}
#endif
