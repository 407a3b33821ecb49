/* SPDX-License-Identifier: MIT */
/* summed_encode.c - see summed_encode.h */
#include "format/summed_encode.h"

#define SPAN_MAX ((uint64_t)1 << 62) /* of a chunk, so that no histogram has too large a sum */

size_t summed_work_size(size_t records)
{
	return records * sizeof(uint16_t) +
	       contexts_size(records < SUMMED_CONTEXTS ? records : SUMMED_CONTEXTS) +
	       4 * BUMP_ALIGNMENT;
}

/* The events from the last one back. */
struct measuring {
	struct summed_work *work;
	uint64_t last; /* event */
	uint64_t *gap; /* where that from the event before it goes */
};

static inline int measure_gap(struct measuring *measuring, uint64_t time, uint64_t *next)
{
	if (measuring->last < time)
		return -ERANGE;
	*measuring->gap = measuring->last - time;
	measuring->last = time;
	measuring->gap = next;
	return 0;
}

/* The place of each event's time becomes that of the gap before it, once the event before it is met. */
static inline int measure(void *data, enum nesting_what what, uint32_t which, uint32_t context)
{
	struct measuring *measuring = data;
	struct summed_work *work = measuring->work;
	const struct summed_input *input = &work->input;
	uint64_t *place;

	if (what == NESTING_END) {
		place = &input->end[which];
		work->context[which] = (uint16_t)context;
		work->ends[context]++;
	} else if (what == NESTING_BEGIN) {
		place = &input->begin[which];
		work->begins[context]++;
	} else {
		place = &input->marks[which];
	}
	return measure_gap(measuring, *place, place);
}

/*
 * Whether carried calls enclose all that ended before them: else gaps of calls beside them would be in their contexts. longjmp leaves such
 * calls behind.
 */
static bool carried_enclose(const struct summed_input *input)
{
	uint32_t carried = input->carried_count;
	int32_t around = -1; /* level of the carried call met last */

	for (uint32_t i = carried ? input->carried[carried - 1] + 1 : 0; i > 0; i--) {
		uint16_t level = input->kinds[input->signature[i - 1]].level;

		if (level <= around)
			return false;
		if (carried > 0 && input->carried[carried - 1] == i - 1) {
			around = level;
			carried--;
		}
	}
	return true;
}

int summed_measure(struct summed_work *work, struct bump *bump, const struct summed_input *input)
{
	uint32_t most = input->count < SUMMED_CONTEXTS ? input->count : SUMMED_CONTEXTS;
	uint64_t first, last = input->end[input->count - 1];
	struct measuring measuring = {work, last, &first};
	struct nesting *nesting = &work->nesting;
	int error;

	if (last - input->base > SPAN_MAX || !carried_enclose(input))
		return -ERANGE;
	work->input = *input;
	*nesting = (struct nesting){.signature = input->signature,
				    .kinds = input->kinds,
				    .carried = input->carried,
				    .marks = input->mark_at,
				    .count = input->count,
				    .carried_count = input->carried_count,
				    .mark_count = input->mark_count,
				    .open = work->open,
				    .depth = SUMMED_DEPTH};
	work->context = bump_take(bump, input->count, sizeof(*work->context));
	if (!work->context || !contexts_init(&nesting->contexts, most, bump))
		return -E2BIG;
	memset(work->begins, 0, most * sizeof(*work->begins));
	memset(work->ends, 0, most * sizeof(*work->ends));
	error = nesting_walk(nesting, measure, &measuring);
	if (!error)
		error = measure_gap(&measuring, input->base, &first);
	return error ? error : (int)nesting->contexts.count;
}

/* ---- writing ---- */

static void write_marks(const struct summed_work *work, struct varints *words)
{
	uint32_t before = 0;

	varints_put(words, work->input.mark_count);
	for (uint32_t i = 0; i < work->input.mark_count; i++) {
		varints_put(words, work->input.mark_at[i] - before);
		varints_put(words, work->input.marks[i]);
		before = work->input.mark_at[i];
	}
}

/* Puts the gaps of each context together, those of the last record first: in the order in which they were met. Carried records have no begin. */
static void sort(struct summed_work *work, const uint64_t *gaps, const uint32_t *counts,
		 uint32_t carried)
{
	const struct summed_input *input = &work->input;
	uint32_t *next = work->next;

	next[0] = 0;
	for (uint32_t i = 0; i < work->nesting.contexts.count; i++)
		next[i + 1] = next[i] + counts[i];
	for (uint32_t i = input->count; i > 0; i--) {
		if (carried > 0 && input->carried[carried - 1] == i - 1)
			carried--;
		else
			input->sorted[next[work->context[i - 1]]++] = gaps[i - 1];
	}
}

static void write_gaps(struct summed_work *work, const uint64_t *gaps, const uint32_t *counts,
		       uint32_t carried, struct varints *words)
{
	const uint64_t *sorted = work->input.sorted;

	sort(work, gaps, counts, carried);
	for (uint32_t i = 0; i < work->nesting.contexts.count; i++) {
		histogram_write(&work->histogram, sorted, counts[i], words);
		sorted += counts[i];
	}
}

void summed_write(struct summed_work *work, struct varints *words)
{
	write_marks(work, words);
	write_gaps(work, work->input.begin, work->begins, work->input.carried_count, words);
	write_gaps(work, work->input.end, work->ends, 0, words);
}
