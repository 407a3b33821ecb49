/* SPDX-License-Identifier: MIT */
/* text.c - small bounded strings. */
#include "record/text.h"

void text_add_u64(struct textbuf *text, uint64_t value)
{
	char digits[20];
	size_t i = sizeof(digits);

	do {
		digits[--i] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	text_add_bytes(text, digits + i, sizeof(digits) - i);
}

void text_add_hex(struct textbuf *text, uint64_t value, unsigned digits)
{
	while (digits-- > 0)
		text_add_bytes(text, &"0123456789abcdef"[value >> (4 * digits) & 15], 1);
}

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '_' || c == '-';
}

void text_add_name(struct textbuf *text, const char *string)
{
	for (; *string; string++)
		text_add_bytes(text, is_name_byte(*string) ? string : "_", 1);
}

bool text_read_u64(const char **cursor, uint64_t *value)
{
	const char *p = *cursor;
	uint64_t result = 0;

	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++) {
		uint64_t digit = (uint64_t)(*p - '0');

		if (result > (UINT64_MAX - digit) / 10)
			return false;
		result = result * 10 + digit;
	}
	*cursor = p;
	*value = result;
	return true;
}

/* Matches one [set] at `pattern`; *length is set to its length, 0 if it is not closed. */
static bool set_matches(const char *pattern, const char *end, char c, size_t *length)
{
	const char *p = pattern + 1;
	bool negate = p < end && (*p == '!' || *p == '^');
	bool found = false;

	if (negate)
		p++;
	for (const char *first = p; p < end && (*p != ']' || p == first); p++) {
		if (p + 2 < end && p[1] == '-' && p[2] != ']') {
			found |= c >= p[0] && c <= p[2];
			p += 2;
		} else {
			found |= c == *p;
		}
	}
	*length = p < end ? (size_t)(p + 1 - pattern) : 0;
	return found != negate;
}

bool text_matches(const char *pattern, size_t pattern_length, const char *string)
{
	const char *p = pattern, *end = pattern + pattern_length;
	const char *star = NULL, *resume = NULL; /* where to go on after the last '*' */

	while (*string) {
		size_t length = 1;
		bool match = false;

		if (p < end && *p == '*') {
			star = ++p;
			resume = string;
			continue;
		}
		if (p < end && *p == '[') {
			match = set_matches(p, end, *string, &length);
			if (!length) {
				length = 1;
				match = *string == '[';
			}
		} else if (p < end) {
			match = *p == '?' || *p == *string;
		}
		if (match) {
			p += length;
			string++;
		} else if (star) {
			p = star;
			string = ++resume;
		} else {
			return false;
		}
	}
	while (p < end && *p == '*')
		p++;
	return p == end;
}

uint64_t text_hash(const void *bytes, size_t size, uint64_t seed)
{
	const uint8_t *p = bytes;
	uint64_t hash = seed ^ 0x9E3779B97F4A7C15u ^ size * 0xFF51AFD7ED558CCDu;
	uint64_t word;

	for (; size >= 8; p += 8, size -= 8) {
		memcpy(&word, p, 8);
		hash = (hash ^ word) * 0x9FB21C651E98DF25u;
		hash ^= hash >> 35;
	}
	word = 0;
	memcpy(&word, p, size);
	hash = (hash ^ word) * 0x9FB21C651E98DF25u;
	hash ^= hash >> 29;
	hash *= 0xC4CEB9FE1A85EC53u;
	return hash ^ hash >> 32;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(text_globs)
{
	EXPECT_TRUE(text_matches("MPI_*", 5, "MPI_Send"));
	EXPECT_TRUE(text_matches("*read*", 6, "pread64"));
	EXPECT_TRUE(!text_matches("*read", 5, "pread64"));
	EXPECT_TRUE(text_matches("p[rw]*", 6, "pwrite"));
	EXPECT_TRUE(!text_matches("p[!rw]*", 7, "pwrite"));
	EXPECT_TRUE(text_matches("a?c", 3, "abc"));
	EXPECT_TRUE(text_matches("", 0, ""));
	EXPECT_TRUE(!text_matches("", 0, "a"));
	EXPECT_TRUE(text_matches("[", 1, "["));
}

TEST_CASE(text_numbers)
{
	char buffer[8];
	struct textbuf text = text_in(buffer, sizeof(buffer));
	const char *cursor = "18446744073709551615x";
	uint64_t value;

	text_add_u64(&text, 0);
	text_add_hex(&text, 0xAB, 2);
	text_add_u64(&text, 123456);
	EXPECT_TRUE(text.cut && !strcmp(buffer, "0ab1234"));
	EXPECT_TRUE(text_read_u64(&cursor, &value) && value == UINT64_MAX && *cursor == 'x');
	cursor = "18446744073709551616";
	EXPECT_TRUE(!text_read_u64(&cursor, &value));
}
#endif
