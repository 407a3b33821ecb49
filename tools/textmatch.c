/* SPDX-License-Identifier: MIT */
/* textmatch.c - see textmatch.h */
#include "textmatch.h"

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define WORD 8u
#define NUMBER_MAX 24u /* digits */
/* What lies behind the last place where a match may begin: so nothing that is read lies behind the text. */
#define MARGIN (NUMBER_MAX + 2 * WORD)

static inline uint64_t word_at(const uint8_t *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return le64toh(word);
}

static inline bool begin_alike(const uint8_t *p, const uint8_t *q)
{
	return memcmp(p, q, TEXT_MATCH_LEAST) == 0;
}

static inline bool is_digit(uint8_t byte)
{
	return (uint8_t)(byte - '0') < 10;
}

void text_matches_begin(struct text_matches *matches, const void *text, uint32_t size)
{
	matches->text = text;
	matches->size = size;
	matches->at = matches->distance = 0;
	memset(matches->slots, 0, sizeof(matches->slots));
}

/* ---- the table ---- */

/* By six bytes: where lines differ there are quotes and the like, and behind them what tells more. */
static inline uint32_t *slot_of(struct text_matches *matches, const uint8_t *p)
{
	uint64_t mixed = (word_at(p) << 16) * 0x9E3779B185EBCA87u;

	return &matches->slots[mixed >> (64 - TEXT_MATCH_SLOT_BITS)];
}

/* An empty slot is the place at the begin of the text, which is judged as any other. */
static inline bool look_up(struct text_matches *matches, const uint8_t *p)
{
	uint32_t *slot = slot_of(matches, p);
	uint32_t here = (uint32_t)(p - matches->text), there = *slot;

	*slot = here;
	if (here == there || here - there > TEXT_MATCH_DISTANCE ||
	    !begin_alike(p, matches->text + there))
		return false;
	matches->distance = here - there;
	return true;
}

/* ---- as far before as the last match ---- */

/* How many bytes there are up to the last one of a word that differs. */
static inline unsigned differing_bytes(uint64_t differing)
{
	return differing ? WORD - (unsigned)__builtin_clzll(differing) / 8 : 0;
}

/* Where it is so again, a few bytes from p on. NULL: nowhere. */
static inline const uint8_t *resume_near(const uint8_t *p, uint32_t distance)
{
	unsigned bytes = differing_bytes(word_at(p) ^ word_at(p - distance));

	return bytes <= WORD - TEXT_MATCH_LEAST ? p + bytes : NULL;
}

/* Digits that a word begins with. */
static inline unsigned digits_of(uint64_t word)
{
	uint64_t values = word ^ 0x3030303030303030u;
	/* those below 10 have no highest bit, by themselves or with 0x76 more; carries go to bytes behind */
	uint64_t others = (values | (values + 0x7676767676767676u)) & 0x8080808080808080u;

	return others ? (unsigned)__builtin_ctzll(others) / 8 : WORD;
}

static inline const uint8_t *behind_number(const uint8_t *p)
{
	unsigned digits = 0, more;

	do {
		more = digits_of(word_at(p + digits));
		digits += more;
	} while (more == WORD && digits < NUMBER_MAX);
	return p + digits;
}

/* The same behind a number, which may have more digits than that before or fewer. */
static inline const uint8_t *resume_behind_number(struct text_matches *matches, const uint8_t *p)
{
	const uint8_t *own = behind_number(p), *other = behind_number(p - matches->distance);

	if (other >= own || own - other > TEXT_MATCH_DISTANCE || !begin_alike(own, other))
		return NULL;
	matches->distance = (uint32_t)(own - other);
	return own;
}

/* At digits. */
static inline const uint8_t *resume_number(struct text_matches *matches, const uint8_t *p)
{
	const uint8_t *found = resume_near(p, matches->distance);

	if (!found && is_digit(*(p - matches->distance)))
		found = resume_behind_number(matches, p);
	return found;
}

/* ---- both ---- */

/* Where the next match begins, matches->distance before; `end`: not before there. */
static inline const uint8_t *next_match(struct text_matches *matches, const uint8_t *p,
					const uint8_t *end)
{
	const uint8_t *found;

	for (; p < end; p++) {
		uint32_t distance = matches->distance;

		if (distance && is_digit(*p) && (found = resume_number(matches, p)))
			return found;
		if (look_up(matches, p))
			return p;
		if (distance && (found = resume_near(p, distance)))
			return found;
	}
	return end;
}

/* Where a match ends, which may be some bytes behind `end`. */
static inline const uint8_t *end_of_match(const uint8_t *p, uint32_t distance, const uint8_t *end)
{
	for (; p < end; p += WORD) {
		uint64_t differing = word_at(p) ^ word_at(p - distance);

		if (differing)
			return p + __builtin_ctzll(differing) / 8;
	}
	return p;
}

unsigned text_matches_next(struct text_matches *matches, uint32_t span, struct text_match *found,
			   unsigned room)
{
	const uint8_t *text = matches->text, *p = text + matches->at;
	const uint8_t *text_end = text + matches->size;
	const uint8_t *end = span < text_end - p ? p + span : text_end;
	const uint8_t *stop = text_end - end > (ptrdiff_t)MARGIN ? end
			      : text_end - p > (ptrdiff_t)MARGIN ? text_end - MARGIN
								 : p;
	unsigned count = 0;

	while (p < end && count < room) {
		const uint8_t *begin = next_match(matches, p, stop);
		struct text_match *match = &found[count++];

		if (begin >= stop) {
			*match = (struct text_match){.literals = (uint32_t)(end - p)};
			p = end;
			break;
		}
		*slot_of(matches, begin) = (uint32_t)(begin - text);
		match->literals = (uint32_t)(begin - p);
		match->distance = matches->distance;
		p = end_of_match(begin, match->distance, stop);
		match->length = (uint32_t)(p - begin);
	}
	matches->at = (uint32_t)(p - text);
	return count;
}

#ifdef UNIT_TEST
#include <stdio.h>

#include "unittest.h"

#define UNIT_MATCHES 64u

static unsigned unit_find(const char *text, struct text_match *found)
{
	static struct text_matches matches;
	unsigned count = 0, more;

	text_matches_begin(&matches, text, (uint32_t)strlen(text));
	do {
		more = text_matches_next(&matches, 1000, found + count, UNIT_MATCHES - count);
		count += more;
	} while (more > 0);
	return count;
}

/* Three lines that differ in numbers, and what is behind them, where no match begins. */
static void unit_lines(char *text, size_t size, long one, long two, long three)
{
	static const char end[] =
		"the end of the text is not looked at, as nothing may be read behind it";

	snprintf(text, size,
		 "{\"id\":%ld,\"name\":\"write\"}\n{\"id\":%ld,\"name\":\"write\"}\n"
		 "{\"id\":%ld,\"name\":\"write\"}\n%s",
		 one, two, three, end);
}

TEST_CASE(text_matches_go_on_behind_numbers)
{
	struct text_match found[UNIT_MATCHES];
	char text[400];

	unit_lines(text, sizeof(text), 1234567, 1234568, 1234569);
	EXPECT_EQ(unit_find(text, found), 4);
	/* the first line and the first digits of the second one; its last digit; that of the third one */
	EXPECT_EQ(found[0].literals, 30);
	EXPECT_EQ(found[0].distance, 30);
	EXPECT_EQ(found[0].length, 12);
	EXPECT_EQ(found[1].literals, 1);
	EXPECT_EQ(found[1].distance, 30);
	EXPECT_EQ(found[2].literals, 1);
	EXPECT_EQ(found[2].length, 17);
	EXPECT_EQ(found[3].length, 0);
}

TEST_CASE(text_matches_go_on_behind_numbers_with_more_digits)
{
	struct text_match found[UNIT_MATCHES];
	char text[400];

	unit_lines(text, sizeof(text), 98, 100000000000, 7);
	EXPECT_EQ(unit_find(text, found), 4);
	EXPECT_EQ(found[0].length, 6);
	/* 100000000000 in place of 98 */
	EXPECT_EQ(found[1].literals, 12);
	EXPECT_EQ(found[1].distance, 35);
	EXPECT_EQ(found[2].literals, 1);
	EXPECT_EQ(found[2].distance, 24);
}

TEST_CASE(text_matches_are_in_the_text)
{
	struct text_match found[UNIT_MATCHES];

	EXPECT_EQ(unit_find("", found), 0);
	EXPECT_EQ(unit_find("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", found), 1);
	EXPECT_EQ(found[0].literals, 30);
	EXPECT_EQ(found[0].length, 0);
}
#endif
