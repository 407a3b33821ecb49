/* SPDX-License-Identifier: MIT */
/* records.c - see records.h */
#include "read/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/raw.h"
#include "read/streams.h"

#define ITEMS_AT_ONCE 256u

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
	/* one more: never NULL for none */
	uint64_t *values =
		grow(records->values, &records->value_capacity, used, more + 1, sizeof(*values));

	if (!values)
		return NULL;
	records->values = values;
	return values + used;
}

/* Ticks are kept where records of runs need them. 0 or -ENOMEM. */
static int take_ticks(struct records *records, const struct signature_item *from, uint32_t count)
{
	struct record_ticks *ticks = grow(records->ticks, &records->tick_capacity, records->count,
					  ITEMS_AT_ONCE, sizeof(*ticks));

	if (!ticks)
		return -ENOMEM;
	records->ticks = ticks;
	for (uint32_t i = 0; i < count; i++)
		ticks[records->count + i] = (struct record_ticks){from[i].tstart, from[i].tend};
	return 0;
}

/* Flags of items that follow from their times. */
static void flag_items(const struct records *records, const struct signature_item *from,
		       struct record_item *to, uint32_t count)
{
	const struct stream *stream = records->thread->stream;

	for (uint32_t i = 0; i < count; i++) {
		unsigned flags = convert_phase(stream, from[i].tstart, from[i].tend);

		if (from[i].tstart < records->t_base)
			flags |= RECORD_CARRIED;
		to[i].flags |= (uint16_t)flags;
	}
}

/* Whether an item may have any. */
static bool have_flags(const struct records *records, uint64_t first, uint64_t last)
{
	const struct stream *stream = records->thread->stream;

	return first < records->t_base || first <= stream->main_begin || last >= stream->main_end;
}

static void take_items(struct records *records, const struct signature_item *from, uint32_t count,
		       size_t used, const struct timeline_view *view, uint16_t flags)
{
	struct record_item *to = records->items + records->count;
	uint64_t first = UINT64_MAX;

	for (uint32_t i = 0; i < count; i++) {
		to[i].tstart = timeline_view_ns(view, from[i].tstart);
		to[i].tend = timeline_view_ns(view, from[i].tend);
		to[i].at = (uint32_t)used + from[i].values;
		to[i].signature = (uint16_t)from[i].signature;
		to[i].flags = flags;
		first = from[i].tstart < first ? from[i].tstart : first;
	}
	/* ends rise */
	if (count > 0 && have_flags(records, first, from[count - 1].tend))
		flag_items(records, from, to, count);
	records->count += count;
}

int records_decode(struct records *records, struct data_decoder *decoder,
		   const struct filter *filter, struct converter *converter)
{
	struct signatures *signatures = &decoder->signatures;
	struct timeline_view view =
		timeline_view(&records->thread->stream->timeline, records->t_base);
	struct signature_item items[ITEMS_AT_ONCE];
	struct data_room work = records->work;
	size_t used = 0;
	bool runs = templates_have_runs(records->thread, signatures);
	int got;

	do {
		uint64_t *values = reserve_values(records, used,
						  (size_t)ITEMS_AT_ONCE * signatures->patches_max);

		if (!values || !reserve_items(records, ITEMS_AT_ONCE))
			return -ENOMEM;
		got = signatures_items(signatures, items, ITEMS_AT_ONCE, values);
		if (got < 0)
			return got;
		if (signatures->size > CHUNK_MAX_RAW)
			return -EFBIG;
		if (runs && take_ticks(records, items, (uint32_t)got))
			return -ENOMEM;
		take_items(records, items, (uint32_t)got, used, &view,
			   records->summed ? RECORDER_TIMES_SUMMED : 0);
		if (got > 0)
			used += items[got - 1].values +
				signatures->signatures[items[got - 1].signature].patch_count;
	} while (got > 0);
	records->work = decoder->work;
	decoder->work = work;
	return templates_make(&records->templates, signatures, records->thread, filter, converter);
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
		*item = (struct record_item){timeline_ns(timeline, raw->tstart),
					     timeline_ns(timeline, raw->tend),
					     (uint32_t)(data.p - records->raw.records), 0,
					     raw->tstart < records->t_base ? RECORD_CARRIED : 0};
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
