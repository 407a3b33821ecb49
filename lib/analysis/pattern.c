/* SPDX-License-Identifier: MIT */
/* pattern.c - see pattern.h */
#include "analysis/pattern.h"

#include <string.h>

#define BLOCK_DEFAULT 4096

static uint64_t *class_of(struct analysis_pattern *pattern, const struct pattern_track *track,
			  int64_t begin)
{
	if (!track->there || (track->opened && begin == 0))
		return &pattern->first;
	if (begin == track->end)
		return &pattern->consecutive;
	if (track->distance && begin - track->begin == track->distance)
		return &pattern->strided;
	return begin > track->end ? &pattern->forward : &pattern->backward;
}

/* Blocks are powers of two, but for what a broken trace says. */
static bool is_aligned(int64_t begin, uint32_t block)
{
	return (block & (block - 1)) == 0 ? (begin & (block - 1)) == 0 : begin % block == 0;
}

/* What times `number` is 1 by `modulus`, with which it has no divisor in common (Euclid). */
static uint64_t inverse(uint64_t number, uint64_t modulus)
{
	int64_t before = 0, now = 1;
	uint64_t more = modulus, less = number % modulus;

	while (less > 0) {
		uint64_t times = more / less, rest = more % less;
		int64_t next = before - (int64_t)times * now;

		before = now;
		now = next;
		more = less;
		less = rest;
	}
	return (uint64_t)(before < 0 ? before + (int64_t)modulus : before) % modulus;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b > 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* How many of calls in a row, of `each` bytes, begin at a multiple of `block`: every period'th, from the first one on that does. */
static uint32_t count_aligned(int64_t begin, int64_t each, uint32_t calls, uint32_t block)
{
	uint64_t missing = (block - (uint64_t)begin % block) % block, step = (uint64_t)each % block;
	uint64_t divisor = common_divisor(step, block), period = block / divisor, first;

	if (missing % divisor)
		return 0;
	first = missing / divisor * inverse(step / divisor, period) % period;
	return first < calls ? (uint32_t)((calls - 1 - first) / period + 1) : 0;
}

static uint32_t count_unaligned(int64_t begin, int64_t each, uint32_t calls, uint32_t block)
{
	if (block == 0)
		block = BLOCK_DEFAULT;
	return calls -
	       (calls == 1 ? is_aligned(begin, block) : count_aligned(begin, each, calls, block));
}

void pattern_take(struct analysis_pattern *pattern, struct pattern_track *track, int64_t begin,
		  int64_t bytes, uint32_t calls, uint32_t block)
{
	int64_t each = bytes / calls;

	if (begin < 0) {
		pattern->unknown += calls;
		track->there = track->opened = false;
		return;
	}
	++*class_of(pattern, track, begin);
	pattern->consecutive += calls - 1;
	pattern->unaligned += count_unaligned(begin, each, calls, block);
	track->distance = track->there ? begin - track->begin : 0;
	track->begin = begin;
	if (__builtin_add_overflow(begin, bytes, &track->end))
		track->end = begin;
	if (calls > 1 && track->end > begin) {
		track->begin = track->end - each;
		track->distance = each;
	}
	track->there = true;
	track->opened = false;
}

void pattern_add(struct analysis_pattern *into, const struct analysis_pattern *from)
{
	into->consecutive += from->consecutive;
	into->strided += from->strided;
	into->forward += from->forward;
	into->backward += from->backward;
	into->first += from->first;
	into->unknown += from->unknown;
	into->unaligned += from->unaligned;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(pattern_tells_how_transfers_follow)
{
	struct analysis_pattern pattern = {0};
	struct pattern_track track = {0};

	static const int64_t begins[] = {0, 100, 200, 1200, 2200, 3200, 50, -1, 700};

	for (unsigned i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		pattern_take(&pattern, &track, begins[i], 100, 1, 100);
	EXPECT_EQ(pattern.first, 2);
	EXPECT_EQ(pattern.consecutive, 2);
	EXPECT_EQ(pattern.forward, 1);
	EXPECT_EQ(pattern.strided, 2);
	EXPECT_EQ(pattern.backward, 1);
	EXPECT_EQ(pattern.unknown, 1);
	EXPECT_EQ(pattern.unaligned, 1);
	pattern_take(&pattern, &track, 800, 10, 10, 0);
	EXPECT_EQ(pattern.consecutive, 12);
	/* from the begin, once more: only if it was opened once more */
	track.opened = true;
	pattern_take(&pattern, &track, 0, 10, 1, 0);
	EXPECT_EQ(pattern.first, 3);
	pattern_take(&pattern, &track, 0, 10, 1, 0);
	EXPECT_EQ(pattern.backward, 2);
	track.opened = true;
	pattern_take(&pattern, &track, 5, 10, 1, 0);
	EXPECT_EQ(pattern.backward, 3);
}

TEST_CASE(pattern_of_a_run_is_that_of_its_calls)
{
	static const struct {
		int64_t begin, each;
		uint32_t calls, block;
	} runs[] = {{0, 1, 100, 4096},      {500, 1, 50, 4096},  {4000, 1, 9000, 4096},
		    {4095, 1, 2, 4096},     {3, 3, 5000, 4096},  {6, 4, 5000, 4096},
		    {8, 4, 5000, 4096},     {1, 4096, 7, 4096},  {4096, 8192, 7, 4096},
		    {7, 6, 1000, 0},        {10, 7, 1000, 1000}, {5, 15, 1000, 1000},
		    {1 << 30, 1, 10, 4096}, {0, 1, 10, 1},       {12345, 5, 1000, 1u << 31}};

	for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		struct analysis_pattern run = {0}, calls = {0};
		struct pattern_track run_track = {0}, track = {0};

		pattern_take(&run, &run_track, runs[i].begin, runs[i].each * runs[i].calls,
			     runs[i].calls, runs[i].block);
		for (uint32_t k = 0; k < runs[i].calls; k++)
			pattern_take(&calls, &track, runs[i].begin + k * runs[i].each, runs[i].each,
				     1, runs[i].block);
		EXPECT_EQ(run.unaligned, calls.unaligned);
		EXPECT_EQ(run.consecutive, calls.consecutive);
		EXPECT_EQ(run_track.begin, track.begin);
		EXPECT_EQ(run_track.end, track.end);
		EXPECT_EQ(run_track.distance, track.distance);
	}
}
#endif
