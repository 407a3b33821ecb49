/* SPDX-License-Identifier: MIT */
/* inflater.c - see inflater.h */
#include "format/inflater.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEFLATE_RATIO_MAX 1032u /* of any deflate stream */

/* What was in it need not be kept. */
static bool reserve(struct inflater *inflater, size_t size)
{
	if (size <= inflater->capacity)
		return true;
	free(inflater->plain);
	inflater->plain = malloc(size);
	inflater->capacity = inflater->plain ? size : 0;
	return inflater->plain;
}

int inflater_run(struct inflater *inflater, const void *stored, uint32_t size, uint32_t plain_size,
		 uint32_t *rest)
{
	z_stream *stream = &inflater->stream;
	int status;

	if (inflater->given) {
		inflater->given = false;
		*rest = inflater->given_rest;
		return inflater->given_size == plain_size ? 0 : -EBADMSG;
	}
	if (plain_size > ((uint64_t)size + 1) * DEFLATE_RATIO_MAX)
		return -EBADMSG;
	if (!reserve(inflater, (size_t)plain_size + 1))
		return -ENOMEM;
	status = inflater->ready ? inflateReset(stream) : inflateInit(stream);
	if (status != Z_OK)
		return -ENOMEM;
	inflater->ready = true;
	stream->next_in = (Bytef *)stored;
	stream->avail_in = size;
	stream->next_out = inflater->plain;
	stream->avail_out = plain_size;
	status = inflate(stream, Z_FINISH);
	if (status == Z_MEM_ERROR)
		return -ENOMEM;
	*rest = stream->avail_in;
	return status == Z_STREAM_END && stream->avail_out == 0 ? 0 : -EBADMSG;
}

void inflater_give(struct inflater *inflater, uint8_t **plain, size_t *capacity, uint32_t size,
		   uint32_t rest)
{
	uint8_t *before = inflater->plain;
	size_t room = inflater->capacity;

	inflater->plain = *plain;
	inflater->capacity = *capacity;
	*plain = before;
	*capacity = room;
	inflater->given = true;
	inflater->given_size = size;
	inflater->given_rest = rest;
}

void inflater_release(struct inflater *inflater)
{
	free(inflater->plain);
	if (inflater->ready)
		inflateEnd(&inflater->stream);
	memset(inflater, 0, sizeof(*inflater));
}
