/* SPDX-License-Identifier: MIT */
/* data_decode.c - see data_decode.h */
#include "format/data_decode.h"

#include <errno.h>
#include <stdlib.h>

#define WORK_FIRST ((size_t)256 << 10)
#define WORK_MAX ((size_t)1 << 30)

static void *room_for(struct data_room *room, size_t count, size_t each)
{
	size_t size = count * each + 1; /* never NULL for none */

	if (size > room->size) {
		free(room->memory);
		room->memory = malloc(size);
		room->size = room->memory ? size : 0;
	}
	return room->memory;
}

static int bad(struct data_decoder *decoder, const char *what)
{
	decoder->what = what;
	return -EBADMSG;
}

static int open_lists(struct data_decoder *decoder, const struct chunk_header *header,
		      const void *stored, const uint8_t *plain, uint32_t rest)
{
	if (data_is_loop(header->encoding))
		return looped_open(&decoder->looped, header, plain, header->plain_size);
	if (header->encoding == DATA_COLUMNS)
		return columns_open(&decoder->columns, header, plain, header->plain_size);
	return signatures_open(&decoder->signatures, header, plain, header->plain_size,
			       (const uint8_t *)stored + header->body_size - rest, rest);
}

int data_open(struct data_decoder *decoder, const struct chunk_header *header, const void *stored)
{
	const uint8_t *plain = stored;
	uint32_t rest = 0;
	int error;

	/* what is held is not deflated */
	if (!data_is_loop(header->encoding) || header->body_size != header->plain_size) {
		error = inflater_run(&decoder->inflater, stored, header->body_size,
				     header->plain_size, &rest);
		if (error == -ENOMEM)
			return error;
		if (error || (rest && header->encoding != DATA_SIGNATURES &&
			      header->encoding != DATA_SUMMED))
			return bad(decoder, "does not inflate");
		plain = decoder->inflater.plain;
	}
	decoder->encoding = header->encoding;
	if (open_lists(decoder, header, stored, plain, rest))
		return bad(decoder, "is malformed");
	decoder->functions = room_for(&decoder->list, data_lists(decoder)->function_count,
				      sizeof(*decoder->functions));
	if (!decoder->functions)
		return -ENOMEM;
	if (lists_functions(data_lists(decoder), decoder->functions))
		return bad(decoder, "is malformed");
	return 0;
}

static int begin_columns(struct data_decoder *decoder)
{
	struct columns *columns = &decoder->columns;
	struct list_site *sites =
		room_for(&decoder->sites, columns->lists.site_count, sizeof(*sites));
	struct column *column =
		room_for(&decoder->column, columns_needed(columns, decoder->functions),
			 sizeof(*column));

	if (!sites || !column)
		return -ENOMEM;
	return columns_begin(columns, decoder->functions, sites, column);
}

static int begin_in(struct data_decoder *decoder, size_t size)
{
	if (data_is_loop(decoder->encoding))
		return looped_begin(&decoder->looped, decoder->functions, decoder->work.memory,
				    size);
	return signatures_begin(&decoder->signatures, decoder->functions, decoder->work.memory,
				size);
}

/* The memory is doubled until it is enough. */
static int begin_signatures(struct data_decoder *decoder)
{
	size_t size = decoder->work.size ? decoder->work.size - 1 : WORK_FIRST;
	int error;

	for (;; size *= 2) {
		if (!room_for(&decoder->work, size, 1))
			return -ENOMEM;
		error = begin_in(decoder, size);
		if (error != -ENOBUFS || size >= WORK_MAX)
			return error ? -EBADMSG : 0;
	}
}

int data_begin(struct data_decoder *decoder)
{
	int error = decoder->encoding != DATA_COLUMNS ? begin_signatures(decoder)
						      : begin_columns(decoder);

	return error == -EBADMSG ? bad(decoder, "is malformed") : error;
}

ssize_t data_next(struct data_decoder *decoder, struct raw_record *record)
{
	if (data_is_loop(decoder->encoding))
		return looped_next(&decoder->looped, record);
	return decoder->encoding != DATA_COLUMNS ? signatures_next(&decoder->signatures, record)
						 : columns_next(&decoder->columns, record);
}

void data_release(struct data_decoder *decoder)
{
	inflater_release(&decoder->inflater);
	free(decoder->list.memory);
	free(decoder->sites.memory);
	free(decoder->column.memory);
	free(decoder->work.memory);
	memset(decoder, 0, sizeof(*decoder));
}
