/* SPDX-License-Identifier: MIT */
/* record_blocks.c - see record_blocks.h */
#include "format/record_blocks.h"

#include <errno.h>

#include "format/counting.h"
#include "format/lists.h"
#include "format/signature.h"
#include "format/varint.h"

#define TEXT_MAX (64u << 20) /* all strings, or all arrays, of a chunk */

/* One that is another one with a larger number. */
static int count_on(struct record_blocks *blocks, const struct decoded_string *from,
		    struct decoded_string *string)
{
	uint64_t step = bytes_varint(blocks->words);
	uint8_t *bytes;

	if (!from || blocks->words->bad)
		return -EBADMSG;
	bytes = bump_take(blocks->bump, (size_t)from->stored + 1, 1);
	if (!bytes)
		return -ENOBUFS;
	memcpy(bytes, from->bytes, from->stored);
	bytes[from->stored] = 0;
	*string = (struct decoded_string){bytes, from->stored, from->original};
	return counting_add(bytes, from->stored, step) ? 0 : -EBADMSG;
}

/* One that begins with `same` bytes of another one. */
static int read_new(struct record_blocks *blocks, const struct decoded_string *from, uint64_t same,
		    struct decoded_string *string)
{
	uint64_t stored = bytes_varint(blocks->words), more = bytes_varint(blocks->words);
	const uint8_t *rest;
	uint8_t *bytes;

	if (blocks->words->bad || stored > RECORD_MAX_SIZE || more > UINT32_MAX - stored ||
	    same > stored || same > (from ? from->stored : 0))
		return -EBADMSG;
	rest = bytes_take(blocks->words, stored - same);
	if (!rest)
		return -EBADMSG;
	bytes = bump_take(blocks->bump, stored + 1, 1);
	if (!bytes)
		return -ENOBUFS;
	if (same)
		memcpy(bytes, from->bytes, same);
	memcpy(bytes + same, rest, stored - same);
	bytes[stored] = 0;
	*string = (struct decoded_string){bytes, (uint32_t)stored, (uint32_t)(stored + more)};
	return 0;
}

static int read_string(struct record_blocks *blocks, uint32_t index)
{
	uint64_t back = bytes_varint(blocks->words), how = bytes_varint(blocks->words);
	struct decoded_string *string = &blocks->strings[index];
	const struct decoded_string *from;

	if (blocks->words->bad || back > index)
		return -EBADMSG;
	from = back ? string - back : NULL;
	return how ? read_new(blocks, from, how - 1, string) : count_on(blocks, from, string);
}

static int read_strings(struct record_blocks *blocks)
{
	uint64_t total = 0;

	blocks->string_count = lists_take_count(blocks->words, UINT32_MAX - FIELD_BLOCKS);
	blocks->strings = bump_take(blocks->bump, blocks->string_count, sizeof(*blocks->strings));
	if (!blocks->strings)
		return -ENOBUFS;
	for (uint32_t i = 0; i < blocks->string_count; i++) {
		int error = read_string(blocks, i);

		if (error)
			return error;
		total += blocks->strings[i].stored;
		if (total > TEXT_MAX)
			return -EBADMSG;
	}
	return 0;
}

/* The elements of one that is another one with larger ones, by one step or, if that is 0, each by its own; and the sum of all. False: that is not told. */
static bool read_steps(struct bytes *words, const struct decoded_array *from, int64_t *elements,
		       int64_t *sum)
{
	uint64_t step = (uint64_t)bytes_svarint(words);
	uint64_t total = (uint64_t)from->sum + step * (from->original - from->stored);
	bool each = step == 0;

	if (each && bytes_varint(words) != from->stored)
		return false;
	for (uint32_t i = 0; i < from->stored; i++) {
		if (each)
			step = (uint64_t)bytes_svarint(words);
		elements[i] = (int64_t)((uint64_t)from->elements[i] + step);
		total += step;
	}
	*sum = (int64_t)total;
	return !words->bad;
}

static int step_on(struct record_blocks *blocks, const struct decoded_array *from,
		   struct decoded_array *array)
{
	int64_t *elements = bump_take(blocks->bump, from->stored, sizeof(*elements));

	if (!elements)
		return -ENOBUFS;
	*array = (struct decoded_array){.stored = from->stored,
					.original = from->original,
					.elements = elements};
	return read_steps(blocks->words, from, elements, &array->sum) ? 0 : -EBADMSG;
}

static int read_elements(struct record_blocks *blocks, uint64_t stored, struct decoded_array *array)
{
	uint64_t more = bytes_varint(blocks->words), element = 0, sum = 0;
	int64_t *elements;

	if (blocks->words->bad || more > UINT32_MAX - stored)
		return -EBADMSG;
	elements = bump_take(blocks->bump, stored, sizeof(*elements));
	if (!elements)
		return -ENOBUFS;
	array->sum = more ? bytes_svarint(blocks->words) : 0;
	for (uint64_t i = 0; i < stored; i++) {
		element += (uint64_t)bytes_svarint(blocks->words);
		sum += element;
		elements[i] = (int64_t)element;
	}
	if (!more)
		array->sum = (int64_t)sum;
	array->stored = (uint32_t)stored;
	array->original = (uint32_t)(stored + more);
	array->elements = elements;
	return blocks->words->bad ? -EBADMSG : 0;
}

static int read_array(struct record_blocks *blocks, uint32_t index)
{
	uint64_t stored = bytes_varint(blocks->words);
	struct decoded_array *array = &blocks->arrays[index];

	if (stored <= ELEMENTS_MAX)
		return read_elements(blocks, stored, array);
	if (stored - ELEMENTS_MAX > index)
		return -EBADMSG;
	return step_on(blocks, array - (stored - ELEMENTS_MAX), array);
}

static int read_arrays(struct record_blocks *blocks)
{
	uint64_t total = 0;

	blocks->array_count = lists_take_count(blocks->words, UINT32_MAX - FIELD_BLOCKS);
	blocks->arrays = bump_take(blocks->bump, blocks->array_count, sizeof(*blocks->arrays));
	if (!blocks->arrays)
		return -ENOBUFS;
	for (uint32_t i = 0; i < blocks->array_count; i++) {
		int error = read_array(blocks, i);

		if (error)
			return error;
		total += blocks->arrays[i].stored * 8ull;
		if (total > TEXT_MAX)
			return -EBADMSG;
	}
	return 0;
}

/* Room for a block at the end of the record, of `size` bytes; NULL if the record gets too long. */
static void *add_block(struct raw_record *record, uint64_t size)
{
	uint32_t offset = record->size;

	if (size > DECODED_RECORD_MAX - offset)
		return NULL;
	record->size += (uint32_t)size;
	memset((uint8_t *)record + record->size - 8, 0, 8);
	return (uint8_t *)record + offset;
}

/* Bytes behind which the next block can begin. The zero behind a string is no part of the raw form, whose size is limited. */
static uint64_t size_of_string(const struct decoded_string *string, uint32_t *excess)
{
	*excess += string->stored % 8 == 0 ? 8 : 0;
	return (sizeof(struct string_block) + (uint64_t)string->stored + 8) & ~7ull;
}

static uint64_t size_of_array(const struct decoded_array *array)
{
	return sizeof(struct array_block) + array->stored * 8ull;
}

static uint64_t add_string(struct record_blocks *blocks, struct raw_record *record,
			   const struct decoded_string *string)
{
	struct string_block *block = add_block(record, size_of_string(string, &blocks->excess));

	if (!block) {
		blocks->bad = true;
		return BLOCK_UNREADABLE;
	}
	block->stored = string->stored;
	block->original = string->original;
	memcpy(block->bytes, string->bytes, string->stored);
	return (uint64_t)((uint8_t *)block - (uint8_t *)record);
}

static uint64_t add_array(struct record_blocks *blocks, struct raw_record *record,
			  const struct decoded_array *array)
{
	struct array_block *block = add_block(record, size_of_array(array));

	if (!block) {
		blocks->bad = true;
		return BLOCK_UNREADABLE;
	}
	block->stored = array->stored;
	block->original = array->original;
	block->sum = array->sum;
	memcpy(block->elements, array->elements, array->stored * sizeof(int64_t));
	return (uint64_t)((uint8_t *)block - (uint8_t *)record);
}

int record_blocks_read(struct record_blocks *blocks, struct bytes *words, struct bump *bump)
{
	int error;

	*blocks = (struct record_blocks){.words = words, .bump = bump};
	error = read_strings(blocks);
	return error ? error : read_arrays(blocks);
}

bool record_blocks_has(const struct record_blocks *blocks, bool array, uint64_t value)
{
	return value <= BLOCK_UNREADABLE ||
	       value - FIELD_BLOCKS < (array ? blocks->array_count : blocks->string_count);
}

const struct decoded_string *record_blocks_string(const struct record_blocks *blocks,
						  uint64_t value)
{
	return &blocks->strings[value - FIELD_BLOCKS];
}

const struct decoded_array *record_blocks_array(const struct record_blocks *blocks, uint64_t value)
{
	return &blocks->arrays[value - FIELD_BLOCKS];
}

uint32_t record_blocks_size(const struct record_blocks *blocks, bool array, uint64_t value,
			    uint32_t *excess)
{
	if (value <= BLOCK_UNREADABLE)
		return 0;
	if (array)
		return (uint32_t)size_of_array(record_blocks_array(blocks, value));
	return (uint32_t)size_of_string(record_blocks_string(blocks, value), excess);
}

uint64_t record_blocks_add(struct record_blocks *blocks, struct raw_record *record, bool array,
			   uint64_t value)
{
	if (value <= BLOCK_UNREADABLE)
		return value;
	if (!record_blocks_has(blocks, array, value)) {
		blocks->bad = true;
		return BLOCK_UNREADABLE;
	}
	return array ? add_array(blocks, record, record_blocks_array(blocks, value))
		     : add_string(blocks, record, record_blocks_string(blocks, value));
}
