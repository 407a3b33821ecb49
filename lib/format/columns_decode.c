/* SPDX-License-Identifier: MIT */
/* columns_decode.c - see columns_decode.h */
#include "format/columns_decode.h"

#include <errno.h>
#include <string.h>

#include "format/varint.h"

/* Checks that `count` varints follow, and gives them. */
static struct bytes take_list(struct bytes *body, uint64_t count)
{
	struct bytes list = *body;

	if (count > bytes_left(body))
		bytes_fail(body);
	for (uint64_t i = 0; i < count && !body->bad; i++)
		bytes_varint(body);
	list.end = body->bad ? list.p : body->p;
	return list;
}

static uint32_t take_count(struct bytes *body, uint64_t limit)
{
	uint64_t count = bytes_varint(body);

	if (count > limit || count > bytes_left(body)) {
		bytes_fail(body);
		return 0;
	}
	return (uint32_t)count;
}

int columns_open(struct columns *columns, const struct chunk_header *header, const void *plain,
		 size_t size)
{
	struct bytes body = bytes_of(plain, size);

	memset(columns, 0, sizeof(*columns));
	columns->count = header->count;
	columns->carried = header->carried;
	columns->unit = bytes_varint(&body);
	columns->phase = bytes_varint(&body);
	if (columns->unit == 0 || columns->phase >= columns->unit ||
	    header->t_base < columns->phase)
		return -EBADMSG;
	if ((header->t_base - columns->phase) % columns->unit != 0)
		return -EBADMSG;
	columns->base = (header->t_base - columns->phase) / columns->unit;
	columns->end = columns->base;
	columns->function_count = take_count(&body, UINT16_MAX + 1);
	columns->function_list = take_list(&body, columns->function_count);
	columns->site_count = take_count(&body, UINT32_MAX / 2);
	columns->site_list = take_list(&body, (uint64_t)columns->site_count * 2);
	columns->carried_list = take_list(&body, (uint64_t)columns->carried * 2);
	columns->rest = body;
	return body.bad ? -EBADMSG : 0;
}

int columns_functions(const struct columns *columns, struct columns_function *functions)
{
	struct bytes list = columns->function_list;
	uint8_t seen[(UINT16_MAX + 1) / 8] = {0};

	for (uint32_t i = 0; i < columns->function_count; i++) {
		uint64_t id = bytes_varint(&list);

		if (id > UINT16_MAX || seen[id / 8] & 1 << id % 8)
			return -EBADMSG;
		seen[id / 8] |= (uint8_t)(1 << id % 8);
		memset(&functions[i], 0, sizeof(functions[i]));
		functions[i].id = (uint16_t)id;
	}
	return 0;
}

size_t columns_needed(const struct columns *columns, const struct columns_function *functions)
{
	size_t needed = 0;

	for (uint32_t i = 0; i < columns->function_count; i++)
		needed += 2u + functions[i].arg_count;
	return needed;
}

/* What columns of zeros are read from, so that reading them is no special case. */
static const uint8_t zeros[1024];

static void refill(struct column *column)
{
	size_t size = column->zeros < sizeof(zeros) ? column->zeros : sizeof(zeros);

	column->bytes = bytes_of(zeros, size);
	column->zeros -= size;
}

/*
 * The number of entries that a column of zeros stands for is put into *count; else it is left
 * alone.
 */
static void open_column(struct bytes *body, struct column *column, uint64_t *count)
{
	uint64_t head = bytes_varint(body);
	const uint8_t *p;

	memset(column, 0, sizeof(*column));
	column->bytes = bytes_of(body->p, 0);
	if (head & 1) {
		*count = column->zeros = head >> 1;
		refill(column);
		return;
	}
	p = bytes_take(body, head >> 1);
	if (p)
		column->bytes = bytes_of(p, head >> 1);
}

static bool column_used_up(const struct column *column)
{
	return column->zeros == 0 && bytes_left(&column->bytes) == 0;
}

static bool class_known(unsigned class)
{
	return class >= CLASS_INT && class <= CLASS_ARRAY;
}

static struct column *open_function(struct bytes *body, struct columns_function *function,
				    struct column *column)
{
	uint64_t count;

	function->columns = column;
	for (unsigned i = 0; i < 2u + function->arg_count; i++)
		open_column(body, column++, &count);
	return column;
}

static void read_sites(struct columns *columns)
{
	struct bytes list = columns->site_list;

	for (uint32_t i = 0; i < columns->site_count; i++) {
		uint64_t module = bytes_varint(&list);

		columns->bad |= module > UINT32_MAX;
		columns->sites[i].module = (uint32_t)module;
		columns->sites[i].offset = bytes_varint(&list);
	}
}

int columns_begin(struct columns *columns, struct columns_function *functions,
		  struct columns_site *sites, struct column *column)
{
	struct bytes body = columns->rest;

	columns->functions = functions;
	columns->sites = sites;
	read_sites(columns);
	for (unsigned i = 0; i < COMMON_COLUMNS; i++) {
		uint64_t count = columns->count;

		open_column(&body, &columns->common[i], &count);
		if (count != columns->count)
			bytes_fail(&body);
	}
	for (uint32_t i = 0; i < columns->function_count && !body.bad; i++)
		column = open_function(&body, &functions[i], column);
	columns->bad |= body.bad || bytes_left(&body) > 0;
	return columns->bad ? -EBADMSG : 0;
}

/* More than one byte, or none left. */
static __attribute__((noinline)) uint64_t take_long(struct columns *columns, struct column *column)
{
	uint64_t value;

	if (column->zeros > 0)
		refill(column);
	value = bytes_varint(&column->bytes);
	columns->bad |= column->bytes.bad;
	return value;
}

static inline uint64_t take(struct columns *columns, struct column *column)
{
	const uint8_t *p = column->bytes.p;

	if (__builtin_expect(p < column->bytes.end && *p < 0x80, 1)) {
		column->bytes.p = p + 1;
		return *p;
	}
	return take_long(columns, column);
}

static inline int64_t take_signed(struct columns *columns, struct column *column)
{
	return unzigzag(take(columns, column));
}

static inline uint64_t take_pair(struct columns *columns, struct column *column)
{
	uint32_t value = (uint32_t)column->previous + (uint32_t)take_signed(columns, column);
	uint32_t id = (uint32_t)(column->previous >> 32) + (uint32_t)take_signed(columns, column);

	column->previous = (uint64_t)id << 32 | value;
	return column->previous;
}

/*
 * Room for a block at the end of the record, of `size` bytes without padding; 0 if the record
 * gets too long.
 */
static uint32_t add_block(struct columns *columns, struct raw_record *record, uint64_t size)
{
	uint32_t offset = record->size;

	if (size > COLUMNS_RECORD_MAX || ((size + 7) & ~7ull) > COLUMNS_RECORD_MAX - offset) {
		columns->bad = true;
		return 0;
	}
	record->size += (uint32_t)((size + 7) & ~7ull);
	memset((uint8_t *)record + record->size - 8, 0, 8);
	return offset;
}

static bool new_string(struct columns *columns, struct column *column, uint64_t stored)
{
	uint64_t more = take(columns, column);
	const uint8_t *p = bytes_take(&column->bytes, stored);

	if (!p || stored > UINT32_MAX || more > UINT32_MAX - stored) {
		columns->bad = true;
		return false;
	}
	column->string = p;
	column->stored = (uint32_t)stored;
	column->original = (uint32_t)(stored + more);
	return true;
}

static uint64_t take_string(struct columns *columns, struct column *column,
			    struct raw_record *record)
{
	uint64_t tag = take(columns, column);
	struct string_block *block;
	uint32_t offset;

	if (tag <= BLOCK_UNREADABLE)
		return tag;
	if (tag > 2 && !new_string(columns, column, tag - 3))
		return BLOCK_UNREADABLE;
	if (!column->string) {
		columns->bad = true;
		return BLOCK_UNREADABLE;
	}
	offset = add_block(columns, record, sizeof(*block) + (uint64_t)column->stored + 1);
	if (offset == 0)
		return BLOCK_UNREADABLE;
	block = (struct string_block *)((uint8_t *)record + offset);
	block->stored = column->stored;
	block->original = column->original;
	memcpy(block->bytes, column->string, column->stored);
	/* The zero behind it is no part of the raw form, whose size is limited. */
	columns->excess += column->stored % 8 == 0 ? 8 : 0;
	return offset;
}

static void take_elements(struct columns *columns, struct column *column, struct array_block *block)
{
	uint64_t element = 0, sum = 0;

	for (uint32_t i = 0; i < block->stored; i++) {
		element += (uint64_t)take_signed(columns, column);
		sum += element;
		block->elements[i] = (int64_t)element;
	}
	if (block->original == block->stored)
		block->sum = (int64_t)sum;
}

static uint64_t take_array(struct columns *columns, struct column *column,
			   struct raw_record *record)
{
	uint64_t tag = take(columns, column), stored = tag - 2, more;
	struct array_block *block;
	uint32_t offset;

	if (tag <= BLOCK_UNREADABLE)
		return tag;
	more = take(columns, column);
	if (stored > bytes_left(&column->bytes) || more > UINT32_MAX - stored) {
		columns->bad = true;
		return BLOCK_UNREADABLE;
	}
	offset = add_block(columns, record, sizeof(*block) + stored * sizeof(int64_t));
	if (offset == 0)
		return BLOCK_UNREADABLE;
	block = (struct array_block *)((uint8_t *)record + offset);
	block->stored = (uint32_t)stored;
	block->original = (uint32_t)(stored + more);
	block->sum = more ? take_signed(columns, column) : 0;
	take_elements(columns, column, block);
	return offset;
}

static inline uint64_t take_value(struct columns *columns, struct column *column, unsigned class,
				  struct raw_record *record)
{
	switch (class) {
	case CLASS_INT:
	case CLASS_DOUBLE:
		column->previous += (uint64_t)take_signed(columns, column);
		return column->previous;
	case CLASS_PAIR:
		return take_pair(columns, column);
	case CLASS_STRING:
		return take_string(columns, column, record);
	case CLASS_ARRAY:
		return take_array(columns, column, record);
	default: /* of a later version: the column is passed over as a whole */
		return 0;
	}
}

/* T * unit + phase */
static inline uint64_t ticks(struct columns *columns, uint64_t units)
{
	uint64_t product, sum;

	if (__builtin_mul_overflow(units, columns->unit, &product) ||
	    __builtin_add_overflow(product, columns->phase, &sum)) {
		columns->bad = true;
		return 0;
	}
	return sum;
}

/* A record that began before the chunk must be the next of the list. */
static void check_carried(struct columns *columns, uint64_t before)
{
	uint64_t index = bytes_varint(&columns->carried_list);

	columns->bad |= index != columns->done || bytes_varint(&columns->carried_list) != before ||
			columns->carried_list.bad;
}

static inline void take_times(struct columns *columns, struct raw_record *record)
{
	uint64_t gap = take(columns, &columns->common[COLUMN_GAP]);
	uint64_t duration = take(columns, &columns->common[COLUMN_DURATION]);

	columns->bad |= __builtin_add_overflow(columns->end, gap, &columns->end);
	columns->bad |= duration > columns->end;
	if (columns->end - duration < columns->base)
		check_carried(columns, columns->base - (columns->end - duration));
	record->tend = ticks(columns, columns->end);
	record->tstart = ticks(columns, columns->end - duration);
}

static inline void take_site(struct columns *columns, struct raw_record *record)
{
	uint64_t site = take(columns, &columns->common[COLUMN_SITE]);

	if (site >= columns->site_count) {
		columns->bad = true;
		return;
	}
	record->callsite = columns->sites[site].offset;
	record->reserved1 = columns->sites[site].module;
}

/* Of the flags, which are bytes and no varints. */
static inline uint8_t take_byte(struct columns *columns, struct column *column)
{
	if (column->bytes.p == column->bytes.end && column->zeros > 0)
		refill(column);
	if (column->bytes.p < column->bytes.end)
		return *column->bytes.p++;
	columns->bad = true;
	return 0;
}

static inline void take_rest(struct columns *columns, struct raw_record *record)
{
	struct column *common = columns->common;
	uint64_t level = take(columns, &common[COLUMN_LEVEL]);
	uint8_t flags = take_byte(columns, &common[COLUMN_FLAGS]);
	int64_t err = take_signed(columns, &common[COLUMN_ERR]);
	uint64_t repeat = take(columns, &common[COLUMN_REPEAT]);
	uint64_t stack = take(columns, &common[COLUMN_STACK]);

	columns->bad |= level > UINT16_MAX || err != (int32_t)err || repeat >= UINT32_MAX ||
			stack > UINT32_MAX;
	record->level = (uint16_t)level;
	record->flags = flags;
	record->err = (int32_t)err;
	record->repeat = (uint32_t)repeat + 1;
	record->stack = (uint32_t)stack;
}

static void take_args(struct columns *columns, const struct columns_function *function,
		      struct raw_record *record)
{
	struct column *column = function->columns;
	uint64_t count = take(columns, &column[0]);

	if (count > function->arg_count) {
		columns->bad = true;
		return;
	}
	record->function = function->id;
	record->arg_count = (uint8_t)count;
	record->size = (uint32_t)(sizeof(*record) + count * 8);
	record->result = (int64_t)take_value(columns, &column[1], function->result_class, record);
	for (unsigned i = 0; i < count; i++)
		record->args[i] = take_value(columns, &column[2 + i], function->classes[i], record);
}

/* Nothing may be left in a column; those of unknown classes were not read. */
static bool all_used_up(const struct columns *columns)
{
	if (bytes_left(&columns->carried_list) > 0)
		return false;
	for (unsigned i = 0; i < COMMON_COLUMNS; i++) {
		if (!column_used_up(&columns->common[i]))
			return false;
	}
	for (uint32_t i = 0; i < columns->function_count; i++) {
		const struct columns_function *function = &columns->functions[i];

		if (!column_used_up(&function->columns[0]) ||
		    (class_known(function->result_class) && !column_used_up(&function->columns[1])))
			return false;
		for (unsigned arg = 0; arg < function->arg_count; arg++) {
			if (class_known(function->classes[arg]) &&
			    !column_used_up(&function->columns[2 + arg]))
				return false;
		}
	}
	return true;
}

ssize_t columns_next(struct columns *columns, struct raw_record *record)
{
	uint64_t function;

	if (columns->done == columns->count)
		return all_used_up(columns) ? 0 : -EBADMSG;
	columns->excess = 0;
	function = take(columns, &columns->common[COLUMN_FUNCTION]);
	if (function >= columns->function_count)
		return -EBADMSG;
	take_rest(columns, record);
	take_times(columns, record);
	take_site(columns, record);
	take_args(columns, &columns->functions[function], record);
	if (columns->bad || record->size - columns->excess > RECORD_MAX_SIZE)
		return -EBADMSG;
	columns->done++;
	return record->size;
}

#ifdef UNIT_TEST
#include "unittest.h"

#include "format/columns_encode.h"

static const uint8_t columns_test_classes[] = {CLASS_INT, CLASS_STRING, CLASS_ARRAY, CLASS_PAIR};

static struct encode_function columns_test_function(void *data, uint16_t id)
{
	(void)data;
	(void)id;
	return (struct encode_function){CLASS_INT, 4, columns_test_classes};
}

static struct encode_site columns_test_site(void *data, uint64_t address)
{
	(void)data;
	return (struct encode_site){address > 100, address > 100 ? address - 100 : address};
}

/* One record with a string and an array behind its arguments. */
struct columns_sample {
	struct raw_record record;
	uint64_t args[4];
	uint32_t text_stored, text_original;
	char text[8];
	uint32_t array_stored, array_original;
	int64_t sum;
	int64_t elements[2];
};

static void columns_test_fill(struct columns_sample *sample, uint32_t i)
{
	*sample = (struct columns_sample){
		.record = {.size = sizeof(*sample),
			   .function = (uint16_t)(300 + i % 3),
			   .level = (uint16_t)(i % 2),
			   .arg_count = 4,
			   .flags = (uint8_t)(i % 5 == 0),
			   .tstart = 1000 + i * 20,
			   .tend = 1010 + i * 20,
			   .result = -(int64_t)i,
			   .callsite = 90 + i % 7 * 5,
			   .err = i % 11 == 0 ? 2 : 0,
			   .repeat = 1},
		.args = {i * 4096, offsetof(struct columns_sample, text_stored),
			 offsetof(struct columns_sample, array_stored), pair_make(-1, i)},
		.text_stored = 8,
		.text_original = 8 + i % 2,
		.array_stored = 2,
		.array_original = 2,
		.sum = (int64_t)i + 7,
		.elements = {(int64_t)i, 7},
	};
	memcpy(sample->text, i % 4 ? "same  as" : "another.", 8);
	if (i % 13 == 0)
		sample->args[1] = BLOCK_UNREADABLE;
}

#define COLUMNS_TEST_RECORDS 100u

static size_t columns_test_encode(uint8_t *plain, size_t room, struct chunk_header *header)
{
	static struct columns_sample samples[COLUMNS_TEST_RECORDS];
	static _Alignas(16) uint8_t work[1 << 18];
	struct encode_input input = {
		.records = (const uint8_t *)samples,
		.size = sizeof(samples),
		.count = COLUMNS_TEST_RECORDS,
		.t_base = 1005,
		.unit = 1,
		.function = columns_test_function,
		.site = columns_test_site,
	};
	struct encode_output output;

	for (uint32_t i = 0; i < COLUMNS_TEST_RECORDS; i++)
		columns_test_fill(&samples[i], i);
	if (columns_work_size(sizeof(samples)) > sizeof(work) ||
	    columns_encode(&input, work, plain, room, &output))
		return 0;
	*header = (struct chunk_header){.count = COLUMNS_TEST_RECORDS,
					.t_base = output.t_base,
					.carried = output.carried};
	return output.size;
}

/* Decodes what may be damaged; returns the records that come out, or a negative errno. */
static int columns_test_decode(const struct chunk_header *header, const uint8_t *plain, size_t size,
			       void (*check)(const struct raw_record *, uint32_t))
{
	static struct columns_function functions[8];
	static struct columns_site sites[64];
	static struct column column[64];
	static _Alignas(8) uint8_t buffer[COLUMNS_RECORD_MAX];
	struct raw_record *record = (struct raw_record *)buffer;
	struct columns columns;
	ssize_t got;

	if (columns_open(&columns, header, plain, size) || columns.function_count > 8 ||
	    columns.site_count > 64 || columns_functions(&columns, functions))
		return -EBADMSG;
	for (uint32_t i = 0; i < columns.function_count; i++) {
		functions[i].arg_count = 4;
		functions[i].result_class = CLASS_INT;
		functions[i].classes = columns_test_classes;
	}
	if (columns_needed(&columns, functions) > 64 ||
	    columns_begin(&columns, functions, sites, column))
		return -EBADMSG;
	while ((got = columns_next(&columns, record)) > 0) {
		if (check)
			check(record, columns.done - 1);
	}
	return got < 0 ? (int)got : (int)columns.done;
}

static void columns_test_compare(const struct raw_record *record, uint32_t i)
{
	struct columns_sample expected;
	const struct string_block *text = (const void *)((const uint8_t *)record + record->args[1]);
	const struct array_block *array = (const void *)((const uint8_t *)record + record->args[2]);

	columns_test_fill(&expected, i);
	EXPECT_EQ(record->function, expected.record.function);
	EXPECT_EQ(record->tstart, expected.record.tstart);
	EXPECT_EQ(record->tend, expected.record.tend);
	EXPECT_EQ(record->result, expected.record.result);
	EXPECT_EQ(record->err, expected.record.err);
	EXPECT_EQ(record->flags, expected.record.flags);
	EXPECT_EQ(record->callsite + (record->reserved1 ? 100 : 0), expected.record.callsite);
	EXPECT_EQ(record->args[0], expected.args[0]);
	EXPECT_EQ(record->args[3], expected.args[3]);
	EXPECT_EQ(array->sum, expected.sum);
	EXPECT_MEM(array->elements, expected.elements, sizeof(expected.elements));
	if (i % 13 == 0) {
		EXPECT_EQ(record->args[1], BLOCK_UNREADABLE);
		return;
	}
	EXPECT_EQ(text->original, expected.text_original);
	EXPECT_MEM(text->bytes, expected.text, 8);
	EXPECT_EQ(text->bytes[8], 0);
}

TEST_CASE(columns_round_trip)
{
	static uint8_t plain[1 << 20];
	struct chunk_header header;
	size_t size = columns_test_encode(plain, sizeof(plain), &header);

	REQUIRE(size > 0);
	EXPECT_EQ(header.carried, 1);
	EXPECT_EQ(columns_test_decode(&header, plain, size, columns_test_compare), 100);
}

TEST_CASE(columns_damage_is_bounded)
{
	static uint8_t plain[1 << 20];
	struct chunk_header header;
	size_t size = columns_test_encode(plain, sizeof(plain), &header);

	for (size_t cut = 0; cut < size; cut++)
		EXPECT_EQ(columns_test_decode(&header, plain, cut, NULL), -EBADMSG);
	for (size_t i = 0; i < size; i++) {
		for (unsigned bit = 0; bit < 8; bit++) {
			plain[i] ^= (uint8_t)(1 << bit);
			columns_test_decode(&header, plain, size, NULL);
			plain[i] ^= (uint8_t)(1 << bit);
		}
	}
}
#endif
