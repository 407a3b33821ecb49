/* SPDX-License-Identifier: MIT */
/* batches.c - see batches.h */
#include "batches.h"

#include <stdlib.h>

#include "message.h"
#include "read/trace.h"
#include "streamshare.h"

#define BATCH_RECORDS 16384u /* from so many on it is complete */
#define STREAM_COST 200u     /* beginning a stream takes as long as so many records */

static uint64_t records_of(const struct stream *stream)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < stream->thread_count; i++) {
		const struct thread *thread = &stream->threads[i];

		count += thread->open.count;
		for (uint32_t k = 0; k < thread->chunk_count; k++)
			count += thread->chunks[k].count - thread->chunks[k].skip;
	}
	return count;
}

void batches_init(struct batches *batches, const struct reader *trace)
{
	bool begins = true;
	const struct stream *stream;

	*batches = (struct batches){.wanted = streams_wanted(trace)};
	batches->items = calloc(trace->stream_count + 1u, sizeof(*batches->items));
	if (!batches->items)
		die("out of memory");
	for (unsigned i = 0; (stream = stream_at(trace, i)); i++) {
		uint64_t records = records_of(stream);
		struct batch *batch;

		if (!batches->wanted[i])
			continue;
		if (begins)
			batches->items[batches->count++].first = i;
		batch = &batches->items[batches->count - 1];
		batch->end = i + 1;
		batch->records += records;
		batch->cost += records + STREAM_COST;
		begins = batch->records >= BATCH_RECORDS;
	}
}

void batches_release(struct batches *batches)
{
	free(batches->wanted);
	free(batches->items);
}

/* Where batches end, from `first` on, that cost at most so much; one always fits. */
static unsigned end_of(const struct batches *batches, unsigned first, uint64_t most)
{
	uint64_t cost = 0;
	unsigned end = first;

	while (end < batches->count && (end == first || cost + batches->items[end].cost <= most))
		cost += batches->items[end++].cost;
	return end;
}

static bool is_enough(const struct batches *batches, unsigned count, uint64_t most)
{
	unsigned end = 0;

	for (unsigned i = 0; i < count; i++)
		end = end_of(batches, end, most);
	return end == batches->count;
}

/* The least that the one who has most has to have. */
static uint64_t least_of(const struct batches *batches, unsigned count)
{
	uint64_t low = 0, high = 0;

	for (unsigned i = 0; i < batches->count; i++)
		high += batches->items[i].cost;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (is_enough(batches, count, middle))
			high = middle;
		else
			low = middle + 1;
	}
	return high;
}

void batches_share(const struct batches *batches, unsigned count, unsigned number, unsigned *first,
		   unsigned *end)
{
	uint64_t most = least_of(batches, count);

	*end = 0;
	for (unsigned i = 0; i <= number; i++) {
		*first = *end;
		*end = end_of(batches, *first, most);
	}
}

uint64_t *batches_numbers(const struct reader *trace)
{
	uint64_t *numbers = calloc(trace->stream_count + 1u, sizeof(*numbers));

	if (!numbers)
		die("out of memory");
	for (unsigned i = 0; stream_at(trace, i); i++)
		numbers[i + 1] = numbers[i] + records_of(stream_at(trace, i));
	return numbers;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(batches_are_shared_in_their_order_and_evenly)
{
	static struct batch items[] = {{.cost = 30}, {.cost = 20}, {.cost = 20},
				       {.cost = 30}, {.cost = 1},  {.cost = 1}};
	struct batches batches = {.items = items, .count = 6};

	for (unsigned count = 1; count <= 9; count++) {
		unsigned next = 0, first, end;
		uint64_t most = 0;

		for (unsigned i = 0; i < count; i++) {
			uint64_t cost = 0;

			batches_share(&batches, count, i, &first, &end);
			EXPECT_EQ(first, next);
			for (next = first; next < end; next++)
				cost += items[next].cost;
			most = cost > most ? cost : most;
		}
		EXPECT_EQ(next, 6);
		EXPECT_EQ(most, count == 1   ? 102
				: count == 2 ? 52
				: count == 3 ? 40
				: count == 4 ? 32
					     : 30);
	}
}

TEST_CASE(no_batches_are_shared_by_all)
{
	struct batches batches = {0};
	unsigned first = 1, end = 1;

	batches_share(&batches, 3, 2, &first, &end);
	EXPECT_EQ(first, 0);
	EXPECT_EQ(end, 0);
}
#endif
