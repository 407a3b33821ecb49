/* SPDX-License-Identifier: MIT */
/* records.c - see records.h */
#include "read/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/huge_pages.h"
#include "format/raw.h"
#include "read/streams.h"

#define ITEMS_AT_ONCE 256u
#define USUAL_SIZE HUGE_PAGE /* bytes */

/* Room for `more` elements behind `used`; what is there stays. */
static void *grow(void *memory, size_t *capacity, size_t used, size_t more, size_t each)
{
	size_t wanted = *capacity * 2 + more;

	if (*capacity - used >= more)
		return memory;
	memory = realloc(memory, wanted * each);
	if (memory)
		*capacity = wanted;
	return memory;
}

static struct record_item *reserve_items(struct records *records, uint32_t more)
{
	size_t capacity = records->capacity;
	struct record_item *items =
		grow(records->items, &capacity, records->count, more, sizeof(*items));

	if (!items)
		return NULL;
	records->items = items;
	records->capacity = (uint32_t)capacity;
	return items + records->count;
}

static uint64_t *reserve_values(struct records *records, size_t used, size_t more)
{
	/* more: what templates_put_words() reads of the last one, and never NULL for none */
	uint64_t *values = grow(records->values, &records->value_capacity, used,
				more + TEMPLATE_FIRST, sizeof(*values));

	if (!values)
		return NULL;
	records->values = values;
	return values + used;
}

/*
 * Most of a large chunk's memory is its items: as one huge page, if the machine has such, they cost one page fault instead of hundreds, which had
 * been a twelfth of all that reading costs whoever makes a cursor for few chunks. From half a megabyte on, to clear the rest of the page costs no more than to touch what is used page by page; less where
 * pages are dear.
 */
static void *allocate_usual(size_t *size)
{
	if (*size > USUAL_SIZE / 4)
		*size = USUAL_SIZE;
	return huge_pages_alloc(*size);
}

/* Room for a chunk of so many records, of which nothing is there yet: what is there need not be moved. More than usual is not believed before it is there. */
static void *renew(void *memory, size_t *capacity, uint64_t wanted, size_t each)
{
	size_t usual = wanted < USUAL_SIZE / each ? (size_t)wanted : USUAL_SIZE / each;
	size_t size = usual * each;

	if (*capacity >= usual)
		return memory;
	free(memory);
	memory = allocate_usual(&size);
	*capacity = memory ? size / each : 0;
	return memory;
}

static void renew_all(struct records *records, const struct signatures *signatures)
{
	uint64_t count = (uint64_t)signatures->lists.count + ITEMS_AT_ONCE;
	size_t capacity = records->capacity;

	records->items = renew(records->items, &capacity, count, sizeof(*records->items));
	records->capacity = (uint32_t)capacity;
	records->values = renew(records->values, &records->value_capacity,
				count * signatures->patches_max, sizeof(*records->values));
}

/* Ticks are kept where records of runs need them. 0 or -ENOMEM. */
static int take_ticks(struct records *records, const struct record_item *items, uint32_t count)
{
	struct record_ticks *ticks = grow(records->ticks, &records->tick_capacity, records->count,
					  ITEMS_AT_ONCE, sizeof(*ticks));

	if (!ticks)
		return -ENOMEM;
	records->ticks = ticks;
	for (uint32_t i = 0; i < count; i++)
		ticks[records->count + i] =
			(struct record_ticks){items[i].decoded.tstart, items[i].decoded.tend};
	return 0;
}

/* Flags of items that follow from their times, which still are in ticks. */
static void flag_items(const struct records *records, struct record_item *items, uint32_t count)
{
	const struct stream *stream = records->thread->stream;

	for (uint32_t i = 0; i < count; i++) {
		const struct signature_item *item = &items[i].decoded;
		unsigned flags = convert_phase(stream, item->tstart, item->tend);

		if (item->tstart < records->t_base)
			flags |= RECORD_CARRIED;
		if (records->summed)
			flags |= RECORDER_TIMES_SUMMED;
		items[i].flags = (uint16_t)flags;
	}
}

/* Whether any of them may have some. Ends rise, and none but those that were carried into the chunk began before it. */
static bool may_have_flags(const struct records *records, bool carried,
			   const struct record_item *items, uint32_t count)
{
	const struct stream *stream = records->thread->stream;

	return records->summed || carried || records->t_base <= stream->main_begin ||
	       items[count - 1].decoded.tend >= stream->main_end;
}

static void convert_items(const struct records *records, struct record_item *items, uint32_t count)
{
	const struct timeline_view view =
		timeline_view(&records->thread->stream->timeline, records->t_base);

	for (uint32_t i = 0; i < count; i++) {
		items[i].tstart = timeline_view_ns(&view, items[i].decoded.tstart);
		items[i].tend = timeline_view_ns(&view, items[i].decoded.tend);
	}
}

/* The next ones of a chunk; how many there were, a negative errno. */
static int take_items(struct records *records, struct data_decoder *decoder, bool runs,
		      uint32_t *used)
{
	struct signatures *signatures = &decoder->signatures;
	struct record_item *items = reserve_items(records, ITEMS_AT_ONCE);
	uint64_t *values =
		reserve_values(records, *used, (size_t)ITEMS_AT_ONCE * signatures->patches_max);
	bool carried = !lists_ended(&signatures->lists);
	int got;

	if (!items || !values)
		return -ENOMEM;
	got = signatures_items(signatures, &items->decoded, ITEMS_AT_ONCE, records->values, used);
	if (got <= 0)
		return got;
	if (signatures->size > CHUNK_MAX_RAW)
		return -EFBIG;
	if (runs && take_ticks(records, items, (uint32_t)got))
		return -ENOMEM;
	if (may_have_flags(records, carried, items, (uint32_t)got))
		flag_items(records, items, (uint32_t)got);
	convert_items(records, items, (uint32_t)got);
	records->count += (uint32_t)got;
	return got;
}

int records_decode(struct records *records, struct data_decoder *decoder,
		   const struct filter *filter, struct converter *converter)
{
	struct data_room work = records->work;
	bool runs = templates_have_runs(records->thread, &decoder->signatures);
	uint32_t used = 0;
	int got;

	renew_all(records, &decoder->signatures);
	do {
		got = take_items(records, decoder, runs, &used);
	} while (got > 0);
	if (got < 0)
		return got;
	records->work = decoder->work;
	decoder->work = work;
	return templates_make(&records->templates, &decoder->signatures, records->thread, filter,
			      converter);
}

int records_of_raw(struct records *records)
{
	struct bytes data = bytes_of(records->raw.records, records->raw.size);
	const struct timeline *timeline = &records->thread->stream->timeline;
	const struct raw_record *raw;

	records->raw_form = true;
	while (bytes_left(&data) > 0) {
		struct record_item *item = reserve_items(records, 1);

		if (!item)
			return -ENOMEM;
		raw = (const struct raw_record *)data.p;
		*item = (struct record_item){.tstart = timeline_ns(timeline, raw->tstart),
					     .tend = timeline_ns(timeline, raw->tend),
					     .at = (uint32_t)(data.p - records->raw.records),
					     .flags = raw->tstart < records->t_base ? RECORD_CARRIED
										    : 0};
		records->count++;
		bytes_take(&data, raw->size);
	}
	return 0;
}

void records_clear(struct records *records, const struct thread *thread, const struct chunk *chunk)
{
	records->thread = thread;
	records->first_sequence = chunk->first_sequence;
	records->t_base = chunk->t_base;
	records->count = 0;
	records->summed = chunk_is_summed(chunk);
	records->raw_form = false;
	records->raw.size = 0;
}

void records_release(struct records *records)
{
	templates_release(&records->templates);
	free(records->items);
	free(records->raw.records);
	free(records->values);
	free(records->ticks);
	free(records->work.memory);
	memset(records, 0, sizeof(*records));
}

/* ---- one of them ---- */

static const struct raw_record *raw_at(const struct records *records, uint32_t index)
{
	return (const struct raw_record *)(records->raw.records + records->items[index].at);
}

static const struct function *function_of(const struct records *records,
					  const struct raw_record *raw)
{
	return definitions_function(&records->thread->stream->defs, raw->function);
}

uint16_t records_level(const struct records *records, uint32_t index)
{
	if (records->raw_form)
		return raw_at(records, index)->level;
	return records->templates.all[records->items[index].signature]->record.level;
}

uint64_t records_sequence(const struct records *records, uint32_t index)
{
	if (!records->raw_form)
		return records->first_sequence + index;
	return sequence_near(records->first_sequence, raw_at(records, index)->sequence);
}

bool records_raw_wanted(const struct records *records, uint32_t index, const struct filter *filter)
{
	const struct raw_record *raw = raw_at(records, index);
	const struct function *function = function_of(records, raw);

	return function && raw->arg_count <= function->stored_args &&
	       filter_function(filter, function) && number_set_has(&filter->levels, raw->level);
}

void records_set_busy(const struct records *records, uint32_t index,
		      const struct converter *converter, struct recorder_record *record)
{
	const struct record_ticks *ticks = &records->ticks[index];
	const struct template *template = records->templates.all[records->items[index].signature];

	if (record->repeat > 1)
		record->busy = convert_busy(records->thread->stream, ticks->tstart, ticks->tend,
					    record->flags & RECORDER_TIMES_SUMMED,
					    templates_busy(template, converter));
}

const struct recorder_record *records_give_raw(struct records *records, uint32_t index,
					       struct converter *converter)
{
	const struct raw_record *raw = raw_at(records, index);

	convert(converter, records->thread, function_of(records, raw), raw,
		records_sequence(records, index));
	return &converter->record;
}
