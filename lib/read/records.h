/* SPDX-License-Identifier: MIT */
/*
 * records.h - the records of a decoded chunk, each of which can be given out as a structure, in any order.
 *
 * A chunk is decoded as a whole, so that a damaged one gives nothing instead of something. What is kept of a record is its time and what its signature does
 * not tell; of encodings 0 and 1 and of rings the raw record. Memory is used again from chunk to chunk, and nothing is allocated a record.
 */
#ifndef RECORDER_READ_RECORDS_H
#define RECORDER_READ_RECORDS_H

#include "format/data_decode.h"
#include "read/template.h"

#define RECORD_CARRIED (1u << 15) /* it began before the chunk; no flag of recorder_record */

/* It is decoded where it is kept, in ticks at first. */
struct record_item {
	union {
		struct signature_item decoded;
		struct {
			int64_t tstart, tend; /* ns */
			uint32_t at;          /* where its values are; byte of the raw record */
			uint16_t signature;
			uint16_t flags; /* that follow from its times */
		};
	};
};
_Static_assert(offsetof(struct record_item, at) == offsetof(struct signature_item, values) &&
		       offsetof(struct record_item, flags) ==
			       offsetof(struct signature_item, flags) &&
		       sizeof(struct record_item) == sizeof(struct signature_item),
	       "an item is the same before and after its times are converted");

struct record_ticks {
	uint64_t tstart, tend;
};

/* Zeroed memory has none. */
struct records {
	const struct thread *thread;
	uint64_t first_sequence, t_base; /* of the chunk */
	struct record_item *items;       /* in the order of ends */
	uint32_t count, capacity;
	bool summed;   /* times are made up */
	bool raw_form; /* `raw`, else templates and values */
	struct raw_buffer raw;
	struct templates templates;
	uint64_t *values;
	size_t value_capacity;
	struct record_ticks *ticks; /* of each item if there are runs */
	size_t tick_capacity;
	struct data_room work; /* the decoder's: templates point into it */
};

/* Those of a decoder that has begun. 0; -EBADMSG; -EFBIG: they are too many; -ENOMEM. */
int records_decode(struct records *records, struct data_decoder *decoder,
		   const struct filter *filter, struct converter *converter);
/* Those of `raw`. 0 or -ENOMEM. */
int records_of_raw(struct records *records);
void records_clear(struct records *records, const struct thread *thread, const struct chunk *chunk);
void records_release(struct records *records);

uint16_t records_level(const struct records *records, uint32_t index);
uint64_t records_sequence(const struct records *records, uint32_t index);

/* The same two things for raw records. */
bool records_raw_wanted(const struct records *records, uint32_t index, const struct filter *filter);
const struct recorder_record *records_give_raw(struct records *records, uint32_t index,
					       struct converter *converter);
/* Of a record that was made by a template of runs: how long it took. */
void records_set_busy(const struct records *records, uint32_t index,
		      const struct converter *converter, struct recorder_record *record);

/* Puts in what templates_give() leaves open. */
static inline void records_stamp(struct recorder_record *record, const struct record_item *item,
				 uint64_t sequence)
{
	record->tstart = item->tstart;
	record->tend = item->tend;
	record->busy = item->tend - item->tstart;
	record->sequence = sequence;
	record->flags |= item->flags & (uint16_t)~RECORD_CARRIED;
}

/* Whether its function and level are asked for. */
static inline bool records_wanted(const struct records *records, uint32_t index,
				  const struct filter *filter)
{
	if (records->raw_form)
		return records_raw_wanted(records, index, filter);
	return records->templates.all[records->items[index].signature]->wanted;
}

/* The record, until the next one is given by the same converter or of the same records. */
static inline const struct recorder_record *records_give(struct records *records, uint32_t index,
							 struct converter *converter)
{
	const struct record_item *item = &records->items[index];
	struct template *template;
	struct recorder_record *record;

	if (records->raw_form)
		return records_give_raw(records, index, converter);
	template = records->templates.all[item->signature];
	record = templates_give(&records->templates, template, item->signature,
				records->values + item->at, converter);
	records_stamp(record, item, records->first_sequence + index);
	if (__builtin_expect(template->run, 0))
		records_set_busy(records, index, converter, record);
	return record;
}

#endif
