/* SPDX-License-Identifier: MIT */
/* anonymize_data.c - the records of DATA and OPEN chunks; see anonymize.h */
#include <errno.h>
#include <string.h>

#include "anonymize.h"
#include "format/raw.h"

#define STRINGS_MAX 16384u /* bytes that all strings of a record may become */

/* Names are longer than they were; a record has a largest size. */
static size_t string_limit(const struct anonymize_function *function)
{
	size_t each = STRINGS_MAX / (function->strings ? function->strings : 1);

	return each < STRING_MAX ? each : STRING_MAX;
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
