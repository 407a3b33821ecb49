/* SPDX-License-Identifier: MIT */
/* signatures_encode.c - see signatures_encode.h */
#include "format/signatures_encode.h"

#include <errno.h>
#include <string.h>

#include "format/aside_encode.h"
#include "format/deflater.h"
#include "format/period.h"
#include "format/places.h"
#include "format/record_blocks_encode.h"
#include "format/sequence_encode.h"
#include "format/signature_match.h"
#include "format/signature_plan.h"
#include "format/summed_encode.h"
#include "format/survey.h"
#include "format/time_groups.h"

/* Memory of one encoding. */
struct work {
	struct guesses predicted;
	uint16_t earlier[1u << PREDICTOR_LOG]; /* before that; as many as are needed */
	struct signature_table table;
	struct survey survey;
	struct sequence_work sequence;
	struct time_groups groups;
	struct survey_carried carried[CHUNK_MAX_CARRIED];
	/* what follows it: */
	uint64_t *idle, *duration; /* of each record, time units */
	uint64_t *runs, *ids;      /* of the prediction */
	uint64_t *sorted;          /* as many as records, or numbers aside */
	uint16_t *signature;       /* of each record */
	struct bump rest;          /* memory for summed times */
};

/* What encoding 3 needs beside it. */
struct summing {
	struct summed_work work;
	struct nesting_kind kinds[TABLE_SIGNATURES];
	uint64_t marks[SUMMED_MARKS];
	uint32_t mark_at[SUMMED_MARKS]; /* before which record each lies */
	uint32_t met_at[SUMMED_MARKS];  /* the same of the input's */
	uint32_t *carried;
};

struct encoder {
	const struct encode_input *input;
	struct work *work;
	struct summing *summing; /* NULL: times have stamps */
	struct survey *survey;
	struct varints words, bits;
};

static size_t most_records(size_t size)
{
	return size / sizeof(struct raw_record) + 1;
}

/* Numbers aside: one for each two arguments; those who have more are stored raw. */
static size_t most_aside(size_t size)
{
	return size / 16 + 64;
}

static size_t most_blocks(size_t size)
{
	return size / 32 + 16;
}

static size_t most_sorted(size_t size)
{
	return most_records(size) + most_aside(size);
}

/* For plans of functions and signatures. */
static size_t table_memory(size_t size)
{
	size_t records = most_records(size);

	return (records < TABLE_SIGNATURES ? records : TABLE_SIGNATURES) * 640 + (192u << 10);
}

size_t signatures_work_size(size_t size)
{
	size_t records = most_records(size);

	return sizeof(struct work) + (4 * records + 1) * sizeof(uint64_t) +
	       most_sorted(size) * sizeof(uint64_t) + records * sizeof(uint16_t) +
	       most_aside(size) * (sizeof(uint64_t) + sizeof(uint32_t)) + table_memory(size) +
	       2 * interner_size((uint32_t)most_blocks(size)) + sizeof(struct summing) +
	       summed_work_size(records) + CHUNK_MAX_CARRIED * sizeof(uint32_t) + 256;
}

size_t signatures_words_room(size_t size)
{
	return size + size / 4 + (64u << 10);
}

size_t signatures_bits_room(size_t size)
{
	return 9 * (2 * most_records(size) + most_aside(size)) + 4096;
}

/* ---- the pass over the records ---- */

static int survey(struct encoder *encoder, struct encode_output *output)
{
	const struct encode_input *input = encoder->input;
	struct survey *survey = encoder->survey;
	int error = survey_take(survey);

	if (error)
		return error;
	output->carried = survey->carried_count;
	output->t_base = survey->base * input->unit + input->phase;
	output->t_min = survey->first * input->unit + input->phase;
	output->t_max = survey->last * input->unit + input->phase;
	return 0;
}

/* ---- words ---- */

static void put_lists(struct encoder *encoder)
{
	const struct encode_input *input = encoder->input;
	const struct signature_table *table = &encoder->work->table;
	struct varints *words = &encoder->words;

	varints_put(words, input->unit);
	varints_put(words, input->phase);
	varints_put(words, table->function_count);
	for (uint32_t i = 0; i < table->function_count; i++)
		varints_put(words, table->functions[i]->id);
	varints_put(words, table->site_count);
	for (uint32_t i = 0; i < table->site_count; i++) {
		struct encode_site site = input->site(input->data, table->site_addresses[i]);

		varints_put(words, site.module);
		varints_put(words, site.offset);
	}
	for (uint32_t i = 0; i < encoder->survey->carried_count; i++) {
		varints_put(words, encoder->work->carried[i].index);
		varints_put(words, encoder->work->carried[i].before);
	}
	varints_put(words, input->self);
}

static void put_field(struct varints *words, const struct signature_field *field)
{
	varints_put(words, field->operation == FIELD_BEYOND ? FIELD_ADD : field->operation);
	if (field->operation >= FIELD_ADD)
		varints_put(words, field->chain);
	if (field->operation == FIELD_EQUAL)
		varints_put(words, field->operand);
	else if (field->operation != FIELD_ASIDE)
		varints_put_signed(words, (int64_t)field->operand);
}

static void put_signatures(struct encoder *encoder)
{
	const struct signature_table *table = &encoder->work->table;
	struct varints *words = &encoder->words;

	varints_put(words, table->count);
	for (uint32_t i = 0; i < table->count; i++) {
		const struct signature *signature = table->list[i];

		varints_put(words, signature->function);
		varints_put(words, signature->level);
		varints_byte(words, signature->flags);
		varints_put(words, (uint64_t)signature->group << 1 | signature->after);
		varints_put_signed(words, signature->err);
		varints_put(words, signature->arg_count);
		for (unsigned k = 0; k < signature->field_count; k++)
			put_field(words, &signature->fields[k]);
	}
}

/* ---- times ---- */

/* Those of each group together: idle ones where the prediction had its numbers, which are written by now. */
static void put_times(struct encoder *encoder)
{
	struct work *work = encoder->work;
	const uint64_t *idle = work->idle, *duration = work->duration;

	if (!time_groups_are_one(&work->groups, encoder->input->count)) {
		time_groups_sort(&work->groups, &work->table,
				 &(struct grouped_times){work->signature, idle, duration,
							 encoder->input->count},
				 work->runs, work->sorted);
		idle = work->runs;
		duration = work->sorted;
	}
	time_groups_put(&work->groups, idle, &work->sequence, &encoder->words, &encoder->bits);
	time_groups_put(&work->groups, duration, &work->sequence, &encoder->words, &encoder->bits);
}

/* ---- summed times ---- */

static void add_mark(struct summed_input *sums, struct summing *summing, uint64_t units,
		     uint32_t record)
{
	summing->mark_at[sums->mark_count] = record;
	summing->marks[sums->mark_count++] = units;
}

/* The instants within the chunk. Its first begin is one, so that the header's t_min is right. */
static void find_marks(struct encoder *encoder, uint64_t first, struct summed_input *sums)
{
	const struct encode_input *input = encoder->input;
	struct summing *summing = encoder->summing;
	bool begun = encoder->survey->carried_count > 0;

	for (uint32_t i = 0; i < encoder->survey->marks_met; i++) {
		uint64_t mark = units_of(&encoder->survey->units, input->marks[i]);

		if (input->marks[i] <= input->t_base)
			continue;
		if (!begun && (summing->met_at[i] > 0 || mark >= first)) {
			add_mark(sums, summing, first, 0);
			begun = true;
		}
		add_mark(sums, summing, mark, summing->met_at[i]);
	}
	if (!begun)
		add_mark(sums, summing, first, 0);
}

/* How many contexts there are, or negative. */
static int measure_times(struct encoder *encoder, const struct encode_output *output)
{
	const struct encode_input *input = encoder->input;
	struct work *work = encoder->work;
	struct summing *summing = encoder->summing;
	struct summed_input sums = {.count = input->count,
				    .carried_count = encoder->survey->carried_count,
				    .signature = work->signature,
				    .kinds = summing->kinds,
				    .begin = work->idle,
				    .end = work->duration,
				    .sorted = work->sorted,
				    .carried = summing->carried,
				    .marks = summing->marks,
				    .mark_at = summing->mark_at,
				    .base = units_of(&encoder->survey->units, input->t_base)};

	for (uint32_t i = 0; i < encoder->survey->carried_count; i++)
		summing->carried[i] = work->carried[i].index;
	for (uint32_t i = 0; i < work->table.count; i++) {
		work->table.list[i]->group = 0;
		summing->kinds[i] = (struct nesting_kind){work->table.list[i]->level,
							  work->table.list[i]->after};
	}
	find_marks(encoder, units_of(&encoder->survey->units, output->t_min), &sums);
	return summed_measure(&summing->work, &work->rest, &sums);
}

/* ---- */

static void set_up(struct encoder *encoder, void *memory)
{
	const struct encode_input *input = encoder->input;
	struct bump bump = {memory, signatures_work_size(input->size)};
	struct work *work = encoder->work = bump_take(&bump, 1, sizeof(*work));
	size_t blocks = interner_size((uint32_t)most_blocks(input->size));
	struct table_input table = {.aside_room = (uint32_t)most_aside(input->size),
				    .records = input->count,
				    .self = input->self,
				    .hints = input->hints,
				    .hint_count = input->hint_count,
				    .data = input->data,
				    .function = input->function};

	work->idle = bump_take(&bump, input->count, sizeof(*work->idle));
	work->duration = bump_take(&bump, input->count, sizeof(*work->duration));
	work->runs = bump_take(&bump, input->count + 1u, sizeof(*work->runs));
	work->ids = bump_take(&bump, input->count, sizeof(*work->ids));
	work->sorted = bump_take(&bump, most_sorted(input->size), sizeof(*work->sorted));
	work->signature = bump_take(&bump, input->count, sizeof(*work->signature));
	table.aside = bump_take(&bump, table.aside_room, sizeof(*table.aside));
	table.aside_of = bump_take(&bump, table.aside_room, sizeof(*table.aside_of));
	interner_init(&work->table.strings, bump_take(&bump, blocks, 1),
		      (uint32_t)most_blocks(input->size));
	interner_init(&work->table.arrays, bump_take(&bump, blocks, 1),
		      (uint32_t)most_blocks(input->size));
	table.bump = (struct bump){bump_take(&bump, table_memory(input->size), 1),
				   table_memory(input->size)};
	signature_table_init(&work->table, &table);
	sequence_work_init(&work->sequence);
	if (input->summed) {
		encoder->summing = bump_take(&bump, 1, sizeof(*encoder->summing));
		encoder->summing->carried = bump_take(&bump, CHUNK_MAX_CARRIED, sizeof(uint32_t));
		memset(&encoder->summing->work.histogram, 0,
		       sizeof(encoder->summing->work.histogram));
		work->rest = bump;
	}
}

static void set_up_survey(struct encoder *encoder)
{
	const struct encode_input *input = encoder->input;
	struct work *work = encoder->work;
	struct units units = units_make(input->unit, input->phase);
	uint32_t earlier = places_for(input->count);

	if (earlier > 1u << PREDICTOR_LOG)
		earlier = 1u << PREDICTOR_LOG;
	guesses_begin(&work->predicted, input->count);
	memset(work->earlier, 0, earlier * sizeof(*work->earlier));
	encoder->survey = &work->survey;
	work->survey.records = input->records;
	work->survey.count = input->count;
	work->survey.units = units;
	work->survey.base = units_of(&units, input->t_base);
	work->survey.table = &work->table;
	work->survey.predicted = &work->predicted;
	work->survey.earlier = work->earlier;
	work->survey.earlier_mask = earlier - 1;
	work->survey.signature = work->signature;
	work->survey.idle = work->idle;
	work->survey.duration = work->duration;
	work->survey.runs = work->runs;
	work->survey.ids = work->ids;
	work->survey.carried = work->carried;
	work->survey.summed = input->summed;
	work->survey.t_base = input->t_base;
	work->survey.marks = input->marks;
	work->survey.mark_count = input->summed ? input->mark_count : 0;
	work->survey.met_at = input->summed ? encoder->summing->met_at : NULL;
}

size_t signatures_body_bound(size_t words_size, size_t bits_size)
{
	return deflater_bound(words_size) + bits_size;
}

bool signatures_body(struct deflater *deflater, const uint8_t *words, const uint8_t *bits,
		     const struct encode_output *output, uint8_t *body, struct chunk_header *header)
{
	size_t size = deflater_run(deflater, words, output->words_size, body,
				   deflater_bound(output->words_size));

	if (!size)
		return false;
	memcpy(body + size, bits, output->bits_size);
	header->encoding = output->summed ? DATA_SUMMED : DATA_SIGNATURES;
	header->body_size = (uint32_t)size + output->bits_size;
	header->plain_size = output->words_size;
	header->carried = output->carried;
	header->t_base = output->t_base;
	header->t_min = output->t_min;
	header->t_max = output->t_max;
	return true;
}

void signatures_calls(const void *memory, void (*each)(uint16_t id, uint64_t calls))
{
	const struct signature_table *table = &((const struct work *)memory)->table;

	for (uint32_t i = 0; i < table->count; i++)
		each(table->functions[table->list[i]->function]->id, table->list[i]->calls);
}

uint32_t signatures_period(void *memory, uint32_t count, uint32_t most)
{
	struct work *work = memory;

	return period_of_end(work->signature, count, most, (uint32_t *)work->idle);
}

/* Finds the signatures. */
static int begin(struct encoder *encoder, const struct encode_input *input, void *memory,
		 struct encode_output *output)
{
	*encoder = (struct encoder){.input = input};
	set_up(encoder, memory);
	set_up_survey(encoder);
	return survey(encoder, output);
}

int signatures_encode(const struct encode_input *input, void *memory, uint8_t *words, uint8_t *bits,
		      struct encode_output *output)
{
	struct encoder encoder;
	struct work *work;
	int error, contexts = 0;

	output->summed = input->summed;
	if (input->summed && input->mark_count >= SUMMED_MARKS)
		return -E2BIG;
	error = begin(&encoder, input, memory, output);
	signature_plan_learn_copies(&encoder.work->table);
	/* once more with what it taught: else the first chunks have a signature for each of some fifty offsets */
	if (!error && encoder.work->table.learned)
		error = begin(&encoder, input, memory, output);
	if (error == -E2BIG && signature_plan_forget_copies(&encoder.work->table))
		error = begin(&encoder, input, memory, output);
	work = encoder.work;
	encoder.words = varints_in(words, signatures_words_room(input->size));
	encoder.bits = varints_in(bits, signatures_bits_room(input->size));
	if (!error && input->summed)
		error = contexts = measure_times(&encoder, output);
	if (error < 0)
		return error;
	put_lists(&encoder);
	record_blocks_put_strings(&encoder.words, &work->table.strings);
	record_blocks_put_arrays(&encoder.words, &work->table.arrays);
	if (!input->summed)
		time_groups_make(&work->groups, &work->table);
	varints_put(&encoder.words, work->table.chain_count);
	varints_put(&encoder.words, input->summed ? (uint32_t)contexts : work->groups.count);
	put_signatures(&encoder);
	sequence_write(&work->sequence, work->runs, encoder.survey->run_count + 1, SEQUENCE_PATTERN,
		       &encoder.words, &encoder.bits);
	sequence_write(&work->sequence, work->ids, encoder.survey->run_count, SEQUENCE_PATTERN,
		       &encoder.words, &encoder.bits);
	if (input->summed)
		summed_write(&encoder.summing->work, &encoder.words);
	else
		put_times(&encoder);
	aside_put_all(&(struct aside_output){.table = &work->table,
					     .sequence = &work->sequence,
					     .words = &encoder.words,
					     .bits = &encoder.bits,
					     .room = work->sorted,
					     .room_count = most_sorted(input->size)});
	if (encoder.words.full || encoder.bits.full)
		return -ENOBUFS;
	output->words_size = (uint32_t)(encoder.words.p - words);
	output->bits_size = (uint32_t)(encoder.bits.p - bits);
	return 0;
}
