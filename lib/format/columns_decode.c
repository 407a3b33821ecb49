/* SPDX-License-Identifier: MIT */
/* columns_decode.c - see columns_decode.h */
#include "format/columns_decode.h"

#include <errno.h>
#include <string.h>

#include "format/varint.h"

int columns_open(struct columns *columns, const struct chunk_header *header, const void *plain,
		 size_t size)
{
	struct bytes body = bytes_of(plain, size);
	int error;

	memset(columns, 0, sizeof(*columns));
	error = lists_open(&columns->lists, header, &body);
	columns->end = columns->lists.base;
	columns->rest = body;
	return error;
}

size_t columns_needed(const struct columns *columns, const struct list_function *functions)
{
	size_t needed = 0;

	for (uint32_t i = 0; i < columns->lists.function_count; i++)
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

static struct column *open_function(struct bytes *body, const struct list_function *function,
				    struct column *column)
{
	uint64_t count;

	for (unsigned i = 0; i < 2u + function->arg_count; i++)
		open_column(body, column++, &count);
	return column;
}

int columns_begin(struct columns *columns, struct list_function *functions, struct list_site *sites,
		  struct column *column)
{
	struct bytes body = columns->rest;

	columns->functions = functions;
	columns->sites = sites;
	columns->column = column;
	columns->bad = lists_sites(&columns->lists, sites) != 0;
	for (unsigned i = 0; i < COMMON_COLUMNS; i++) {
		uint64_t count = columns->lists.count;

		open_column(&body, &columns->common[i], &count);
		if (count != columns->lists.count)
			bytes_fail(&body);
	}
	for (uint32_t i = 0; i < columns->lists.function_count && !body.bad; i++) {
		functions[i].first = (uint32_t)(column - columns->column);
		column = open_function(&body, &functions[i], column);
	}
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

	if (size > DECODED_RECORD_MAX || ((size + 7) & ~7ull) > DECODED_RECORD_MAX - offset) {
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

static inline void take_times(struct columns *columns, struct raw_record *record)
{
	uint64_t gap = take(columns, &columns->common[COLUMN_GAP]);
	uint64_t duration = take(columns, &columns->common[COLUMN_DURATION]);

	columns->bad |= __builtin_add_overflow(columns->end, gap, &columns->end);
	columns->bad |= duration > columns->end;
	if (columns->end - duration < columns->lists.base)
		columns->bad |= !lists_carried(&columns->lists, columns->done,
					       columns->lists.base - (columns->end - duration));
	record->tend = lists_ticks(&columns->lists, columns->end, &columns->bad);
	record->tstart = lists_ticks(&columns->lists, columns->end - duration, &columns->bad);
}

static inline void take_site(struct columns *columns, struct raw_record *record)
{
	uint64_t site = take(columns, &columns->common[COLUMN_SITE]);

	if (site >= columns->lists.site_count) {
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

static void take_args(struct columns *columns, const struct list_function *function,
		      struct raw_record *record)
{
	struct column *column = &columns->column[function->first];
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
	if (!lists_ended(&columns->lists))
		return false;
	for (unsigned i = 0; i < COMMON_COLUMNS; i++) {
		if (!column_used_up(&columns->common[i]))
			return false;
	}
	for (uint32_t i = 0; i < columns->lists.function_count; i++) {
		const struct list_function *function = &columns->functions[i];
		const struct column *column = &columns->column[function->first];

		if (!column_used_up(&column[0]) ||
		    (class_known(function->result_class) && !column_used_up(&column[1])))
			return false;
		for (unsigned arg = 0; arg < function->arg_count; arg++) {
			if (class_known(function->classes[arg]) &&
			    !column_used_up(&column[2 + arg]))
				return false;
		}
	}
	return true;
}

ssize_t columns_next(struct columns *columns, struct raw_record *record)
{
	uint64_t function;

	if (columns->done == columns->lists.count)
		return all_used_up(columns) ? 0 : -EBADMSG;
	columns->excess = 0;
	function = take(columns, &columns->common[COLUMN_FUNCTION]);
	if (function >= columns->lists.function_count)
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
