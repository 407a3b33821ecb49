/* SPDX-License-Identifier: MIT */
/* json.c - see json.h */
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "read/plain_text.h"

/* Strings -------------------------------------------------------------------- */

/*
 * The code point at p (p < end) and its length. An invalid sequence - overlong, surrogate, cut, too
 * large - is its first byte as Latin-1.
 */
static uint32_t utf8_decode(const unsigned char *p, const unsigned char *end, size_t *length)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned size = *p < 0xc2 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 1;
	uint32_t code = size == 1 ? *p : *p & (0x7fu >> size);

	*length = 1;
	if ((size_t)(end - p) < size)
		return *p;
	for (unsigned i = 1; i < size; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return *p;
		code = code << 6 | (p[i] & 0x3fu);
	}
	if (code < smallest[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return *p;
	*length = size;
	return code;
}

static void put_escape(struct output *output, uint32_t code)
{
	output_bytes(output, "\\u", 2);
	output_hex(output, code, 4);
}

static void put_beyond_ascii(struct output *output, uint32_t code, bool ascii)
{
	char bytes[4];
	size_t size = 0;

	if (ascii && code >= 0x10000) {
		put_escape(output, 0xd800 + ((code - 0x10000) >> 10));
		put_escape(output, 0xdc00 + ((code - 0x10000) & 0x3ff));
		return;
	}
	if (ascii) {
		put_escape(output, code);
		return;
	}
	if (code < 0x800) {
		bytes[size++] = (char)(0xc0 | code >> 6);
	} else {
		if (code < 0x10000) {
			bytes[size++] = (char)(0xe0 | code >> 12);
		} else {
			bytes[size++] = (char)(0xf0 | code >> 18);
			bytes[size++] = (char)(0x80 | (code >> 12 & 0x3f));
		}
		bytes[size++] = (char)(0x80 | (code >> 6 & 0x3f));
	}
	bytes[size++] = (char)(0x80 | (code & 0x3f));
	output_bytes(output, bytes, size);
}

static void put_control(struct output *output, unsigned char c)
{
	static const char letters[] = {
		['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};

	if (c < sizeof(letters) && letters[c]) {
		output_char(output, '\\');
		output_char(output, letters[c]);
	} else {
		put_escape(output, c);
	}
}

void json_string(struct output *output, const char *bytes, size_t size, bool ascii)
{
	const unsigned char *p = (const unsigned char *)bytes, *end = p + size;

	output_char(output, '"');
	while (p < end) {
		const unsigned char *plain = p;
		size_t length = 1;

		p = plain_end(p, end);
		output_bytes(output, (const char *)plain, (size_t)(p - plain));
		if (p == end)
			break;
		if (*p == '"' || *p == '\\') {
			output_char(output, '\\');
			output_char(output, (char)*p);
		} else if (*p < 0x80) {
			put_control(output, *p);
		} else {
			uint32_t code = utf8_decode(p, end, &length);

			put_beyond_ascii(output, code, ascii);
		}
		p += length;
	}
	output_char(output, '"');
}

void utf8_string(struct output *output, const char *bytes, size_t size)
{
	const unsigned char *p = (const unsigned char *)bytes, *end = p + size;

	while (p < end) {
		const unsigned char *plain = p;
		size_t length = 1;
		uint32_t code;

		while (p < end && *p < 0x80)
			p++;
		output_bytes(output, (const char *)plain, (size_t)(p - plain));
		if (p == end)
			break;
		code = utf8_decode(p, end, &length);
		put_beyond_ascii(output, code, false);
		p += length;
	}
}

/* Numbers -------------------------------------------------------------------- */

#define EXACT_MAX ((uint64_t)1 << 53)

void json_unsigned(struct output *output, uint64_t value)
{
	bool quoted = value > EXACT_MAX;

	if (quoted)
		output_char(output, '"');
	output_u64(output, value);
	if (quoted)
		output_char(output, '"');
}

void json_integer(struct output *output, int64_t value)
{
	if (value >= 0) {
		json_unsigned(output, (uint64_t)value);
		return;
	}
	if (-(uint64_t)value <= EXACT_MAX) {
		output_i64(output, value);
		return;
	}
	output_char(output, '"');
	output_i64(output, value);
	output_char(output, '"');
}

void json_double(struct output *output, double value)
{
	char text[40];

	if (!isfinite(value)) {
		output_text(output, isnan(value) ? "\"NaN\""
				    : value < 0  ? "\"-Infinity\""
						 : "\"Infinity\"");
		return;
	}
	/* the shortest form that reads back as the same number */
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	output_text(output, text);
}

/* Documents ------------------------------------------------------------------- */

static void json_line(const struct json *json)
{
	if (json->compact)
		return;
	output_char(json->output, '\n');
	for (unsigned i = 0; i < json->depth; i++)
		output_bytes(json->output, "  ", 2);
}

static void json_next(struct json *json, const char *key)
{
	if (json->filled)
		output_char(json->output, ',');
	if (json->depth > 0)
		json_line(json);
	if (key) {
		json_string(json->output, key, strlen(key), json->compact);
		output_text(json->output, json->compact ? ":" : ": ");
	}
	json->filled = true;
}

void json_begin(struct json *json, const char *key, char open)
{
	json_next(json, key);
	output_char(json->output, open);
	json->depth++;
	json->filled = false;
}

void json_end(struct json *json, char close)
{
	bool filled = json->filled;

	json->depth--;
	if (filled)
		json_line(json);
	output_char(json->output, close);
	json->filled = true;
	if (json->depth == 0 && !json->compact)
		output_char(json->output, '\n');
}

void json_put_string(struct json *json, const char *key, const char *text)
{
	json_put_bytes(json, key, text, strlen(text));
}

void json_put_bytes(struct json *json, const char *key, const char *bytes, size_t size)
{
	json_next(json, key);
	json_string(json->output, bytes, size, json->compact);
}

void json_put_integer(struct json *json, const char *key, int64_t value)
{
	json_next(json, key);
	json_integer(json->output, value);
}

void json_put_unsigned(struct json *json, const char *key, uint64_t value)
{
	json_next(json, key);
	json_unsigned(json->output, value);
}

void json_put_double(struct json *json, const char *key, double value)
{
	json_next(json, key);
	json_double(json->output, value);
}

void json_put_bool(struct json *json, const char *key, bool value)
{
	json_next(json, key);
	output_text(json->output, value ? "true" : "false");
}

void json_put_null(struct json *json, const char *key)
{
	json_next(json, key);
	output_text(json->output, "null");
}

void json_put_seconds(struct json *json, const char *key, int64_t ns)
{
	json_next(json, key);
	output_decimal(json->output, ns, 9);
}

#ifdef UNIT_TEST
#include "unittest.h"

static char text_buffer[512];

static const char *string_text(const char *bytes, bool ascii)
{
	struct output output = {.next = text_buffer,
				.end = text_buffer + sizeof(text_buffer) - 1,
				.buffer = text_buffer};

	json_string(&output, bytes, strlen(bytes), ascii);
	*output.next = '\0';
	return text_buffer;
}

TEST_CASE(json_strings_are_strict_whatever_the_bytes)
{
	EXPECT_STR(string_text("a\"b\\c\n\x01\x7f", false), "\"a\\\"b\\\\c\\n\\u0001\\u007f\"");
	EXPECT_STR(string_text("caf\xc3\xa9", false), "\"caf\xc3\xa9\"");
	EXPECT_STR(string_text("caf\xc3\xa9", true), "\"caf\\u00e9\"");
	EXPECT_STR(string_text("caf\xe9", true), "\"caf\\u00e9\"");
	EXPECT_STR(string_text("caf\xe9", false), "\"caf\xc3\xa9\"");
	EXPECT_STR(string_text("\xf0\x9f\x98\x80", true), "\"\\ud83d\\ude00\"");
	EXPECT_STR(string_text("\xf0\x9f\x98\x80", false), "\"\xf0\x9f\x98\x80\"");
	EXPECT_STR(string_text("\xf0\x9f\x98", true), "\"\\u00f0\\u009f\\u0098\"");
	EXPECT_STR(string_text("\xc0\xaf\xed\xa0\x80", true),
		   "\"\\u00c0\\u00af\\u00ed\\u00a0\\u0080\"");
}

TEST_CASE(json_integers_beyond_doubles_are_strings)
{
	struct output output = {.next = text_buffer,
				.end = text_buffer + sizeof(text_buffer) - 1,
				.buffer = text_buffer};

	json_unsigned(&output, 9007199254740992u);
	output_char(&output, ' ');
	json_unsigned(&output, 9007199254740993u);
	output_char(&output, ' ');
	json_integer(&output, -9007199254740993);
	output_char(&output, ' ');
	json_integer(&output, -1);
	*output.next = '\0';
	EXPECT_STR(text_buffer, "9007199254740992 \"9007199254740993\" \"-9007199254740993\" -1");
}
#endif
