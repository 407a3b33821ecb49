/* SPDX-License-Identifier: MIT */
/* columns_encode.c - raw records into columns. */
#include "format/columns_encode.h"

#include <errno.h>
#include <string.h>

#include "format/varint.h"

#define HEADER_ROOM 5u /* bytes kept free for a column's header until its size is known */
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
	uint64_t any_level, any_flags, any_outcome, any_stack;
	uint32_t *offset; /* of each record */
	uint32_t *next;   /* next record of the same function */
	uint16_t *site;   /* index of each record's call site */
};

struct encoder {
	const struct encode_input *input;
	struct work *work;
	uint8_t *p, *end;
	uint8_t *column; /* where the open column begins, its header room included */
	uint64_t near, near_units, near_span, reciprocal; /* see units() */
};

size_t columns_work_size(size_t size)
{
	size_t records = size / sizeof(struct raw_record) + 1;

	return sizeof(struct work) + records * (2 * sizeof(uint32_t) + sizeof(uint16_t)) + 64;
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

static uint64_t units_divided(const struct encode_input *input, uint64_t ticks)
{
	return ticks <= input->phase ? 0 : (ticks - input->phase) / input->unit;
}

/* T(ticks). For times soon after t_base a multiplication does: x / unit = x * ceil(2^64 / unit) >> 64 for x < 2^64 / unit. */
static inline uint64_t units(const struct encoder *encoder, uint64_t ticks)
{
	uint64_t after = ticks - encoder->near;

	if (after < encoder->near_span)
		return encoder->near_units + (uint64_t)((__uint128_t)after * encoder->reciprocal >> 64);
	return units_divided(encoder->input, ticks);
}

static void units_prepare(struct encoder *encoder)
{
	const struct encode_input *input = encoder->input;

	encoder->near_units = units_divided(input, input->t_base);
	encoder->near = encoder->near_units * input->unit + input->phase;
	encoder->reciprocal = UINT64_MAX / input->unit + 1;
	encoder->near_span = input->unit > 1 ? UINT64_MAX / input->unit : 0;
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

/* First pass: where each record is, which function and call site it has. */
static int survey(struct encoder *encoder)
{
	const struct encode_input *input = encoder->input;
	struct work *work = encoder->work;
	uint32_t offset = 0;

	for (uint32_t i = 0; i < input->count; i++) {
		const struct raw_record *record = (const void *)(input->records + offset);
		struct function_slot *function = function_slot(work, record->function);
		int site = site_index(work, record->callsite);

		if (!function || site < 0)
			return -E2BIG;
		work->offset[i] = offset;
		work->site[i] = (uint16_t)site;
		work->next[i] = NO_RECORD;
		work->any_level |= record->level;
		work->any_flags |= record->flags;
		work->any_outcome |= record->outcome ^ record_outcome(0, 1);
		work->any_stack |= record->stack;
		if (function->first == NO_RECORD)
			function->first = i;
		else
			work->next[function->last] = i;
		function->last = i;
		offset += record->size;
	}
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

static void put_zeros(struct encoder *encoder, uint32_t count)
{
	encoder->p = varint_put(encoder->p, (uint64_t)count << 1 | 1);
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

/* Records that began before the chunk; also finds the smallest begin. */
static int put_carried(struct encoder *encoder, struct encode_output *output)
{
	uint64_t base = units(encoder, encoder->input->t_base);
	uint64_t first = UINT64_MAX, last = base;

	output->carried = 0;
	for (uint32_t i = 0; i < encoder->input->count; i++) {
		const struct raw_record *record = record_at(encoder, i);
		uint64_t start = units(encoder, record->tstart), end = units(encoder, record->tend);

		first = start < first ? start : first;
		last = end > last ? end : last;
		if (start >= base)
			continue;
		if (output->carried == CHUNK_MAX_CARRIED ||
		    (size_t)(encoder->end - encoder->p) < 2 * VARINT_MAX)
			return -ENOBUFS;
		output->carried++;
		encoder->p = varint_put(encoder->p, i);
		encoder->p = varint_put(encoder->p, base - start);
	}
	output->t_base = base * encoder->input->unit + encoder->input->phase;
	output->t_min = first * encoder->input->unit + encoder->input->phase;
	output->t_max = last * encoder->input->unit + encoder->input->phase;
	return 0;
}

static void put_functions(struct encoder *encoder)
{
	if (encoder->work->function_count == 1) {
		put_zeros(encoder, encoder->input->count);
		return;
	}
	column_open(encoder);
	for (uint32_t i = 0; i < encoder->input->count; i++) {
		struct function_slot *function =
			function_slot(encoder->work, record_at(encoder, i)->function);

		encoder->p = varint_put(encoder->p, function->index);
	}
	column_close(encoder);
}

static void put_levels(struct encoder *encoder)
{
	if (!encoder->work->any_level) {
		put_zeros(encoder, encoder->input->count);
		return;
	}
	column_open(encoder);
	for (uint32_t i = 0; i < encoder->input->count; i++)
		encoder->p = varint_put(encoder->p, record_at(encoder, i)->level);
	column_close(encoder);
}

/* A tend never lies before the one of the record before, whatever the clock did: the writer sees to that. */
static void put_times(struct encoder *encoder)
{
	uint64_t before = units(encoder, encoder->input->t_base);

	column_open(encoder);
	for (uint32_t i = 0; i < encoder->input->count; i++) {
		uint64_t end = units(encoder, record_at(encoder, i)->tend);

		encoder->p = varint_put(encoder->p, end - before);
		before = end;
	}
	column_close(encoder);
	column_open(encoder);
	for (uint32_t i = 0; i < encoder->input->count; i++) {
		const struct raw_record *record = record_at(encoder, i);

		encoder->p = varint_put(encoder->p, units(encoder, record->tend) -
							    units(encoder, record->tstart));
	}
	column_close(encoder);
}

static void put_sites(struct encoder *encoder)
{
	if (encoder->work->site_count == 1) {
		put_zeros(encoder, encoder->input->count);
		return;
	}
	column_open(encoder);
	for (uint32_t i = 0; i < encoder->input->count; i++)
		encoder->p = varint_put(encoder->p, encoder->work->site[i]);
	column_close(encoder);
}

static uint8_t *put_flags(uint8_t *p, const struct raw_record *record)
{
	*p++ = record->flags;
	return p;
}

static uint8_t *put_err(uint8_t *p, const struct raw_record *record)
{
	return svarint_put(p, record->err);
}

static uint8_t *put_repeat(uint8_t *p, const struct raw_record *record)
{
	return varint_put(p, record->repeat - 1);
}

static uint8_t *put_stack(uint8_t *p, const struct raw_record *record)
{
	return varint_put(p, record->stack);
}

/* A column that is rarely anything but zeros; `any`: whether it is now. */
static void put_rare(struct encoder *encoder, bool any,
		     uint8_t *(*put)(uint8_t *p, const struct raw_record *record))
{
	if (!any) {
		put_zeros(encoder, encoder->input->count);
		return;
	}
	column_open(encoder);
	for (uint32_t i = 0; i < encoder->input->count; i++)
		encoder->p = put(encoder->p, record_at(encoder, i));
	column_close(encoder);
}

/* The value before, of a column of one argument or result. */
struct previous {
	uint64_t value;
	const struct string_block *string;
};

static uint8_t *put_string(uint8_t *p, const struct raw_record *record, uint64_t slot,
			   struct previous *previous)
{
	const struct string_block *block = (const void *)((const uint8_t *)record + slot);
	const struct string_block *before = previous->string;

	if (slot <= BLOCK_UNREADABLE)
		return varint_put(p, slot);
	if (before && before->stored == block->stored && before->original == block->original &&
	    !memcmp(before->bytes, block->bytes, block->stored))
		return varint_put(p, 2);
	previous->string = block;
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

static uint8_t *put_value(uint8_t *p, unsigned class, const struct raw_record *record, uint64_t value,
			  struct previous *previous)
{
	uint64_t before = previous->value;

	switch (class) {
	case CLASS_STRING:
		return put_string(p, record, value, previous);
	case CLASS_ARRAY:
		return put_array(p, record, value);
	case CLASS_PAIR:
		previous->value = value;
		p = svarint_put(p, (int64_t)pair_value(value) - pair_value(before));
		return svarint_put(p, (int64_t)pair_id(value) - (int64_t)pair_id(before));
	default:
		previous->value = value;
		return svarint_put(p, (int64_t)(value - before));
	}
}

static void put_function(struct encoder *encoder, const struct function_slot *slot)
{
	const uint32_t *next = encoder->work->next;
	struct encode_function function = encoder->input->function(encoder->input->data, slot->id);
	struct previous previous = {0, NULL};

	column_open(encoder);
	for (uint32_t i = slot->first; i != NO_RECORD; i = next[i])
		encoder->p = varint_put(encoder->p, record_at(encoder, i)->arg_count);
	column_close(encoder);
	column_open(encoder);
	for (uint32_t i = slot->first; i != NO_RECORD; i = next[i]) {
		const struct raw_record *record = record_at(encoder, i);

		encoder->p = put_value(encoder->p, function.result_class, record,
				       (uint64_t)record->result, &previous);
	}
	column_close(encoder);
	for (unsigned arg = 0; arg < function.arg_count; arg++) {
		previous = (struct previous){0, NULL};
		column_open(encoder);
		for (uint32_t i = slot->first; i != NO_RECORD; i = next[i]) {
			const struct raw_record *record = record_at(encoder, i);

			if (arg < record->arg_count)
				encoder->p = put_value(encoder->p, function.arg_classes[arg], record,
						       record->args[arg], &previous);
		}
		column_close(encoder);
	}
}

int columns_encode(const struct encode_input *input, void *work_memory, uint8_t *plain, size_t room,
		   struct encode_output *output)
{
	struct work *work = work_memory;
	struct encoder encoder = {.input = input, .work = work, .p = plain, .end = plain + room};
	int error;

	if (room < columns_plain_bound(input->size))
		return -ENOBUFS;
	memset(work, 0, sizeof(*work));
	units_prepare(&encoder);
	work->offset = (uint32_t *)(work + 1);
	work->next = work->offset + input->count;
	work->site = (uint16_t *)(work->next + input->count);
	error = survey(&encoder);
	if (error)
		return error;
	put_lists(&encoder);
	error = put_carried(&encoder, output);
	if (error)
		return error;
	put_functions(&encoder);
	put_levels(&encoder);
	put_times(&encoder);
	put_sites(&encoder);
	put_rare(&encoder, work->any_flags, put_flags);
	put_rare(&encoder, (uint32_t)work->any_outcome, put_err);
	put_rare(&encoder, work->any_outcome >> 32, put_repeat);
	put_rare(&encoder, work->any_stack, put_stack);
	for (uint32_t i = 0; i < work->function_count; i++)
		put_function(&encoder, work->functions[i]);
	output->size = (uint32_t)(encoder.p - plain);
	return 0;
}
