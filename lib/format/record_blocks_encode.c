/* SPDX-License-Identifier: MIT */
/* record_blocks_encode.c - see record_blocks_encode.h */
#include "format/record_blocks_encode.h"

#include <stdbool.h>

#include "format/counting.h"
#include "format/signature.h"
#include "format/wire.h"

#define LOOK_BACK 8u     /* strings, or arrays, that one is compared with */
#define FEW_ELEMENTS 64u /* of arrays that are compared with all of these element by element */

/* ---- which one it is like ---- */

/* A string, and where its last number lies. */
struct counted {
	const struct string_block *string;
	struct counting_place number;
};

/* Whether a string is another one with a number that is *step larger. */
static bool string_goes_on(const void *before, const void *counted, uint64_t *step)
{
	const struct counted *to = counted;
	const struct string_block *from = before, *string = to->string;

	if (from->stored != string->stored || from->original != string->original)
		return false;
	*step = counting_step(from->bytes, string->bytes, string->stored, to->number);
	return *step > 0;
}

static bool same_size(const struct array_block *a, const struct array_block *b)
{
	return a->stored == b->stored && a->original == b->original;
}

/* How much larger an element is than that of the other one, modulo 2^64. */
static uint64_t difference(const struct array_block *from, const struct array_block *array,
			   uint32_t i)
{
	return (uint64_t)array->elements[i] - (uint64_t)from->elements[i];
}

/* Whether all elements are *step larger than those of the other one, those that are not stored as well. */
static bool array_goes_on(const void *before, const void *block, uint64_t *step)
{
	const struct array_block *from = before, *array = block;

	if (!same_size(from, array) || !array->stored)
		return false;
	*step = difference(from, array, 0);
	for (uint32_t i = 1; i < array->stored; i++)
		if (difference(from, array, i) != *step)
			return false;
	return (uint64_t)array->sum - (uint64_t)from->sum == *step * array->original;
}

/* How many blocks before there is one from which this one goes on, 0 none. *back is tried first: the distance of the last one for which there was one. */
static inline uint32_t find_before(const struct interner *blocks, uint32_t index, const void *what,
				   bool (*goes_on)(const void *, const void *, uint64_t *),
				   uint32_t *back, uint64_t *step)
{
	const struct interned *block = &blocks->list[index];

	if (*back <= index && goes_on((block - *back)->bytes, what, step))
		return *back;
	for (uint32_t i = 1; i <= LOOK_BACK && i <= index; i++)
		if (goes_on((block - i)->bytes, what, step))
			return *back = i;
	return 0;
}

static uint32_t find_counted(const struct interner *strings, uint32_t index, uint32_t *back,
			     uint64_t *step)
{
	const struct string_block *string = strings->list[index].bytes;
	struct counted counted = {string, counting_find(string->bytes, string->stored)};

	if (counted.number.begin == counted.number.end)
		return 0;
	return find_before(strings, index, &counted, string_goes_on, back, step);
}

/* How many elements are others than those of the other one, if they are fewer than `limit`; else that, as for one of another size, or with others among the elements that are not stored. */
static unsigned other_elements(const struct array_block *from, const struct array_block *array,
			       unsigned limit)
{
	uint64_t sum = 0;
	unsigned others = 0;

	if (!same_size(from, array))
		return limit;
	for (uint32_t i = 0; i < array->stored && others < limit; i++) {
		sum += difference(from, array, i);
		others += difference(from, array, i) != 0;
	}
	return sum == (uint64_t)array->sum - (uint64_t)from->sum ? others : limit;
}

/* The last array that one was like. */
struct alike {
	uint32_t back;   /* so many arrays before it */
	unsigned others; /* elements that differed */
};

/* How many arrays before there is one that has at least half of its elements in common with this one, 0 none. The distance of the last time is taken if it is as good as it was. */
static uint32_t find_alike(const struct interner *arrays, uint32_t index, struct alike *alike)
{
	const struct interned *list = &arrays->list[index];
	const struct array_block *array = list->bytes;
	uint32_t most = array->stored <= FEW_ELEMENTS ? LOOK_BACK : 0, found = 0;
	unsigned least = array->stored / 2 + 1, others;

	if (alike->back <= index) {
		others = other_elements((list - alike->back)->bytes, array, least);
		if (others < least) {
			least = others;
			found = alike->back;
		}
	}
	for (uint32_t i = 1; i <= most && i <= index && !(found && least <= alike->others); i++) {
		others = other_elements((list - i)->bytes, array, least);
		if (others < least) {
			least = others;
			found = i;
		}
	}
	if (found)
		*alike = (struct alike){found, least};
	return found;
}

/* ---- strings ---- */

static uint32_t common_begin(const struct string_block *a, const struct string_block *b)
{
	uint32_t least = a->stored < b->stored ? a->stored : b->stored, i = 0;

	while (i < least && a->bytes[i] == b->bytes[i])
		i++;
	return i;
}

void record_blocks_put_strings(struct varints *words, const struct interner *strings)
{
	uint32_t back = 1;

	varints_put(words, strings->count);
	for (uint32_t i = 0; i < strings->count; i++) {
		const struct string_block *string = strings->list[i].bytes;
		uint64_t step;
		uint32_t same, found = find_counted(strings, i, &back, &step);

		varints_put(words, found ? found : i > 0);
		if (found) {
			varints_put(words, 0);
			varints_put(words, step);
			continue;
		}
		same = i ? common_begin(strings->list[i - 1].bytes, string) : 0;
		varints_put(words, same + 1);
		varints_put(words, string->stored);
		varints_put(words, string->original - string->stored);
		varints_bytes(words, string->bytes + same, string->stored - same);
	}
}

/* ---- arrays ---- */

/* As it is. */
static void put_array(struct varints *words, const struct array_block *array)
{
	uint64_t before = 0;

	varints_put(words, array->stored);
	varints_put(words, array->original - array->stored);
	if (array->original != array->stored)
		varints_put_signed(words, array->sum);
	for (uint32_t i = 0; i < array->stored; i++) {
		varints_put_signed(words, (int64_t)((uint64_t)array->elements[i] - before));
		before = (uint64_t)array->elements[i];
	}
}

/* All elements a step larger than those of the array `back` before. */
static void put_step(struct varints *words, uint32_t back, uint64_t step)
{
	varints_put(words, ELEMENTS_MAX + back);
	varints_put_signed(words, (int64_t)step);
}

/* Each element by its own step. */
static void put_steps(struct varints *words, uint32_t back, const struct array_block *from,
		      const struct array_block *array)
{
	put_step(words, back, 0);
	varints_put(words, array->stored);
	for (uint32_t i = 0; i < array->stored; i++)
		varints_put_signed(words, (int64_t)difference(from, array, i));
}

void record_blocks_put_arrays(struct varints *words, const struct interner *arrays)
{
	struct alike alike = {1, 0};
	uint32_t back = 1;

	varints_put(words, arrays->count);
	for (uint32_t i = 0; i < arrays->count; i++) {
		const struct interned *array = &arrays->list[i];
		uint64_t step;
		uint32_t found = find_before(arrays, i, array->bytes, array_goes_on, &back, &step);

		if (found) {
			put_step(words, found, step);
			continue;
		}
		found = find_alike(arrays, i, &alike);
		if (found)
			put_steps(words, found, (array - found)->bytes, array->bytes);
		else
			put_array(words, array->bytes);
	}
}

#ifdef UNIT_TEST
#include "unittest.h"

#include "format/record_blocks.h"

#define BLOCKS_TEST_COUNT 300u
#define BLOCKS_TEST_ELEMENTS 4u

struct blocks_test_status {
	struct array_block block;
	int64_t elements[BLOCKS_TEST_ELEMENTS];
};

static struct blocks_test_status blocks_test_statuses[BLOCKS_TEST_COUNT];
static uint8_t blocks_test_words[BLOCKS_TEST_COUNT * 64];

/* Statuses of messages from three sources, whose tag is that of the turn; every `cut`th lacks elements. */
static void blocks_test_fill(unsigned cut)
{
	for (uint32_t i = 0; i < BLOCKS_TEST_COUNT; i++) {
		struct blocks_test_status *status = &blocks_test_statuses[i];
		uint32_t original = BLOCKS_TEST_ELEMENTS + (cut && i % cut == 0);

		*status = (struct blocks_test_status){
			.block = {.stored = BLOCKS_TEST_ELEMENTS, .original = original}};
		status->elements[0] = i % 3;
		status->elements[1] = i / 3;
		status->elements[2] = 800;
		status->block.sum = i % 3 + i / 3 + 800 + (original > BLOCKS_TEST_ELEMENTS ? i : 0);
	}
}

/* The words of them, and their size; 0: they cannot be interned. */
static size_t blocks_test_put(void)
{
	static _Alignas(16) uint8_t memory[1 << 16];
	struct interner arrays;
	struct varints words = varints_in(blocks_test_words, sizeof(blocks_test_words));

	if (interner_size(BLOCKS_TEST_COUNT) > sizeof(memory))
		return 0;
	interner_init(&arrays, memory, BLOCKS_TEST_COUNT);
	for (uint32_t i = 0; i < BLOCKS_TEST_COUNT; i++)
		if (interner_find(&arrays, &blocks_test_statuses[i],
				  sizeof(*blocks_test_statuses)) != i)
			return 0;
	varints_put(&words, 0); /* strings */
	record_blocks_put_arrays(&words, &arrays);
	return words.full ? 0 : (size_t)(words.p - blocks_test_words);
}

static void blocks_test_read(size_t size)
{
	static _Alignas(16) uint8_t memory[1 << 18];
	struct bytes words = bytes_of(blocks_test_words, size);
	struct bump bump = {memory, sizeof(memory)};
	struct record_blocks blocks;

	REQUIRE(record_blocks_read(&blocks, &words, &bump) == 0);
	REQUIRE(blocks.array_count == BLOCKS_TEST_COUNT && bytes_left(&words) == 0);
	for (uint32_t i = 0; i < BLOCKS_TEST_COUNT; i++) {
		const struct array_block *block = &blocks_test_statuses[i].block;
		const struct decoded_array *array = record_blocks_array(&blocks, FIELD_BLOCKS + i);

		EXPECT_EQ(array->stored, block->stored);
		EXPECT_EQ(array->original, block->original);
		EXPECT_EQ(array->sum, block->sum);
		EXPECT_MEM(array->elements, block->elements,
			   sizeof(blocks_test_statuses->elements));
	}
}

TEST_CASE(record_blocks_arrays_round_trip)
{
	for (unsigned cut = 0; cut < 9; cut++) {
		size_t size;

		blocks_test_fill(cut);
		size = blocks_test_put();
		REQUIRE(size > 0);
		blocks_test_read(size);
	}
}

/* All are told alike, so that deflate leaves little of them. */
TEST_CASE(record_blocks_statuses_count_on)
{
	const uint32_t each =
		8; /* two bytes of ELEMENTS_MAX and back, 0, the count, and the steps */
	size_t size;

	blocks_test_fill(0);
	size = blocks_test_put();
	REQUIRE(size > each * BLOCKS_TEST_COUNT / 2);
	for (size_t at = size / 2; at < size; at++)
		EXPECT_EQ(blocks_test_words[at], blocks_test_words[at - each]);
}
#endif
