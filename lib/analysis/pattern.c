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
	if (block == 0)
		block = BLOCK_DEFAULT;
	return (block & (block - 1)) == 0 ? (begin & (block - 1)) == 0 : begin % block == 0;
}

void pattern_take(struct analysis_pattern *pattern, struct pattern_track *track, int64_t begin,
		  int64_t bytes, uint32_t calls, uint32_t block)
{
	if (begin < 0) {
		pattern->unknown += calls;
		track->there = track->opened = false;
		return;
	}
	++*class_of(pattern, track, begin);
	pattern->consecutive += calls - 1;
	/* of several calls at once (characters) only the first one's place is looked at */
	pattern->unaligned += !is_aligned(begin, block);
	track->distance = track->there ? begin - track->begin : 0;
	track->begin = begin;
	if (__builtin_add_overflow(begin, bytes, &track->end))
		track->end = begin;
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
#endif
