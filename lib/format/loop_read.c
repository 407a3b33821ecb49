/* SPDX-License-Identifier: MIT */
/* loop_read.c - see loop_read.h */
#include "format/loop_read.h"

#include <errno.h>

#include "format/raw.h"
#include "format/varint.h"

static uint32_t take_period(struct looped *looped)
{
	return lists_take_count(&looped->words, LOOP_MAX_BLOCK / sizeof(struct raw_record));
}

/* One part, which comes once. */
static int open_block(struct looped *looped)
{
	looped->part_count = 1;
	looped->turn = looped->period = take_period(looped);
	return looped->period > 0 ? 0 : -EBADMSG;
}

/* How many records there are in all parts; these are read again when there is memory. */
static int open_parts(struct looped *looped)
{
	looped->part_count = take_period(looped);
	looped->part_words = looped->words;
	for (uint32_t i = 0; i < looped->part_count; i++) {
		uint64_t count = take_period(looped), times = bytes_varint(&looped->words);

		if (looped->words.bad || count == 0 || times == 0 || times > LOOP_MAX_TURN ||
		    count * times > LOOP_MAX_TURN - looped->turn)
			return -EBADMSG;
		looped->turn += (uint32_t)(count * times);
		looped->period += (uint32_t)count;
	}
	return looped->period > 0 ? 0 : -EBADMSG;
}

int looped_open(struct looped *looped, const struct chunk_header *header, const void *words,
		size_t size)
{
	struct lists *lists = &looped->lists;
	int error;

	memset(looped, 0, sizeof(*looped));
	looped->words = bytes_of(words, size);
	error = lists_open(lists, header, &looped->words);
	if (error)
		return error;
	if (header->carried != 0 || header->t_min < header->t_base ||
	    header->t_max < header->t_min || (header->t_min - lists->phase) % lists->unit != 0 ||
	    (header->t_max - lists->phase) % lists->unit != 0)
		return -EBADMSG;
	looped->start = (header->t_min - lists->phase) / lists->unit;
	looped->end = (header->t_max - lists->phase) / lists->unit;
	looped->count = header->count;
	looped->iterations = bytes_varint(&looped->words);
	looped->nested = header->encoding == DATA_NESTED;
	error = looped->nested ? open_parts(looped) : open_block(looped);
	if (error || looped->words.bad || looped->iterations == 0 ||
	    looped->iterations > LOOP_MAX_RECORDS ||
	    looped->iterations * looped->turn != looped->count)
		return -EBADMSG;
	return 0;
}

/* ---- the block ---- */

static const struct list_function *find_function(const struct looped *looped,
						 const struct list_function *functions, uint16_t id)
{
	for (uint32_t i = 0; i < looped->lists.function_count; i++)
		if (functions[i].id == id)
			return &functions[i];
	return NULL;
}

/* How many it has is known when its records have been walked. */
uint32_t looped_block_size(const struct looped *looped)
{
	struct bytes words = looped->words;
	uint32_t whole = 0;

	for (uint32_t i = 0; i < looped->period; i++) {
		struct bytes record = words;
		uint32_t size = bytes_u32(&record);

		if (size < sizeof(struct raw_record) || size > RECORD_MAX_SIZE ||
		    size > LOOP_MAX_BLOCK - whole || !bytes_take(&words, size))
			return 0;
		whole += size;
	}
	return whole;
}

/* The words before it have any number of bytes: it is to be aligned. */
static int take_block(struct looped *looped)
{
	uint32_t size = looped_block_size(looped);

	looped->block = bump_take(&looped->bump, size, 1);
	if (size == 0)
		return -EBADMSG;
	if (!looped->block)
		return -ENOBUFS;
	memcpy(looped->block, bytes_take(&looped->words, size), size);
	looped->block_size = size;
	return 0;
}

/* Bytes of each part; those of an iteration are known then. */
static int measure_parts(struct looped *looped)
{
	uint64_t whole = 0;
	uint32_t at = 0;

	for (uint32_t i = 0; i < looped->part_count; i++) {
		struct loop_part *part = &looped->parts[i];

		part->at = at;
		for (uint32_t k = 0; k < part->count; k++)
			at += looped_record_at(looped, at)->size;
		part->size = at - part->at;
		whole += (uint64_t)part->size * part->times;
		if (whole > LOOP_MAX_TURN_BYTES)
			return -EBADMSG;
	}
	looped->turn_size = (uint32_t)whole;
	return 0;
}

static int take_parts(struct looped *looped)
{
	struct bytes words = looped->part_words;
	uint32_t first = 0;

	for (uint32_t i = 0; i < looped->part_count; i++) {
		struct loop_part *part = &looped->parts[i];

		*part = (struct loop_part){.first = first, .count = looped->period, .times = 1};
		if (looped->nested) {
			part->count = (uint32_t)bytes_varint(&words);
			part->times = (uint32_t)bytes_varint(&words);
		}
		first += part->count;
	}
	return measure_parts(looped);
}

static bool is_sound(const struct looped *looped, const struct list_function *functions,
		     const struct raw_record *record)
{
	const struct list_function *function = find_function(looped, functions, record->function);

	return function && record->arg_count <= function->arg_count &&
	       record->callsite < looped->lists.site_count &&
	       raw_blocks_check(record, function->classes);
}

static int check_block(struct looped *looped, const struct list_function *functions)
{
	struct bytes data = bytes_of(looped->block, looped->block_size);
	const struct raw_record *record;

	while (raw_next(&data, &record))
		if (!is_sound(looped, functions, record))
			return -EBADMSG;
	return data.bad ? -EBADMSG : 0;
}

/* ---- steps ---- */

/* What is added to a number, or to both of a PAIR. */
static int read_growth(struct looped *looped, bool pair, uint64_t *growth)
{
	int64_t value = bytes_svarint(&looped->words), id = 0;

	*growth = (uint64_t)value;
	if (pair) {
		id = bytes_svarint(&looped->words);
		if (value != (int32_t)value || id != (int32_t)id)
			return -EBADMSG;
		*growth = pair_make((int32_t)value, (uint32_t)id);
	}
	return looped->words.bad ? -EBADMSG : 0;
}

static int read_step(struct looped *looped, const struct list_function *functions, uint32_t at,
		     uint64_t field, struct looped_step *step)
{
	const struct raw_record *record = looped_record_at(looped, at);
	const struct list_function *function = find_function(looped, functions, record->function);
	unsigned class = function->result_class;

	step->within = 0;
	step->sum_at = 0;
	step->at = at + (uint32_t)offsetof(struct raw_record, result);
	if (field > record->arg_count) {
		struct loop_field place =
			loop_array_field(record, function->classes, function->arg_count, field);

		if (!looped->nested || place.at == 0 || place.implied)
			return -EBADMSG;
		class = CLASS_INT;
		step->at = at + place.at;
		step->sum_at = place.sum_at > 0 ? at + place.sum_at : 0;
	} else if (field != LOOP_RESULT) {
		class = function->classes[field - 1];
		step->at = at + (uint32_t)(sizeof(*record) + 8 * (field - 1));
	}
	if (class != CLASS_INT && class != CLASS_DOUBLE && class != CLASS_PAIR)
		return -EBADMSG;
	step->pair = class == CLASS_PAIR;
	if (looped->nested && read_growth(looped, step->pair, &step->within))
		return -EBADMSG;
	return read_growth(looped, step->pair, &step->step);
}

/* In the order of records, and of fields in each. */
static int read_steps(struct looped *looped, const struct list_function *functions)
{
	uint32_t record = 0, at = 0;
	uint64_t after = 0; /* the least field that may come */
	int error = 0;

	looped->step_count = lists_take_count(&looped->words, UINT32_MAX / 2);
	looped->steps = bump_take(&looped->bump, looped->step_count, sizeof(*looped->steps));
	if (!looped->steps)
		return -ENOBUFS;
	for (uint32_t i = 0; i < looped->step_count && !error; i++) {
		uint64_t distance = bytes_varint(&looped->words);
		uint64_t field = bytes_varint(&looped->words);

		if (looped->words.bad || distance >= looped->period - record ||
		    (distance == 0 && field < after))
			return -EBADMSG;
		for (record += (uint32_t)distance; distance > 0; distance--)
			at += looped_record_at(looped, at)->size;
		error = read_step(looped, functions, at, field, &looped->steps[i]);
		after = field + 1;
	}
	return error;
}

/* ---- events ---- */

static int read_events(struct looped *looped)
{
	const struct loop_part *part = looped->parts;
	uint64_t contexts = 0;

	for (uint32_t i = 0; i < looped->period; i++) {
		uint64_t inside = bytes_varint(&looped->words);
		uint64_t context = bytes_varint(&looped->words);

		if (looped->words.bad || inside > i || context > contexts)
			return -EBADMSG;
		looped->inside[i] = (uint32_t)inside;
		looped->context[i] = (uint32_t)context;
		part += i == part->first + part->count;
		looped->each[context] += part->times;
		contexts += context == contexts;
	}
	looped->context_count = (uint32_t)contexts;
	if (bytes_varint(&looped->words) != contexts ||
	    !loop_order(looped->inside, looped->period, looped->room, looped->events) ||
	    !loop_order_parts(looped->events, looped->parts, looped->part_count))
		return -EBADMSG;
	return 0;
}

/* Each has as many numbers as there are events in all iterations. */
static int read_histograms(struct looped *looped)
{
	uint64_t buckets = 0;

	for (uint32_t i = 0; i < 2 * looped->context_count; i++) {
		uint64_t numbers = looped->iterations * looped->each[i % looped->context_count];
		int error = histogram_read_runs(&looped->runs[i], (uint32_t)numbers, &looped->words,
						&looped->bump);

		if (error)
			return error;
		if (looped->runs[i].numbers != numbers)
			return -EBADMSG;
		buckets += looped->runs[i].buckets;
	}
	if (bytes_left(&looped->words) > 0 || buckets * looped->windows > LOOP_MAX_SHARES)
		return -EBADMSG;
	return 0;
}

/* ---- memory ---- */

static bool allocate(struct looped *looped)
{
	struct bump *bump = &looped->bump;
	size_t period = looped->period;

	looped->sites = bump_take(bump, looped->lists.site_count, sizeof(*looped->sites));
	looped->parts = bump_take(bump, looped->part_count, sizeof(*looped->parts));
	looped->inside = bump_take(bump, period, sizeof(*looped->inside));
	looped->context = bump_take(bump, period, sizeof(*looped->context));
	looped->room = bump_take(bump, 3 * period, sizeof(*looped->room));
	looped->begins = bump_take(bump, period, sizeof(*looped->begins));
	looped->ends = bump_take(bump, period, sizeof(*looped->ends));
	looped->each = bump_take_zeros(bump, period, sizeof(*looped->each));
	looped->events = bump_take(bump, 2 * period, sizeof(*looped->events));
	return looped->events && looped->sites && looped->parts;
}

static bool allocate_contexts(struct looped *looped)
{
	size_t count = 2 * (size_t)looped->context_count;

	looped->runs = bump_take(&looped->bump, count, sizeof(*looped->runs));
	looped->dealt = bump_take(&looped->bump, count, sizeof(*looped->dealt));
	return looped->runs && looped->dealt;
}

/* Whether there is room for the numbers of any window. */
static bool window_fits(const struct looped *looped)
{
	uint64_t iterations = looped->iterations / looped->windows + 1;
	uint64_t numbers = 2 * iterations * looped->turn * sizeof(uint64_t);

	return numbers + 2 * (uint64_t)looped->context_count * BUMP_ALIGNMENT <= looped->bump.left;
}

int looped_read(struct looped *looped, const struct list_function *functions, void *memory,
		size_t size)
{
	struct bytes words = looped->words; /* it may be called again, with more memory */
	int error;

	looped->bump = (struct bump){memory, size};
	error = allocate(looped) ? take_block(looped) : -ENOBUFS;
	if (!error)
		error = take_parts(looped);
	if (!error)
		error = check_block(looped, functions);
	if (!error)
		error = lists_sites(&looped->lists, looped->sites);
	if (!error)
		error = read_steps(looped, functions);
	if (!error)
		error = read_events(looped);
	looped->windows = (uint32_t)loop_windows(looped->iterations, looped->turn_size);
	if (!error && !allocate_contexts(looped))
		error = -ENOBUFS;
	if (!error)
		error = read_histograms(looped);
	if (!error && !window_fits(looped))
		error = -ENOBUFS;
	looped->words = words;
	return error;
}
