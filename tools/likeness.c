/* SPDX-License-Identifier: MIT */
/* likeness.c - see likeness.h */
#include "likeness.h"

#include <string.h>

#define NAME_MOST 32u

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Letters to insert, to leave out or to change until one is the other, or NAME_MOST: they are too long. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[NAME_MOST];
	size_t length = strlen(b);

	if (length >= NAME_MOST || strlen(a) >= NAME_MOST)
		return NAME_MOST;
	for (unsigned k = 0; k <= length; k++)
		row[k] = k;
	for (; *a; a++) {
		unsigned before = row[0]++;

		for (size_t k = 0; k < length; k++) {
			unsigned change = before + (*a != b[k]);

			before = row[k + 1];
			row[k + 1] = least(change, least(row[k], before) + 1);
		}
	}
	return row[length];
}

struct likeness likeness_of(const char *word)
{
	return (struct likeness){.word = word, .far = strlen(word) > 3 ? 3 : 2};
}

void likeness_try(struct likeness *likeness, const char *name)
{
	unsigned now = distance(likeness->word, name);

	if (now >= likeness->far)
		return;
	likeness->far = now;
	likeness->best = name;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(names_are_like_others)
{
	struct likeness likeness = likeness_of("layer");

	likeness_try(&likeness, "player");
	likeness_try(&likeness, "ranks");
	EXPECT_STR(likeness.best, "player");
	likeness_try(&likeness, "layers"); /* no nearer than the one before */
	EXPECT_STR(likeness.best, "player");
	likeness_try(&likeness, "layer");
	EXPECT_STR(likeness.best, "layer");
	likeness = likeness_of("qq");
	likeness_try(&likeness, "layers");
	EXPECT(likeness.best == NULL);
}
#endif
