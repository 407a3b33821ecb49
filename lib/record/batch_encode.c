/* SPDX-License-Identifier: MIT */
/* batch_encode.c - see batch_encode.h */
#include "record/batch_encode.h"

#include <errno.h>

#include "format/signatures_encode.h"
#include "record/bulk.h"
#include "record/config.h"
#include "record/function.h"
#include "record/hold.h"
#include "record/identity.h"
#include "record/mainspan.h"
#include "record/sanitizer.h"
#include "record/workdir.h"

#define MARKS_MAX 128u

/* What encoding taught about the fields of each function, for the next chunk (signature_table.h). */
static uint64_t hints[FUNCTION_IDS] BULK;

/* Where what a chunk is made from lies in the scratch memory. */
struct workplace {
	/* offsets behind the encoder's memory, the last one where all ends: a multiple of 16, so that definitions behind it are aligned */
	size_t words, bits, packed, marks, end;
};

static struct workplace workplace_of(uint32_t size)
{
	size_t words = signatures_words_room(size), bits = signatures_bits_room(size);
	struct workplace place;

	place.words = signatures_work_size(size);
	place.bits = place.words + words;
	place.packed = place.bits + bits;
	place.marks = (place.packed + signatures_body_bound(words, bits) + 15) & ~(size_t)15;
	place.end = place.marks + MARKS_MAX * sizeof(uint64_t);
	return place;
}

size_t batch_encode_room(uint32_t size)
{
	return workplace_of(size).end;
}

/* ---- what the encoder is told ---- */

static void insert_mark(uint64_t *marks, uint32_t *count, uint64_t ticks)
{
	uint32_t i = *count;

	for (; i > 0 && marks[i - 1] > ticks; i--)
		marks[i] = marks[i - 1];
	marks[i] = ticks;
	++*count;
}

/*
 * The instants that made-up times have to keep to: when calls began that have not ended, as their records will say in a later chunk, and when main() began and
 * ended. Where another thread's calls in flight are changing meanwhile an instant may be wrong; all that comes of it is a chunk with stamps.
 */
static sanitizer_race_known uint32_t find_marks(const struct thread *thread, uint64_t unit,
						uint64_t *marks)
{
	uint32_t count = 0, top = thread->open_top;
	uint64_t last = mainspan_last();

	for (uint32_t at = 0; at < top;) {
		const struct raw_record *record = (const void *)(thread->open + at);

		if (record->size < sizeof(*record) || record->size > top - at ||
		    count > MARKS_MAX - 2)
			break;
		insert_mark(marks, &count, record->tstart);
		at += record->size;
	}
	if (count > MARKS_MAX - 2)
		return UINT32_MAX; /* too many: the encoder refuses */
	insert_mark(marks, &count, mainspan_first());
	if (last) /* rounded up: what comes after it does so in time units, too */
		insert_mark(marks, &count, last + unit - 1);
	return count;
}

/* Whether times may be summed. What relative paths stand for goes by the time: records around a chdir() keep theirs. */
static bool may_sum(const struct batch *batch)
{
	return config.summed_times && workdir_last_change() < batch->t_base;
}

/* 0 or a negative errno, see signatures_encode(). */
static int encode_words(struct encode_input *input, const struct thread *thread,
			const struct batch *batch, void *work, uint8_t *words, uint8_t *bits,
			uint64_t *marks, struct encode_output *output)
{
	if (may_sum(batch)) {
		input->summed = true;
		input->marks = marks;
		input->mark_count = find_marks(thread, input->unit, marks);
		if (!signatures_encode(input, work, words, bits, output))
			return 0;
		input->summed = false;
	}
	return signatures_encode(input, work, words, bits, output);
}

/* What the next ring may be the continuation of. Too few records say nothing. */
static void look_for_loop(struct thread *thread, void *work, uint32_t count)
{
	uint32_t longest = hold_longest(thread);
	uint32_t period = longest > 0 ? signatures_period(work, count, longest) : 0;

	if (period > 0 || count > longest)
		thread->period = period;
}

int batch_encode(struct thread *thread, const struct batch *batch, struct scratch *scratch,
		 struct chunk_header *chunk, const uint8_t **body)
{
	struct workplace place = workplace_of(batch->size);
	uint8_t *words = scratch->free + place.words, *bits = scratch->free + place.bits;
	uint8_t *packed = scratch->free + place.packed;
	struct batch_classes classes;
	struct encode_input input = {.records = batch->records,
				     .size = batch->size,
				     .count = batch->count,
				     .t_base = batch->t_base,
				     .self = identity.rank > 0 ? (uint64_t)identity.rank : 0,
				     .hints = hints,
				     .hint_count = FUNCTION_IDS,
				     .data = &classes,
				     .function = batch_function,
				     .site = batch_site};
	struct encode_output output;
	int error;

	input.unit = batch_unit(&chunk->anchor);
	input.phase = batch_phase(input.unit, ((const struct raw_record *)batch->records)->tstart);
	error = encode_words(&input, thread, batch, scratch->free, words, bits,
			     (uint64_t *)(void *)(scratch->free + place.marks), &output);
	if (error)
		return error;
	if (!signatures_body(scratch->deflater, words, bits, &output, packed, chunk))
		return -ENOBUFS;
	*body = packed;
	if (config.summed_times)
		look_for_loop(thread, scratch->free, batch->count);
	return 0;
}
