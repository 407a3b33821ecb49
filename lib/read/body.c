/* SPDX-License-Identifier: MIT */
/* body.c - see body.h */
#include "read/body.h"

#include <errno.h>
#include <stdlib.h>

#include "format/chunk.h"
#include "format/defs_relative.h"

#define DEFLATE_RATIO_MAX 1032u /* of any deflate stream */

/* Contents need not be kept. */
static int reserve(uint8_t **buffer, size_t *capacity, size_t size)
{
	if (size <= *capacity)
		return 0;
	free(*buffer);
	*buffer = malloc(size);
	*capacity = *buffer ? size : 0;
	return *buffer ? 0 : -ENOMEM;
}

int body_read(struct body *body, struct tracefiles *files, struct file *file, uint64_t offset,
	      uint32_t size, uint32_t crc)
{
	ssize_t got;

	if (reserve(&body->stored, &body->stored_capacity, (size_t)size + BODY_BEHIND))
		return -ENOMEM;
	got = file_read_at(files, file, body->stored, size, offset);
	if (got < 0)
		return (int)got;
	if ((uint32_t)got != size || format_crc(body->stored, size) != crc)
		return -EBADMSG;
	return 0;
}

int body_inflate(struct body *body, uint32_t size, uint32_t plain_size, uint32_t *rest)
{
	z_stream *inflater = &body->inflater;
	int status;

	if (plain_size > ((uint64_t)size + 1) * DEFLATE_RATIO_MAX)
		return -EBADMSG;
	if (reserve(&body->plain, &body->plain_capacity, plain_size))
		return -ENOMEM;
	status = body->inflater_ready ? inflateReset(inflater) : inflateInit(inflater);
	if (status != Z_OK)
		return -ENOMEM;
	body->inflater_ready = true;
	inflater->next_in = body->stored;
	inflater->avail_in = size;
	inflater->next_out = body->plain;
	inflater->avail_out = plain_size;
	status = inflate(inflater, Z_FINISH);
	if (status == Z_MEM_ERROR)
		return -ENOMEM;
	*rest = inflater->avail_in;
	return status == Z_STREAM_END && inflater->avail_out == 0 ? 0 : -EBADMSG;
}

int body_unpack_defs(struct body *body, struct bytes *entries)
{
	struct bytes words = *entries;
	uint32_t size = defs_relative_size(&words);

	if (size == UINT32_MAX)
		return -EBADMSG;
	if (reserve(&body->entries, &body->entries_capacity, size))
		return -ENOMEM;
	*entries = bytes_of(body->entries, size);
	return defs_relative_unpack(&words, body->entries, size);
}

void body_release(struct body *body)
{
	free(body->stored);
	free(body->plain);
	free(body->entries);
	if (body->inflater_ready)
		inflateEnd(&body->inflater);
	memset(body, 0, sizeof(*body));
}
