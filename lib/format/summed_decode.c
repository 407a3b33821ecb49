/* SPDX-License-Identifier: MIT */
/* summed_decode.c - see summed_decode.h */
#include "format/summed_decode.h"

#include "format/varint.h"

static int read_marks(struct summed *summed, uint32_t records, struct bytes *words,
		      struct bump *bump)
{
	uint64_t index = 0;

	summed->mark_count = lists_take_count(words, CHUNK_MAX_CARRIED);
	summed->marks = bump_take(bump, summed->mark_count, sizeof(*summed->marks));
	summed->gaps = bump_take(bump, summed->mark_count, sizeof(*summed->gaps));
	if (!summed->marks || !summed->gaps)
		return -ENOBUFS;
	for (uint32_t i = 0; i < summed->mark_count; i++) {
		uint64_t distance = bytes_varint(words);

		summed->gaps[i] = bytes_varint(words);
		if (words->bad || distance > records - index)
			return -EBADMSG;
		index += distance;
		summed->marks[i] = (uint32_t)index;
	}
	return words->bad ? -EBADMSG : 0;
}

static int read_histograms(struct histogram *histograms, uint32_t count, uint32_t records,
			   struct bytes *words, struct bump *bump)
{
	int error = 0;

	for (uint32_t i = 0; i < count && !error; i++) {
		error = histogram_read(&histograms[i], records, words, bump);
		records -= error ? 0 : histograms[i].count;
	}
	return error;
}

int summed_open(struct summed *summed, const struct lists *lists, uint32_t signatures,
		uint32_t contexts, struct bytes *words, struct bump *bump)
{
	uint32_t count = lists->count;
	int error = read_marks(summed, count, words, bump);

	if (error)
		return error;
	if (contexts > count || count > CHUNK_MAX_RAW / sizeof(struct raw_record))
		return -EBADMSG;
	summed->context_count = contexts;
	summed->signature = bump_take(bump, count, sizeof(*summed->signature));
	summed->kinds = bump_take(bump, signatures, sizeof(*summed->kinds));
	summed->begin = bump_take(bump, count, sizeof(*summed->begin));
	summed->end = bump_take(bump, count, sizeof(*summed->end));
	summed->begins = bump_take(bump, contexts, sizeof(*summed->begins));
	summed->ends = bump_take(bump, contexts, sizeof(*summed->ends));
	if (!summed->signature || !summed->kinds || !summed->begin || !summed->end ||
	    !summed->begins || !summed->ends)
		return -ENOBUFS;
	error = read_histograms(summed->begins, contexts, count, words, bump);
	return error ? error : read_histograms(summed->ends, contexts, count, words, bump);
}

/* ---- dealing ---- */

struct dealing {
	const struct summed *summed;
	uint64_t time; /* of the event that is next, going back */
	uint64_t base;
};

static inline int deal(void *data, enum nesting_what what, uint32_t which, uint32_t context)
{
	struct dealing *dealing = data;
	const struct summed *summed = dealing->summed;
	uint64_t gap = 0;

	if (what == NESTING_MARK) {
		gap = summed->gaps[which];
		summed->gaps[which] = dealing->time;
	} else if (what == NESTING_END) {
		summed->end[which] = dealing->time;
		if (!histogram_next(&summed->ends[context], &gap))
			return -EBADMSG;
	} else {
		summed->begin[which] = dealing->time;
		if (!histogram_next(&summed->begins[context], &gap))
			return -EBADMSG;
	}
	if (gap > dealing->time - dealing->base)
		return -EBADMSG;
	dealing->time -= gap;
	return 0;
}

/* Those that began before the chunk, and when. */
static int read_carried(struct summed *summed, const struct lists *lists, uint32_t *carried)
{
	struct bytes list = lists->carried_list;

	for (uint32_t i = 0; i < lists->carried; i++) {
		uint64_t index = bytes_varint(&list), before = bytes_varint(&list);

		if (index >= lists->count || (i > 0 && index <= carried[i - 1]) || before == 0 ||
		    before > lists->base)
			return -EBADMSG;
		carried[i] = (uint32_t)index;
		summed->begin[index] = lists->base - before;
	}
	return 0;
}

static bool all_dealt(const struct summed *summed)
{
	for (uint32_t i = 0; i < summed->context_count; i++)
		if (summed->begins[i].left > 0 || summed->ends[i].left > 0)
			return false;
	return true;
}

int summed_deal(struct summed *summed, const struct lists *lists, struct bump *bump)
{
	uint32_t depth = lists->count < NESTING_DEPTH_MAX ? lists->count : NESTING_DEPTH_MAX;
	struct nesting nesting = {.signature = summed->signature,
				  .kinds = summed->kinds,
				  .marks = summed->marks,
				  .count = lists->count,
				  .carried_count = lists->carried,
				  .mark_count = summed->mark_count,
				  .depth = depth};
	struct dealing dealing = {summed, lists->last, lists->base};
	uint32_t *carried = bump_take(bump, lists->carried, sizeof(*carried));
	int error;

	nesting.open = bump_take(bump, depth, sizeof(*nesting.open));
	nesting.carried = carried;
	if (!carried || !nesting.open ||
	    !contexts_init(&nesting.contexts, summed->context_count, bump))
		return -ENOBUFS;
	if (lists->last < lists->base || read_carried(summed, lists, carried))
		return -EBADMSG;
	error = nesting_walk(&nesting, deal, &dealing);
	if (error || dealing.time != dealing.base ||
	    nesting.contexts.count != summed->context_count || !all_dealt(summed))
		return -EBADMSG;
	return 0;
}

#ifdef UNIT_TEST
#include "unittest.h"

#include <stdlib.h>

#include "format/signatures_decode.h"
#include "format/signatures_encode.h"

#define SUMMED_TEST_RECORDS 3000u
#define SUMMED_TEST_DEPTH 6u
#define SUMMED_TEST_UNIT 7u

static struct encode_function summed_test_function(void *data, uint16_t id)
{
	(void)data;
	(void)id;
	return (struct encode_function){.result_class = CLASS_INT};
}

static struct encode_site summed_test_site(void *data, uint64_t address)
{
	(void)data;
	return (struct encode_site){0, address};
}

static struct {
	struct raw_record records[SUMMED_TEST_RECORDS + 1]; /* one that can be read behind them */
	struct raw_record decoded[SUMMED_TEST_RECORDS];
	uint64_t open[SUMMED_TEST_DEPTH]; /* begins of calls in flight */
	uint64_t state, now;
	uint32_t count, depth;
	uint8_t words[1 << 20], bits[1 << 20];
} summed_test;

static uint64_t summed_test_random(uint64_t limit)
{
	summed_test.state = summed_test.state * 6364136223846793005u + 1442695040888963407u;
	return (summed_test.state >> 33) % limit;
}

/* A call begins, or the innermost one ends. */
static void summed_test_step(void)
{
	uint64_t most = summed_test_random(20) == 0 ? 100000 : 40;

	summed_test.now += summed_test_random(most);
	if (summed_test.depth < SUMMED_TEST_DEPTH && summed_test_random(5) < 2) {
		summed_test.open[summed_test.depth++] = summed_test.now;
	} else if (summed_test.depth > 0) {
		uint64_t begin = summed_test.open[--summed_test.depth];

		summed_test.records[summed_test.count++] = (struct raw_record){
			.size = sizeof(struct raw_record),
			.function = (uint16_t)(300 + summed_test_random(3)),
			.level = (uint16_t)summed_test.depth,
			.tstart = begin,
			.tend = summed_test.now,
			.repeat = 1,
		};
	}
}

/* The records from `first` on in encoding 3, back into `decoded`; -ERANGE as the encoder says. */
static int summed_test_chunk(uint32_t first, uint64_t t_base)
{
	uint32_t count = summed_test.count - first;
	size_t size = count * sizeof(struct raw_record);
	void *work = aligned_alloc(16, (signatures_work_size(size) + 15) & ~(size_t)15);
	struct encode_input input = {.records = (const uint8_t *)&summed_test.records[first],
				     .size = (uint32_t)size,
				     .count = count,
				     .t_base = t_base,
				     .unit = SUMMED_TEST_UNIT,
				     .summed = true,
				     .mark_count = summed_test.depth,
				     .marks = summed_test.open,
				     .function = summed_test_function,
				     .site = summed_test_site};
	struct encode_output output;
	int error =
		work ? signatures_encode(&input, work, summed_test.words, summed_test.bits, &output)
		     : -ENOMEM;
	struct chunk_header header = {.encoding = DATA_SUMMED, .count = count};
	static _Alignas(16) uint8_t memory[8 << 20];
	static _Alignas(8) uint8_t buffer[SIGNATURES_RECORD_MAX];
	static struct signatures signatures;
	struct list_function functions[3];

	free(work);
	if (error)
		return error;
	header.carried = output.carried;
	header.t_base = output.t_base;
	header.t_max = output.t_max;
	error = signatures_open(&signatures, &header, summed_test.words, output.words_size,
				summed_test.bits, output.bits_size);
	if (error || lists_functions(&signatures.lists, functions))
		return -EBADMSG;
	for (uint32_t i = 0; i < signatures.lists.function_count; i++)
		functions[i].result_class = CLASS_INT;
	error = signatures_begin(&signatures, functions, memory, sizeof(memory));
	for (uint32_t i = first; i < summed_test.count && !error; i++) {
		if (signatures_next(&signatures, (void *)buffer) <= 0)
			return -EBADMSG;
		memcpy(&summed_test.decoded[i], buffer, sizeof(struct raw_record));
	}
	if (!error && summed_test.decoded[first].tstart < output.t_min && output.carried == 0)
		return -EBADMSG;
	return error;
}

/* Made-up times are in order and one in the other as levels say. */
static void summed_test_nesting(void)
{
	unsigned wrong = 0;

	for (uint32_t i = 1; i < summed_test.count; i++) {
		const struct raw_record *record = &summed_test.decoded[i];
		uint32_t k = i;

		wrong += record->tend < record[-1].tend || record->tstart > record->tend;
		while (k > 0 && summed_test.decoded[k - 1].level > record->level)
			wrong += summed_test.decoded[--k].tstart < record->tstart;
		/* and what is not inside has ended */
		wrong += k > 0 && summed_test.decoded[k - 1].tend > record->tstart;
	}
	EXPECT_EQ(wrong, 0);
}

static uint64_t summed_test_units(uint64_t ticks)
{
	return ticks / SUMMED_TEST_UNIT * SUMMED_TEST_UNIT;
}

static void summed_test_sums(void)
{
	uint64_t sums[3][SUMMED_TEST_DEPTH] = {{0}};

	for (uint32_t i = 0; i < summed_test.count; i++) {
		const struct raw_record *was = &summed_test.records[i],
					*is = &summed_test.decoded[i];
		uint64_t *sum = &sums[was->function - 300][was->level];

		EXPECT(was->function == is->function && was->level == is->level);
		*sum += summed_test_units(was->tend) - summed_test_units(was->tstart);
		*sum -= is->tend - is->tstart;
	}
	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = 0; k < SUMMED_TEST_DEPTH; k++)
			EXPECT_EQ(sums[i][k], 0);
}

/* With their stamps. */
static void summed_test_keep(uint32_t first)
{
	for (uint32_t i = first; i < summed_test.count; i++) {
		summed_test.decoded[i] = summed_test.records[i];
		summed_test.decoded[i].tstart = summed_test_units(summed_test.records[i].tstart);
		summed_test.decoded[i].tend = summed_test_units(summed_test.records[i].tend);
	}
}

/* A thread's calls in chunks that are cut anywhere, also in the midst of calls. */
static void summed_test_thread(uint64_t seed)
{
	uint32_t first = 0, refused = 0, chunks = 0;
	uint64_t t_base = 1000;
	int error;

	memset(&summed_test, 0, sizeof(summed_test));
	summed_test.state = seed;
	summed_test.now = 1000;
	while (summed_test.count < SUMMED_TEST_RECORDS) {
		uint64_t length = 1 + summed_test_random(seed % 2 ? 30 : 900);

		while (summed_test.count < SUMMED_TEST_RECORDS &&
		       summed_test.count < first + length)
			summed_test_step();
		error = summed_test_chunk(first, t_base);
		if (error == -ERANGE) /* a call began in the time unit of the chunk's begin */
			summed_test_keep(first);
		else
			REQUIRE(error == 0);
		refused += error != 0;
		chunks++;
		first = summed_test.count;
		t_base = summed_test.records[first - 1].tend;
	}
	EXPECT(refused * 4 <= chunks);
	summed_test_nesting();
	summed_test_sums();
}

TEST_CASE(summed_times_fit)
{
	for (uint64_t seed = 0; seed < 20; seed++)
		summed_test_thread(seed);
}

TEST_CASE(summed_times_that_do_not_nest_are_refused)
{
	memset(&summed_test, 0, sizeof(summed_test));
	for (uint32_t i = 0; i < 10; i++)
		summed_test.records[i] = (struct raw_record){.size = sizeof(struct raw_record),
							     .function = 300,
							     .tstart = 1000 + 100 * i,
							     .tend = 1050 + 100 * i,
							     .repeat = 1};
	summed_test.count = 10;
	EXPECT_EQ(summed_test_chunk(0, 1000), 0);
	summed_test.open[summed_test.depth++] = 1530; /* in the midst of a call */
	EXPECT_EQ(summed_test_chunk(0, 1000), -ERANGE);
	summed_test.depth = 0;
	summed_test.records[7].tstart = 1620; /* before the end of the one before */
	EXPECT_EQ(summed_test_chunk(0, 1000), -ERANGE);
}
#endif
