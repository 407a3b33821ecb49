/* SPDX-License-Identifier: MIT */
/*
 * anonymize_data.c - the bodies of DATA and OPEN chunks; see anonymize.h.
 *
 * In columns (doc/format.md section 5) each argument has one of its own, with its size before it: only those of strings are
 * written anew, all numbers and times are copied as they are.
 */
#include <errno.h>
#include <string.h>

#include "anonymize.h"
#include "format/raw.h"
#include "format/varint.h"

#define COMMON_COLUMNS 9u /* function, level, gap, duration, site, flags, err, repeat, stack */
#define GAP_COLUMN 2u
#define SITE_COLUMN 4u
#define STRING_TAG_FIRST 3u /* 0 absent, 1 unreadable, 2 as before, else stored length + 3 */
#define STRINGS_MAX 16384u  /* bytes that all strings of a record may become */

/* Names are longer than they were; a record has a largest size. */
static size_t string_limit(const struct anonymize_function *function)
{
	size_t each = STRINGS_MAX / (function->strings ? function->strings : 1);

	return each < STRING_MAX ? each : STRING_MAX;
}

/* Columns ---------------------------------------------------------------------------- */

static void copy_varint(struct bytes *body, struct buffer *out)
{
	buffer_add_varint(out, bytes_varint(body));
}

/* One string of a column, its tag read already. */
static void put_string(const struct pseudonyms *pseudonyms, enum text_kind kind, size_t limit,
		       struct bytes *column, uint64_t stored, struct buffer *text,
		       struct buffer *out)
{
	uint64_t beyond = bytes_varint(column), original;
	struct text from = bytes_text(column, stored);
	size_t size;

	buffer_clear(text);
	anonymize_text(pseudonyms, kind, text, from.bytes, from.length);
	size = text->size < limit ? text->size : limit;
	original = beyond > 0 && stored + beyond > text->size ? stored + beyond : text->size;
	buffer_add_varint(out, size + STRING_TAG_FIRST);
	buffer_add_varint(out, original - size);
	buffer_add(out, text->bytes, size);
}

static void put_strings_column(const struct pseudonyms *pseudonyms, enum text_kind kind,
			       size_t limit, struct bytes column, struct buffer *out)
{
	struct buffer entries = {0}, text = {0};

	while (bytes_left(&column) > 0) {
		uint64_t tag = bytes_varint(&column);

		if (tag < STRING_TAG_FIRST)
			buffer_add_varint(&entries, tag);
		else
			put_string(pseudonyms, kind, limit, &column, tag - STRING_TAG_FIRST, &text,
				   &entries);
	}
	buffer_add_varint(out, (uint64_t)entries.size << 1);
	buffer_add(out, entries.bytes, entries.size);
	buffer_release(&entries);
	buffer_release(&text);
}

/* The column that comes next; with a text kind other than TEXT_KEEP it is one of strings. */
static void put_column(const struct pseudonyms *pseudonyms, enum text_kind kind, size_t limit,
		       struct bytes *body, struct buffer *out)
{
	uint64_t head = bytes_varint(body);
	size_t size = head & 1 ? 0 : head >> 1;
	const uint8_t *p = bytes_take(body, size);

	if (!p)
		return;
	if (size > 0 && kind != TEXT_KEEP) {
		put_strings_column(pseudonyms, kind, limit, bytes_of(p, size), out);
		return;
	}
	buffer_add_varint(out, head);
	buffer_add(out, p, size);
}

static void put_function_columns(const struct pseudonyms *pseudonyms,
				 const struct anonymize_function *function, struct bytes *body,
				 struct buffer *out)
{
	put_column(pseudonyms, TEXT_KEEP, 0, body, out); /* argument count */
	put_column(pseudonyms, TEXT_KEEP, 0, body, out); /* result */
	for (unsigned i = 0; i < function->arg_count; i++)
		put_column(pseudonyms,
			   function->classes[i] == CLASS_STRING ? function->kinds[i] : TEXT_KEEP,
			   string_limit(function), body, out);
}

/* Unit, phase, the lists of functions and call sites, the carried records. `list`: where the functions' ids begin. */
static uint64_t put_lists(const struct chunk_header *header, struct bytes *body, struct buffer *out,
			  struct bytes *list)
{
	uint64_t count, sites;

	copy_varint(body, out);
	copy_varint(body, out);
	count = bytes_varint(body);
	buffer_add_varint(out, count);
	*list = *body;
	for (uint64_t i = 0; i < count && !body->bad; i++)
		copy_varint(body, out);
	sites = bytes_varint(body);
	buffer_add_varint(out, sites);
	for (uint64_t i = 0; i < sites && !body->bad; i++) {
		copy_varint(body, out);
		copy_varint(body, out);
	}
	for (uint32_t i = 0; i < header->carried && !body->bad; i++) {
		copy_varint(body, out);
		copy_varint(body, out);
	}
	return count;
}

int anonymize_columns(const struct pseudonyms *pseudonyms,
		      const struct anonymize_functions *functions,
		      const struct chunk_header *header, struct bytes body, struct buffer *out,
		      size_t times[2])
{
	struct bytes list;
	uint64_t count = put_lists(header, &body, out, &list);

	for (unsigned i = 0; i < COMMON_COLUMNS; i++) {
		if (i == GAP_COLUMN)
			times[0] = out->size;
		if (i == SITE_COLUMN)
			times[1] = out->size;
		put_column(pseudonyms, TEXT_KEEP, 0, &body, out);
	}
	for (uint64_t i = 0; i < count && !body.bad; i++) {
		uint64_t id = bytes_varint(&list);

		if (id > UINT16_MAX || !functions->by_id[id] || !functions->by_id[id]->known)
			return -EBADMSG;
		put_function_columns(pseudonyms, functions->by_id[id], &body, out);
	}
	return body.bad || bytes_left(&body) > 0 ? -EBADMSG : 0;
}

/* Raw records -------------------------------------------------------------------------- */

/* Appends a block to the record that begins at `begin` in `out`, and says where it is. */
static void put_block(struct buffer *out, size_t begin, unsigned index, const void *head,
		      size_t head_size, const void *bytes, size_t size)
{
	static const uint8_t zeros[8];
	uint64_t offset = out->size - begin;

	buffer_add(out, head, head_size);
	buffer_add(out, bytes, size);
	buffer_add(out, zeros, -(head_size + size) & 7);
	memcpy(out->bytes + begin + offsetof(struct raw_record, args) + 8 * index, &offset,
	       sizeof(offset));
}

static void put_raw_string(const struct pseudonyms *pseudonyms,
			   const struct anonymize_function *function, unsigned index,
			   const struct string_block *from, struct buffer *out, size_t begin)
{
	struct buffer text = {0};
	struct string_block head;

	anonymize_text(pseudonyms, function->kinds[index], &text, from->bytes, from->stored);
	head.stored = (uint32_t)text.size;
	if (head.stored > string_limit(function))
		head.stored = (uint32_t)string_limit(function);
	head.original = (uint32_t)text.size;
	if (from->original > from->stored && from->original > head.original)
		head.original = from->original;
	put_block(out, begin, index, &head, sizeof(head), text.bytes, head.stored);
	buffer_release(&text);
}

static void put_blocks(const struct pseudonyms *pseudonyms,
		       const struct anonymize_function *function, const struct raw_record *record,
		       struct buffer *out, size_t begin)
{
	for (unsigned i = 0; i < record->arg_count && i < function->arg_count; i++) {
		const struct string_block *string;
		const struct array_block *array;

		if (record->args[i] <= BLOCK_UNREADABLE)
			continue;
		if (function->classes[i] == CLASS_STRING) {
			string = raw_string(record, record->args[i]);
			if (string)
				put_raw_string(pseudonyms, function, i, string, out, begin);
		} else if (function->classes[i] == CLASS_ARRAY) {
			array = raw_array(record, record->args[i]);
			if (array)
				put_block(out, begin, i, array,
					  sizeof(*array) + 8 * (size_t)array->stored, NULL, 0);
		}
	}
}

int anonymize_records(const struct pseudonyms *pseudonyms,
		      const struct anonymize_functions *functions, struct bytes body,
		      struct buffer *out)
{
	const struct raw_record *record;

	while (raw_next(&body, &record)) {
		const struct anonymize_function *function = functions->by_id[record->function];
		size_t begin = out->size;
		uint32_t size;

		if (!function || !function->known || record->arg_count > function->arg_count ||
		    !raw_blocks_check(record, function->classes))
			return -EBADMSG;
		buffer_add(out, record, sizeof(*record) + 8 * (size_t)record->arg_count);
		put_blocks(pseudonyms, function, record, out, begin);
		size = (uint32_t)(out->size - begin);
		memcpy(out->bytes + begin + offsetof(struct raw_record, size), &size, sizeof(size));
	}
	return body.bad ? -EBADMSG : 0;
}
