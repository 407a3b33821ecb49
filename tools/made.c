/* SPDX-License-Identifier: MIT */
/* made.c - see made.h */
#include "made.h"

#include <stdlib.h>
#include <zlib.h>

#include "fastcrc.h"

int made_init(struct made *made, struct text_deflater *deflater)
{
	int error;

	memset(made, 0, sizeof(*made));
	made->deflater = deflater;
	error = output_memory(&made->text);
	return error ? error : names_init(&made->names);
}

void made_release(struct made *made)
{
	output_cancel(&made->text);
	names_release(&made->names);
	buffer_release(&made->packed);
	buffer_release(&made->segments);
	buffer_release(&made->inserts);
}

void made_drop(struct made *made)
{
	made->text.next = made->text.buffer;
	made->begin = 0;
	names_clear(&made->names);
	buffer_clear(&made->packed);
	buffer_clear(&made->segments);
	buffer_clear(&made->inserts);
}

int made_begin(struct made *made, uint32_t number)
{
	made_drop(made);
	made->number = number;
	return names_forget(&made->names);
}

static size_t text_size(const struct made *made)
{
	return (size_t)(made->text.next - made->text.buffer);
}

/* Adds deflated bytes to a buffer. */
static void pack(struct text_deflater *deflater, struct buffer *to, const void *bytes, size_t size)
{
	to->size += deflate_text(deflater, bytes, size, buffer_room(to, deflate_room(size)));
}

int made_cut(struct made *made)
{
	const char *begin = made->text.buffer + made->begin;
	struct segment segment = {.plain = text_size(made) - made->begin};
	int error = made->text.error ? made->text.error : made->names.text.error;

	if (error || segment.plain == 0)
		return error;
	segment.names = (uint32_t)(made->names.list.size / sizeof(struct name));
	segment.body_end = text_size(made);
	made->begin = segment.body_end;
	if (made->deflater) {
		segment.crc = fast_crc32(0, begin, segment.plain);
		pack(made->deflater, &made->packed, begin, segment.plain);
		segment.body_end = made->packed.size;
		made->text.next = made->text.buffer;
		made->begin = 0;
	}
	buffer_add(&made->segments, &segment, sizeof(segment));
	return error;
}

/* ---- names ---- */

/* The lines of new names from number `first` to `end`, and where the next ones are. The first one of all is what an output begins with: it needs no comma. */
static size_t add_lines(const struct made *made, struct hash_set *known, uint32_t first,
			uint32_t end, size_t at, struct buffer *lines)
{
	const struct name *names = (const struct name *)made->names.list.bytes;
	const char *text = made->names.text.buffer;

	for (uint32_t i = first; i < end; i++) {
		bool comma = hash_set_is_empty(known) && text[at] == ',';

		if (hash_set_add(known, names[i].key))
			buffer_add(lines, text + at + comma, names[i].size - comma);
		at += names[i].size;
	}
	return at;
}

static void add_text(struct made *made, uint32_t crc, size_t size)
{
	made->crc = (uint32_t)crc32_combine(made->crc, crc, (z_off_t)size);
	made->plain += size;
}

static void insert(struct made *made, const struct buffer *lines)
{
	if (!made->deflater) {
		buffer_add(&made->inserts, lines->bytes, lines->size);
		made->plain += lines->size;
		return;
	}
	add_text(made, fast_crc32(0, lines->bytes, lines->size), lines->size);
	pack(made->deflater, &made->inserts, lines->bytes, lines->size);
}

void made_settle(struct made *made, struct hash_set *known, const char *begin)
{
	const struct segment none = {0};
	struct buffer lines = {0};
	struct segment *segments;
	uint32_t name = 0;
	size_t count, at = 0;

	made->crc = 0;
	made->plain = 0;
	buffer_add_text(&lines, begin);
	if (*begin && made->segments.size == 0)
		buffer_add(&made->segments, &none, sizeof(none));
	segments = (struct segment *)made->segments.bytes;
	count = made->segments.size / sizeof(*segments);
	for (size_t i = 0; i < count; i++) {
		at = add_lines(made, known, name, segments[i].names, at, &lines);
		name = segments[i].names;
		if (lines.size > 0)
			insert(made, &lines);
		buffer_clear(&lines);
		segments[i].insert_end = made->inserts.size;
		if (made->deflater)
			add_text(made, segments[i].crc, segments[i].plain);
		else
			made->plain += segments[i].plain;
	}
	made->size = made->inserts.size + (count > 0 ? segments[count - 1].body_end : 0);
	buffer_release(&lines);
}

/* ---- writing ---- */

int made_write(const struct made *made, made_sink *sink, void *data)
{
	const struct segment *segments = (const struct segment *)made->segments.bytes;
	size_t count = made->segments.size / sizeof(*segments), inserted = 0, written = 0;
	const uint8_t *body =
		made->deflater ? made->packed.bytes : (const uint8_t *)made->text.buffer;
	int error = 0;

	for (size_t i = 0; i < count && !error; i++) {
		size_t size = segments[i].insert_end - inserted;

		if (size > 0)
			error = sink(data, made->inserts.bytes + inserted, size);
		inserted = segments[i].insert_end;
		/* a body that is followed by the next one at once is written with it */
		if (i + 1 < count && segments[i + 1].insert_end == inserted)
			continue;
		size = segments[i].body_end - written;
		if (size > 0 && !error)
			error = sink(data, body + written, size);
		written = segments[i].body_end;
	}
	return error;
}
