/* SPDX-License-Identifier: MIT */
/*
 * json.h - writing strict JSON (RFC 8259).
 *
 * Strings come from programs and need not be UTF-8. The rule, in doc/man/recorder2pfw.1: what is valid
 * UTF-8 stands for itself; any other byte is taken as Latin-1, so that byte 0xE9 becomes U+00E9. With
 * `ascii` everything beyond ASCII is written as \uXXXX.
 *
 * Integers beyond 2^53 become strings: readers that have doubles only would change them.
 */
#ifndef RECORDER_TOOLS_JSON_H
#define RECORDER_TOOLS_JSON_H

#include "output.h"

/* The text by itself, in UTF-8 by that rule: without quotes, nothing escaped. */
void utf8_string(struct output *output, const char *bytes, size_t size);

/* One value, with its quotes where it has some. */
void json_string(struct output *output, const char *bytes, size_t size, bool ascii);
void json_integer(struct output *output, int64_t value);
void json_unsigned(struct output *output, uint64_t value);
void json_double(struct output *output, double value);

/* Documents: indented, for people as much as for programs; or compact and ASCII, for programs alone. */
struct json {
	struct output *output;
	bool compact;
	unsigned depth;
	bool filled; /* the innermost object or array has an entry */
};

/* `key` is NULL in an array and at the top. `open` is '{' or '[', `close` its partner. */
void json_begin(struct json *json, const char *key, char open);
void json_end(struct json *json, char close);
void json_put_string(struct json *json, const char *key, const char *text);
void json_put_bytes(struct json *json, const char *key, const char *bytes, size_t size);
void json_put_integer(struct json *json, const char *key, int64_t value);
void json_put_unsigned(struct json *json, const char *key, uint64_t value);
void json_put_double(struct json *json, const char *key, double value);
void json_put_bool(struct json *json, const char *key, bool value);
void json_put_null(struct json *json, const char *key);
/* Nanoseconds as seconds with nine decimals. */
void json_put_seconds(struct json *json, const char *key, int64_t ns);

#endif
