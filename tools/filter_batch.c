/* SPDX-License-Identifier: MIT */
/* filter_batch.c - see filter_batch.h */
#include "filter_batch.h"

#include <string.h>

#include "format/kinds.h"
#include "format/raw.h"
#include "format/signatures_encode.h"
#include "message.h"

void filter_batch_thread(struct filter_batch *batch, const struct thread *thread, uint64_t t_base)
{
	batch->thread = thread;
	batch->sequence = 0;
	batch->t_base = t_base;
	batch->last = 0;
}

bool filter_batch_takes(const struct filter_batch *batch, uint64_t unit, uint64_t phase,
			bool summed)
{
	return batch->unit == unit && batch->phase == phase && batch->summed == summed;
}

void filter_batch_times(struct filter_batch *batch, uint64_t unit, uint64_t phase, bool summed)
{
	batch->unit = unit;
	batch->phase = phase;
	batch->summed = summed;
}

/* ---- records ---- */

static uint32_t site_number(struct filter_batch *batch, struct list_site site)
{
	uint32_t hash = index_hash(&site, sizeof(site)), position = hash, count;
	int64_t number;

	while ((number = index_next(&batch->site_index, hash, &position)) >= 0)
		if (!memcmp(batch->sites.bytes + (size_t)number * sizeof(site), &site,
			    sizeof(site)))
			return (uint32_t)number;
	count = (uint32_t)(batch->sites.size / sizeof(site));
	buffer_add(&batch->sites, &site, sizeof(site));
	if (index_add(&batch->site_index, hash, count))
		die("out of memory");
	return count;
}

void filter_batch_add(struct filter_batch *batch, const struct raw_record *record)
{
	struct raw_record *copy = (void *)buffer_room(&batch->records, record->size);
	struct list_site site;

	memcpy(copy, record, record->size);
	memset(&site, 0, sizeof(site)); /* it is compared byte by byte */
	site.module = record->reserved1;
	site.offset = record->callsite;
	if (site.module == 0) {
		const struct def_module *module =
			definitions_module_at(&batch->thread->stream->defs, site.offset);

		if (module) {
			site.module = module->id;
			site.offset += module->offset - module->start;
		}
	}
	copy->callsite = site_number(batch, site);
	copy->reserved0 = 0;
	copy->reserved1 = 0;
	copy->sequence = (uint32_t)(batch->sequence + batch->count);
	batch->disordered |= record->tend < batch->last || record->tstart > record->tend ||
			     record->tend < batch->t_base || record->repeat == 0;
	if (record->tend > batch->last)
		batch->last = record->tend;
	if (record->repeat > 1)
		batch->flags |= CHUNK_REPEATS;
	batch->records.size += record->size;
	batch->count++;
}

/* ---- encoded ---- */

static struct encode_function describe(void *data, uint16_t id)
{
	const struct filter_batch *batch = data;
	const struct function *function = definitions_function(&batch->thread->stream->defs, id);
	struct encode_function described = {.result_class = (uint8_t)function->info.result.class_,
					    .arg_count = function->stored_args,
					    .arg_classes = function->classes,
					    .result_descriptor =
						    kind_is_descriptor(function->result_kind)};

	for (unsigned i = 0; i < function->info.arg_count; i++)
		described.descriptors |= (uint64_t)kind_is_descriptor(function->kinds[i]) << i;
	return described;
}

static struct encode_site site_of(void *data, uint64_t number)
{
	const struct filter_batch *batch = data;
	const struct list_site *site = &((const struct list_site *)batch->sites.bytes)[number];

	return (struct encode_site){site->module, site->offset};
}

static uint8_t *room_of(struct buffer *buffer, size_t size)
{
	buffer_clear(buffer);
	return buffer_room(buffer, size);
}

static bool encode(struct filter_batch *batch, struct chunk_header *header)
{
	const struct stream *stream = batch->thread->stream;
	size_t size = batch->records.size;
	uint8_t *words = room_of(&batch->words, signatures_words_room(size));
	uint8_t *bits = room_of(&batch->bits, signatures_bits_room(size));
	struct encode_input input = {.size = (uint32_t)size,
				     .count = batch->count,
				     .t_base = batch->t_base,
				     .unit = batch->unit,
				     .phase = batch->phase,
				     .self = stream->rank > 0 ? (uint64_t)stream->rank : 0,
				     .data = batch,
				     .function = describe,
				     .site = site_of};
	struct encode_output output;

	buffer_room(&batch->records, RECORDS_BEHIND);
	input.records = batch->records.bytes;
	if (batch->disordered ||
	    signatures_encode(&input, room_of(&batch->work, signatures_work_size(size)), words,
			      bits, &output))
		return false;
	room_of(&batch->body, signatures_body_bound(output.words_size, output.bits_size));
	if (!signatures_body(batch->deflater, words, bits, &output, batch->body.bytes, header))
		die("cannot compress");
	batch->body.size = header->body_size;
	return true;
}

/* The address that the site had, as raw records have it. */
static uint64_t address_of(struct filter_batch *batch, uint64_t number)
{
	struct encode_site site = site_of(batch, number);
	const struct def_module *module =
		site.module ? idmap_get(&batch->thread->stream->defs.modules, site.module) : NULL;

	return module ? site.offset - module->offset + module->start : site.offset;
}

/* What cannot be encoded, since times of a broken trace are out of order, or there is too much of something. */
static void store_raw(struct filter_batch *batch, struct chunk_header *header)
{
	struct bytes records = bytes_of(batch->records.bytes, batch->records.size);
	const struct raw_record *record;

	buffer_clear(&batch->body);
	header->encoding = DATA_RAW;
	header->t_base = batch->t_base;
	header->t_min = UINT64_MAX;
	header->t_max = header->carried = 0;
	while (raw_next(&records, &record)) {
		uint64_t address = address_of(batch, record->callsite);
		size_t at = batch->body.size + offsetof(struct raw_record, callsite);

		buffer_add(&batch->body, record, record->size);
		memcpy(batch->body.bytes + at, &address, sizeof(address));
		if (record->tstart < header->t_min)
			header->t_min = record->tstart;
		if (record->tend > header->t_max)
			header->t_max = record->tend;
		if (record->tstart < batch->t_base && header->carried < CHUNK_MAX_CARRIED)
			header->carried++;
	}
	header->body_size = header->plain_size = (uint32_t)batch->body.size;
}

void filter_batch_encode(struct filter_batch *batch, struct chunk_header *header)
{
	*header = (struct chunk_header){.type = CHUNK_DATA,
					.thread = batch->thread->index,
					.count = batch->count,
					.first_sequence = batch->sequence};
	if (!encode(batch, header))
		store_raw(batch, header);
	header->flags = (uint16_t)(batch->flags | (batch->summed ? CHUNK_SUMMED : 0));
	batch->sequence += batch->count;
	batch->t_base = batch->last;
	buffer_clear(&batch->records);
	buffer_clear(&batch->sites);
	index_release(&batch->site_index);
	batch->count = batch->flags = 0;
	batch->disordered = false;
}

void filter_batch_release(struct filter_batch *batch)
{
	buffer_release(&batch->records);
	buffer_release(&batch->sites);
	buffer_release(&batch->body);
	buffer_release(&batch->work);
	buffer_release(&batch->words);
	buffer_release(&batch->bits);
	index_release(&batch->site_index);
}
