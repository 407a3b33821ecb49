/* SPDX-License-Identifier: MIT */
/* columns_encode.c - raw records into columns. */
#include "format/columns_encode.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "format/varint.h"

#define HEADER_ROOM 5u   /* bytes kept free for a column's header until its size is known */
#define SITE_SLOTS 2048u /* a power of two */
#define FUNCTION_SLOTS 512u
#define NO_RECORD UINT32_MAX

/* A call site of the chunk, in a table open-addressed by address. */
struct site_slot {
	uint64_t address;
	uint32_t index; /* in the chunk's list, from 1; 0: free */
	uint32_t reserved;
};

struct function_slot {
	uint32_t first, last; /* records, as index; linked by work->next */
	uint16_t id;
	uint16_t index;
	uint8_t used;
};

/* Memory of one encoding; its arrays follow it. */
struct work {
	struct site_slot sites[SITE_SLOTS];
	uint64_t site_addresses[SITE_SLOTS / 2];
	struct function_slot slots[FUNCTION_SLOTS];
	struct function_slot *functions[FUNCTION_SLOTS / 2];
	uint32_t site_count, function_count;
	/* All records' values or'ed: a column whose values are all 0 need not be gone through. */
	uint32_t levels, flags, errs, repeats, stacks;
	/* For each record: */
	uint64_t *gap;      /* time units since the tend of the one before */
	uint64_t *duration; /* time units */
	uint32_t *offset;   /* where it is */
	uint32_t *next;     /* the next one of the same function */
	uint16_t *site;     /* index of its call site */
	uint16_t *function; /* index of its function */
};

struct encoder {
	const struct encode_input *input;
	struct work *work;
	uint64_t reciprocal; /* of the time unit, see units() */
	uint8_t *p;
	uint8_t *column; /* where the open column begins, its header room included */
};

size_t columns_work_size(size_t size)
{
	size_t records = size / sizeof(struct raw_record) + 1;

	return sizeof(struct work) +
	       records * (2 * sizeof(uint64_t) + 2 * sizeof(uint32_t) + 2 * sizeof(uint16_t)) + 64;
}

/*
 * A record's common fields become at most 60 bytes (its header is 64), an argument of 8 bytes at most 10, or, as
 * a PAIR, 12; elements of arrays likewise. Lists and column headers come on top.
 */
size_t columns_plain_bound(size_t size)
{
	return size + size / 2 + (SITE_SLOTS / 2) * 2 * VARINT_MAX +
	       (FUNCTION_SLOTS / 2) * (VARINT_MAX + (RECORD_MAX_ARGS + 2) * HEADER_ROOM) + 4096;
}

static inline const struct raw_record *record_at(const struct encoder *encoder, uint32_t index)
{
	return (const struct raw_record *)(encoder->input->records + encoder->work->offset[index]);
}

/* T(ticks): a multiplication by the rounded-up reciprocal of the unit, which gives the quotient or one more. */
static inline uint64_t units(const struct encoder *encoder, uint64_t ticks)
{
	uint64_t rest = ticks - encoder->input->phase, quotient;

	if (ticks <= encoder->input->phase)
		return 0;
	if (encoder->input->unit == 1)
		return rest;
	quotient = (uint64_t)((__uint128_t)rest * encoder->reciprocal >> 64);
	return quotient - (quotient * encoder->input->unit > rest);
}

/* The index of a call site in the chunk's list, -E2BIG if the list is full. */
static int site_index(struct work *work, uint64_t address)
{
	uint32_t slot = (uint32_t)(address * 0x9E3779B97F4A7C15u >> 48) & (SITE_SLOTS - 1);

	for (;; slot = (slot + 1) & (SITE_SLOTS - 1)) {
		struct site_slot *site = &work->sites[slot];

		if (site->index && site->address == address)
			return (int)site->index - 1;
		if (site->index)
			continue;
		if (work->site_count == SITE_SLOTS / 2)
			return -E2BIG;
		work->site_addresses[work->site_count++] = address;
		site->address = address;
		site->index = work->site_count;
		return (int)work->site_count - 1;
	}
}

static struct function_slot *function_slot(struct work *work, uint16_t id)
{
	uint32_t slot = id & (FUNCTION_SLOTS - 1);

	for (;; slot = (slot + 1) & (FUNCTION_SLOTS - 1)) {
		struct function_slot *function = &work->slots[slot];

		if (function->used && function->id == id)
			return function;
		if (function->used)
			continue;
		if (work->function_count == FUNCTION_SLOTS / 2)
			return NULL;
		*function = (struct function_slot){NO_RECORD, NO_RECORD, id,
						   (uint16_t)work->function_count, 1};
		work->functions[work->function_count++] = function;
		return function;
	}
}

/* What the record before had: the next one often has the same. */
struct recent {
	struct function_slot *function;
	uint64_t address;
	int site;
};

static inline int survey_names(struct work *work, const struct raw_record *record, uint32_t i,
			       struct recent *recent)
{
	struct function_slot *function = recent->function;

	if (!function || function->id != record->function)
		function = recent->function = function_slot(work, record->function);
	if (recent->site < 0 || recent->address != record->callsite) {
		recent->site = site_index(work, record->callsite);
		recent->address = record->callsite;
	}
	if (!function || recent->site < 0)
		return -E2BIG;
	work->function[i] = function->index;
	work->site[i] = (uint16_t)recent->site;
	work->next[i] = NO_RECORD;
	if (function->first == NO_RECORD)
		function->first = i;
	else
		work->next[function->last] = i;
	function->last = i;
	return 0;
}

static inline void survey_rare(struct work *work, const struct raw_record *record)
{
	work->levels |= record->level;
	work->flags |= record->flags;
	work->errs |= (uint32_t)record->err;
	work->repeats |= record->repeat - 1;
	work->stacks |= record->stack;
}

/*
 * The one pass over all records: where each is, its function, call site and times. A tend never lies before the one of the record before,
 * whatever the clock did: the writer sees to that.
 */
static int survey(struct encoder *encoder, struct encode_output *output)
{
	const struct encode_input *input = encoder->input;
	struct work *work = encoder->work;
	struct recent recent = {NULL, 0, -1};
	uint64_t base = units(encoder, input->t_base), before = base, first = UINT64_MAX;
	uint32_t offset = 0;

	output->carried = 0;
	for (uint32_t i = 0; i < input->count; i++) {
		const struct raw_record *record = (const void *)(input->records + offset);
		uint64_t start = units(encoder, record->tstart), end = units(encoder, record->tend);

		if (survey_names(work, record, i, &recent))
			return -E2BIG;
		survey_rare(work, record);
		work->offset[i] = offset;
		work->gap[i] = end - before;
		work->duration[i] = end - start;
		before = end;
		first = start < first ? start : first;
		output->carried += start < base;
		offset += record->size;
	}
	output->t_base = base * input->unit + input->phase;
	output->t_min = first * input->unit + input->phase;
	output->t_max = before * input->unit + input->phase;
	return 0;
}

static void column_open(struct encoder *encoder)
{
	encoder->column = encoder->p;
	encoder->p += HEADER_ROOM;
}

static bool all_zero(const uint8_t *bytes, size_t size)
{
	return !size || (!bytes[0] && !memcmp(bytes, bytes + 1, size - 1));
}

/* Puts the header in front of the column, and the column against it. */
static void column_close(struct encoder *encoder)
{
	uint8_t *body = encoder->column + HEADER_ROOM;
	size_t size = (size_t)(encoder->p - body);
	bool zero = all_zero(body, size);
	uint8_t *after = varint_put(encoder->column, size << 1 | zero);

	if (!zero) {
		memmove(after, body, size);
		after += size;
	}
	encoder->p = after;
}

static void put_lists(struct encoder *encoder)
{
	const struct encode_input *input = encoder->input;
	struct work *work = encoder->work;
	uint8_t *p = encoder->p;

	p = varint_put(p, input->unit);
	p = varint_put(p, input->phase);
	p = varint_put(p, work->function_count);
	for (uint32_t i = 0; i < work->function_count; i++)
		p = varint_put(p, work->functions[i]->id);
	p = varint_put(p, work->site_count);
	for (uint32_t i = 0; i < work->site_count; i++) {
		struct encode_site site = input->site(input->data, work->site_addresses[i]);

		p = varint_put(p, site.module);
		p = varint_put(p, site.offset);
	}
	encoder->p = p;
}

/* Records that began before the chunk. */
static int put_carried(struct encoder *encoder, uint32_t carried)
{
	const struct work *work = encoder->work;
	uint64_t end = 0; /* since the chunk's begin */

	if (carried > CHUNK_MAX_CARRIED)
		return -ENOBUFS;
	for (uint32_t i = 0; carried; i++) {
		end += work->gap[i];
		if (work->duration[i] <= end)
			continue;
		carried--;
		encoder->p = varint_put(encoder->p, i);
		encoder->p = varint_put(encoder->p, work->duration[i] - end);
	}
	return 0;
}

static void put_zeros(struct encoder *encoder)
{
	encoder->p = varint_put(encoder->p, (uint64_t)encoder->input->count << 1 | 1);
}

/* A column of numbers that the survey found. */
static void put_times(struct encoder *encoder, const uint64_t *units_of)
{
	uint8_t *p;

	column_open(encoder);
	p = encoder->p;
	for (uint32_t i = 0; i < encoder->input->count; i++)
		p = varint_put(p, units_of[i]);
	encoder->p = p;
	column_close(encoder);
}

/* A column of indices into a list of `choices`. */
static void put_indices(struct encoder *encoder, const uint16_t *indices, uint32_t choices)
{
	uint8_t *p;

	if (choices <= 1) {
		put_zeros(encoder);
		return;
	}
	column_open(encoder);
	p = encoder->p;
	for (uint32_t i = 0; i < encoder->input->count; i++)
		p = varint_put(p, indices[i]);
	encoder->p = p;
	column_close(encoder);
}

static uint64_t level_of(const struct raw_record *record)
{
	return record->level;
}

static uint64_t err_of(const struct raw_record *record)
{
	return zigzag(record->err);
}

static uint64_t repeat_of(const struct raw_record *record)
{
	return record->repeat - 1;
}

static uint64_t stack_of(const struct raw_record *record)
{
	return record->stack;
}

/* A column that is rarely anything but zeros; `any`: whether it is now. */
static void put_rare(struct encoder *encoder, bool any,
		     uint64_t (*value_of)(const struct raw_record *))
{
	if (!any) {
		put_zeros(encoder);
		return;
	}
	column_open(encoder);
	for (uint32_t i = 0; i < encoder->input->count; i++)
		encoder->p = varint_put(encoder->p, value_of(record_at(encoder, i)));
	column_close(encoder);
}

/* Flags are bytes, not varints. */
static void put_flags(struct encoder *encoder)
{
	if (!encoder->work->flags) {
		put_zeros(encoder);
		return;
	}
	column_open(encoder);
	for (uint32_t i = 0; i < encoder->input->count; i++)
		*encoder->p++ = record_at(encoder, i)->flags;
	column_close(encoder);
}

static void put_common(struct encoder *encoder, const uint8_t *plain, struct encode_output *output)
{
	const struct work *work = encoder->work;

	put_indices(encoder, work->function, work->function_count);
	put_rare(encoder, work->levels, level_of);
	output->times_begin = (uint32_t)(encoder->p - plain);
	put_times(encoder, work->gap);
	put_times(encoder, work->duration);
	output->times_end = (uint32_t)(encoder->p - plain);
	put_indices(encoder, work->site, work->site_count);
	put_flags(encoder);
	put_rare(encoder, work->errs, err_of);
	put_rare(encoder, work->repeats, repeat_of);
	put_rare(encoder, work->stacks, stack_of);
}

/* `previous`: the string before in the column, NULL none. */
static uint8_t *put_string(uint8_t *p, const struct raw_record *record, uint64_t slot,
			   const struct string_block **previous)
{
	const struct string_block *block = (const void *)((const uint8_t *)record + slot);
	const struct string_block *before = *previous;

	if (slot <= BLOCK_UNREADABLE)
		return varint_put(p, slot);
	if (before && before->stored == block->stored && before->original == block->original &&
	    !memcmp(before->bytes, block->bytes, block->stored))
		return varint_put(p, 2);
	*previous = block;
	p = varint_put(p, (uint64_t)block->stored + 3);
	p = varint_put(p, block->original - block->stored);
	memcpy(p, block->bytes, block->stored);
	return p + block->stored;
}

static uint8_t *put_array(uint8_t *p, const struct raw_record *record, uint64_t slot)
{
	const struct array_block *block = (const void *)((const uint8_t *)record + slot);
	uint64_t before = 0;

	if (slot <= BLOCK_UNREADABLE)
		return varint_put(p, slot);
	p = varint_put(p, (uint64_t)block->stored + 2);
	p = varint_put(p, block->original - block->stored);
	if (block->original != block->stored)
		p = svarint_put(p, block->sum);
	for (uint32_t i = 0; i < block->stored; i++) {
		p = svarint_put(p, (int64_t)((uint64_t)block->elements[i] - before));
		before = (uint64_t)block->elements[i];
	}
	return p;
}

/* Where the values of a column lie in a record. */
#define RESULT_AT offsetof(struct raw_record, result)
#define ARG_AT(arg) (offsetof(struct raw_record, args) + (size_t)(arg)*8)

static inline uint64_t value_at(const struct raw_record *record, size_t at)
{
	return *(const uint64_t *)((const uint8_t *)record + at);
}

static void put_deltas(struct encoder *encoder, const struct function_slot *slot, size_t at,
		       unsigned least_args)
{
	const struct work *work = encoder->work;
	const uint8_t *records = encoder->input->records;
	uint8_t *p = encoder->p;
	uint64_t before = 0;

	for (uint32_t i = slot->first; i != NO_RECORD; i = work->next[i]) {
		const struct raw_record *record = (const void *)(records + work->offset[i]);
		uint64_t value = value_at(record, at);

		if (record->arg_count < least_args)
			continue;
		p = svarint_put(p, (int64_t)(value - before));
		before = value;
	}
	encoder->p = p;
}

static void put_pairs(struct encoder *encoder, const struct function_slot *slot, size_t at,
		      unsigned least_args)
{
	const struct work *work = encoder->work;
	const uint8_t *records = encoder->input->records;
	uint8_t *p = encoder->p;
	uint64_t before = 0;

	for (uint32_t i = slot->first; i != NO_RECORD; i = work->next[i]) {
		const struct raw_record *record = (const void *)(records + work->offset[i]);
		uint64_t value = value_at(record, at);

		if (record->arg_count < least_args)
			continue;
		if (value == before) {
			*p++ = 0;
			*p++ = 0;
			continue;
		}
		p = svarint_put(p, (int64_t)pair_value(value) - pair_value(before));
		p = svarint_put(p, (int64_t)pair_id(value) - (int64_t)pair_id(before));
		before = value;
	}
	encoder->p = p;
}

static void put_strings(struct encoder *encoder, const struct function_slot *slot, size_t at,
			unsigned least_args)
{
	const struct string_block *previous = NULL;

	for (uint32_t i = slot->first; i != NO_RECORD; i = encoder->work->next[i]) {
		const struct raw_record *record = record_at(encoder, i);

		if (record->arg_count >= least_args)
			encoder->p =
				put_string(encoder->p, record, value_at(record, at), &previous);
	}
}

static void put_arrays(struct encoder *encoder, const struct function_slot *slot, size_t at,
		       unsigned least_args)
{
	for (uint32_t i = slot->first; i != NO_RECORD; i = encoder->work->next[i]) {
		const struct raw_record *record = record_at(encoder, i);

		if (record->arg_count >= least_args)
			encoder->p = put_array(encoder->p, record, value_at(record, at));
	}
}

/* One column of a function's records: the values at byte `at` of those that have `least_args` arguments. */
static void put_values(struct encoder *encoder, const struct function_slot *slot, size_t at,
		       unsigned class, unsigned least_args)
{
	column_open(encoder);
	if (class == CLASS_STRING)
		put_strings(encoder, slot, at, least_args);
	else if (class == CLASS_ARRAY)
		put_arrays(encoder, slot, at, least_args);
	else if (class == CLASS_PAIR)
		put_pairs(encoder, slot, at, least_args);
	else
		put_deltas(encoder, slot, at, least_args);
	column_close(encoder);
}

static void put_function(struct encoder *encoder, const struct function_slot *slot)
{
	const uint32_t *next = encoder->work->next;
	struct encode_function function = encoder->input->function(encoder->input->data, slot->id);
	uint8_t *p;

	column_open(encoder);
	p = encoder->p;
	for (uint32_t i = slot->first; i != NO_RECORD; i = next[i])
		p = varint_put(p, record_at(encoder, i)->arg_count);
	encoder->p = p;
	column_close(encoder);
	put_values(encoder, slot, RESULT_AT, function.result_class, 0);
	for (unsigned arg = 0; arg < function.arg_count; arg++)
		put_values(encoder, slot, ARG_AT(arg), function.arg_classes[arg], arg + 1);
}

int columns_encode(const struct encode_input *input, void *work_memory, uint8_t *plain, size_t room,
		   struct encode_output *output)
{
	struct work *work = work_memory;
	struct encoder encoder = {.input = input, .work = work, .p = plain};
	int error;

	if (room < columns_plain_bound(input->size))
		return -ENOBUFS;
	encoder.reciprocal = input->unit > 1 ? UINT64_MAX / input->unit + 1 : 0;
	memset(work, 0, sizeof(*work));
	work->gap = (uint64_t *)(work + 1);
	work->duration = work->gap + input->count;
	work->offset = (uint32_t *)(work->duration + input->count);
	work->next = work->offset + input->count;
	work->site = (uint16_t *)(work->next + input->count);
	work->function = work->site + input->count;
	error = survey(&encoder, output);
	if (error)
		return error;
	put_lists(&encoder);
	error = put_carried(&encoder, output->carried);
	if (error)
		return error;
	put_common(&encoder, plain, output);
	for (uint32_t i = 0; i < work->function_count; i++)
		put_function(&encoder, work->functions[i]);
	output->size = (uint32_t)(encoder.p - plain);
	return 0;
}
