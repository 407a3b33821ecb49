/* SPDX-License-Identifier: MIT */
/* structures.c - see structures.h */
#include "structures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/kinds.h"
#include "read/records.h"
#include "same.h"

#define FUNCTIONS 256u /* of a chunk */

static struct function functions[FUNCTIONS];
static const struct function *by_id[UINT16_MAX + 1];
static struct stream stream;
static struct thread thread;

/* Of which arguments are known only after the call, of what tells that it failed, and of runs or none there is every kind. */
static void make_function(struct function *function, const struct list_function *made)
{
	static const int16_t kinds[] = {KIND_mpi_error, KIND_herr, KIND_nc_error, -1};
	unsigned folds = made->arg_count > 0 && made->id % 5 < 2 &&
			 made->classes[made->arg_count - 1] == CLASS_INT;

	*function = (struct function){
		.info = {.id = made->id, .arg_count = made->arg_count - folds},
		.stored_args = made->arg_count,
		.classes = made->classes,
		.outputs = 0x5a5a5a5a5a5a5a5au >> made->id % 7,
		.result_kind = kinds[made->id % 4],
	};
	function->info.result.class_ = (enum reader_class)made->result_class;
	by_id[made->id] = function;
}

static void make_stream(void)
{
	struct anchor anchor = {.ticks = 1, .mono = 77};

	if (thread.stream)
		return;
	stream.defs.functions = by_id;
	stream.defs.function_count = UINT16_MAX + 1;
	thread.stream = &stream;
	SAME(timeline_anchor(&stream.timeline, &anchor) == 0);
	SAME(timeline_finish(&stream.timeline, 2600000000, false) == 0);
}

static void open_chunk(struct data_decoder *decoder, const struct chunk_header *header,
		       const void *stored, structures_describe *describe)
{
	SAME(data_open(decoder, header, stored) == 0);
	SAME(data_lists(decoder)->function_count <= FUNCTIONS);
	for (uint32_t i = 0; i < data_lists(decoder)->function_count; i++) {
		describe(&decoder->functions[i]);
		make_function(&functions[i], &decoder->functions[i]);
	}
	SAME(data_begin(decoder) == 0);
}

static void compare_args(const struct recorder_arg *a, const struct recorder_arg *b)
{
	SAME(a->state == b->state && a->i64 == b->i64 && a->id == b->id);
	SAME(memcmp(&a->f64, &b->f64, sizeof(a->f64)) == 0);
	SAME(a->count == b->count && a->original == b->original && a->sum == b->sum);
	SAME(!a->bytes == !b->bytes && !a->elements == !b->elements);
	if (a->bytes)
		SAME(memcmp(a->bytes, b->bytes, a->count + 1) == 0);
	if (a->elements)
		SAME(memcmp(a->elements, b->elements, a->count * sizeof(*a->elements)) == 0);
}

static void compare_records(const struct recorder_record *a, const struct recorder_record *b)
{
	SAME(a->tstart == b->tstart && a->tend == b->tend && a->level == b->level);
	SAME(a->func_id == b->func_id && a->sequence == b->sequence && a->flags == b->flags);
	SAME(a->ret == b->ret && a->ret_id == b->ret_id && a->err == b->err);
	SAME(a->busy == b->busy && a->repeat == b->repeat && a->module == b->module &&
	     a->callsite == b->callsite);
	SAME(a->stack == b->stack && a->arg_count == b->arg_count);
	for (unsigned i = 0; i < a->arg_count; i++)
		compare_args(&a->args[i], &b->args[i]);
}

void structures_compare(const struct chunk_header *header, const void *stored,
			structures_describe *describe)
{
	static struct data_decoder one_by_one, together;
	static struct converter plain, converter;
	static struct records records;
	static _Alignas(8) uint8_t buffer[DATA_RECORD_MAX];
	struct raw_record *raw = (void *)buffer;
	struct filter all = {.none = true, .after = INT64_MIN, .before = INT64_MAX};
	struct chunk chunk = {.encoding = header->encoding,
			      .t_base = header->t_base,
			      .first_sequence = 7};

	make_stream();
	stream.main_begin = header->t_min + (header->t_max - header->t_min) / 4;
	stream.main_end = header->t_max - (header->t_max - header->t_min) / 4;
	open_chunk(&one_by_one, header, stored, describe);
	open_chunk(&together, header, stored, describe);
	records_clear(&records, &thread, &chunk);
	SAME(records_decode(&records, &together, &all, &converter) == 0);
	SAME(records.count == header->count);
	for (uint32_t i = 0; i < records.count; i++) {
		SAME(data_next(&one_by_one, raw) > 0);
		raw->reserved0 = header->encoding == DATA_SUMMED ? RAW_TIMES_SUMMED : 0;
		convert(&plain, &thread, by_id[raw->function], raw, 7 + i);
		SAME(records_wanted(&records, i, &all));
		SAME(!(records.items[i].flags & RECORD_CARRIED) == (raw->tstart >= header->t_base));
		compare_records(&plain.record, records_give(&records, i, &converter));
	}
	SAME(data_next(&one_by_one, raw) == 0);
}
