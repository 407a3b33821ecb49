/* SPDX-License-Identifier: MIT */
/* huffman.c - see huffman.h */
#include "huffman.h"

#include <stdlib.h>
#include <string.h>

/* The symbols that come, as leaves in the order of how often they come, and the nodes above them in the order in which they are made. */
struct tree {
	unsigned leaves;
	uint64_t leaf[HUFFMAN_SYMBOLS];        /* how often, and in the low 16 bits which */
	uint32_t weight[HUFFMAN_SYMBOLS];      /* of a node */
	uint16_t leaf_parent[HUFFMAN_SYMBOLS]; /* node above a leaf */
	uint16_t parent[HUFFMAN_SYMBOLS];      /* and above a node */
};

static int compare(const void *one, const void *other)
{
	const uint64_t *a = one, *b = other;

	return (*a > *b) - (*a < *b);
}

static void gather(struct tree *tree, const uint32_t *counts, unsigned count)
{
	tree->leaves = 0;
	for (unsigned i = 0; i < count; i++)
		if (counts[i] > 0)
			tree->leaf[tree->leaves++] = (uint64_t)counts[i] << 16 | i;
	for (unsigned i = 0; tree->leaves < 2; i++)
		if (counts[i] == 0)
			tree->leaf[tree->leaves++] = (uint64_t)1 << 16 | i;
	qsort(tree->leaf, tree->leaves, sizeof(tree->leaf[0]), compare);
}

static uint32_t leaf_weight(const struct tree *tree, unsigned leaf)
{
	return (uint32_t)(tree->leaf[leaf] >> 16);
}

/* The two that come least become one, again and again. Weights of nodes grow, so the least is the next leaf or the next node. */
static void join(struct tree *tree)
{
	unsigned leaf = 0, node = 0;

	for (unsigned next = 0; next < tree->leaves - 1; next++) {
		tree->weight[next] = 0;
		for (unsigned i = 0; i < 2; i++) {
			if (node == next || (leaf < tree->leaves &&
					     leaf_weight(tree, leaf) <= tree->weight[node])) {
				tree->weight[next] += leaf_weight(tree, leaf);
				tree->leaf_parent[leaf++] = (uint16_t)next;
			} else {
				tree->weight[next] += tree->weight[node];
				tree->parent[node++] = (uint16_t)next;
			}
		}
	}
}

/* How many leaves are how deep; what is deeper than `most` counts as that deep. */
static void count_depths(const struct tree *tree, unsigned most, unsigned *numbers)
{
	unsigned root = tree->leaves - 2;
	unsigned depth[HUFFMAN_SYMBOLS];

	depth[root] = 0;
	for (unsigned i = root; i-- > 0;)
		depth[i] = depth[tree->parent[i]] + 1;
	for (unsigned i = 0; i < tree->leaves; i++) {
		unsigned own = depth[tree->leaf_parent[i]] + 1;

		numbers[own < most ? own : most]++;
	}
}

/* Leaves that count as less deep than they are take more room than there is: one of the deepest goes beside a higher one, a level below where that was, until all have room. */
static void make_room(unsigned most, unsigned *numbers)
{
	uint32_t used = 0;

	for (unsigned i = 1; i <= most; i++)
		used += (uint32_t)numbers[i] << (most - i);
	for (; used > 1u << most; used--) {
		unsigned above = most - 1;

		while (numbers[above] == 0)
			above--;
		numbers[above]--;
		numbers[above + 1] += 2;
		numbers[most]--;
	}
}

static uint16_t reversed(unsigned code, unsigned length)
{
	unsigned result = 0;

	for (; length > 0; length--, code >>= 1)
		result = result << 1 | (code & 1);
	return (uint16_t)result;
}

/* Not inlined: in the loop gcc 12 for aarch64 makes zeros of all codes, but with -fno-ivopts. */
static __attribute__((noinline)) void set_code(struct huffman *huffman, unsigned symbol,
					       unsigned *next)
{
	unsigned length = huffman->lengths[symbol];

	if (length > 0)
		huffman->codes[symbol] = reversed(next[length]++, length);
}

/* RFC 1951, 3.2.2: shorter codes before longer ones, those of a length in the order of the symbols. */
void huffman_number(struct huffman *huffman, unsigned count)
{
	unsigned numbers[HUFFMAN_LONGEST + 1] = {0}, next[HUFFMAN_LONGEST + 1] = {0};

	for (unsigned i = 0; i < count; i++)
		numbers[huffman->lengths[i]]++;
	numbers[0] = 0;
	for (unsigned i = 1; i <= HUFFMAN_LONGEST; i++)
		next[i] = (next[i - 1] + numbers[i - 1]) << 1;
	for (unsigned i = 0; i < count; i++)
		set_code(huffman, i, next);
}

void huffman_make(struct huffman *huffman, const uint32_t *counts, unsigned count, unsigned most)
{
	unsigned numbers[HUFFMAN_LONGEST + 1] = {0}, length = most;
	struct tree tree;

	gather(&tree, counts, count);
	join(&tree);
	count_depths(&tree, most, numbers);
	make_room(most, numbers);
	memset(huffman->lengths, 0, sizeof(huffman->lengths));
	/* who comes least has the longest code */
	for (unsigned i = 0; i < tree.leaves; i++) {
		while (numbers[length] == 0)
			length--;
		numbers[length]--;
		huffman->lengths[tree.leaf[i] & 0xffff] = (uint8_t)length;
	}
	huffman_number(huffman, count);
}

#ifdef UNIT_TEST
#include "unittest.h"

/* How much of the room for codes of `most` bits they take. */
static uint32_t room_of(const struct huffman *huffman, unsigned count, unsigned most)
{
	uint32_t room = 0;

	for (unsigned i = 0; i < count; i++)
		if (huffman->lengths[i] > 0)
			room += 1u << (most - huffman->lengths[i]);
	return room;
}

TEST_CASE(huffman_codes_are_shorter_for_what_comes_more_often)
{
	const uint32_t counts[] = {1, 0, 40, 2, 10};
	struct huffman huffman;

	huffman_make(&huffman, counts, 5, 15);
	EXPECT_EQ(huffman.lengths[0], 3);
	EXPECT_EQ(huffman.lengths[1], 0);
	EXPECT_EQ(huffman.lengths[2], 1);
	EXPECT_EQ(huffman.lengths[3], 3);
	EXPECT_EQ(huffman.lengths[4], 2);
	/* 0, 10, 110, 111, of which the first bit is the lowest */
	EXPECT_EQ(huffman.codes[2], 0);
	EXPECT_EQ(huffman.codes[4], 1);
	EXPECT_EQ(huffman.codes[0], 3);
	EXPECT_EQ(huffman.codes[3], 7);
}

TEST_CASE(huffman_codes_are_as_long_as_allowed_and_take_all_room)
{
	uint32_t counts[40] = {1, 1};
	struct huffman huffman;

	/* those of which each code is longer than the one before */
	for (unsigned i = 2; i < 40; i++)
		counts[i] = counts[i - 1] + counts[i - 2];
	for (unsigned most = 6; most <= HUFFMAN_LONGEST; most++) {
		huffman_make(&huffman, counts, 40, most);
		EXPECT_EQ(room_of(&huffman, 40, most), 1u << most);
		for (unsigned i = 1; i < 40; i++)
			EXPECT(huffman.lengths[i] <= huffman.lengths[i - 1] &&
			       huffman.lengths[i] > 0 && huffman.lengths[i] <= most);
	}
}

TEST_CASE(huffman_codes_of_one_symbol_and_of_none_are_two)
{
	const uint32_t none[3] = {0}, one[3] = {0, 0, 7};
	struct huffman huffman;

	huffman_make(&huffman, none, 3, 7);
	EXPECT_EQ(room_of(&huffman, 3, 7), 1u << 7);
	huffman_make(&huffman, one, 3, 7);
	EXPECT_EQ(huffman.lengths[2], 1);
	EXPECT_EQ(room_of(&huffman, 3, 7), 1u << 7);
}
#endif
