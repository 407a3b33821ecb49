/* SPDX-License-Identifier: MIT */
/* pack_maker.c - see pack_maker.h */
#include "pack_maker.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "format/pack.h"

void part_put_data(struct part_maker *maker, const void *bytes, size_t size)
{
	maker->sink.data(maker->sink.self, bytes, size);
}

const struct buffer *part_deflated(struct part_maker *maker, const void *bytes, size_t size)
{
	struct buffer *stored = &maker->times_stored;

	buffer_clear(stored);
	pack_deflate(&maker->pack_deflater, stored, bytes, size);
	if (stored->size >= size) {
		buffer_clear(stored);
		buffer_add(stored, bytes, size);
	}
	return stored;
}

void part_put_header(struct part_maker *maker, enum pack_op op, const struct chunk_header *header)
{
	struct part_shape *shape = &maker->shape;

	shape_op(shape, op);
	shape_number(shape, header->type);
	shape_number(shape, header->encoding);
	shape_number(shape, header->flags);
	shape_number(shape, header->thread);
	shape_number(shape, header->count);
	shape_number(shape, header->lost);
	shape_number(shape, header->first_sequence);
	shape_time(shape, PACK_SIZE, header->carried);
	shape_time(shape, PACK_TICKS, header->t_base);
	shape_time(shape, PACK_TICKS, header->t_min);
	shape_time(shape, PACK_TICKS, header->t_max);
	shape_time(shape, PACK_TICKS, header->anchor.ticks);
	shape_time(shape, PACK_MONO, (uint64_t)header->anchor.mono);
	shape_time(shape, PACK_REAL, (uint64_t)header->anchor.real);
}

int part_inflate_exactly(struct part_maker *maker, const struct chunk_header *header,
			 struct bytes body, struct bytes *rest)
{
	uint8_t *plain = buffer_resize(&maker->plain, header->plain_size);
	uLongf size = header->plain_size;
	uLong used = bytes_left(&body);
	size_t room = deflater_bound(header->plain_size);

	if (header->plain_size > PACK_BLOB_MAX ||
	    uncompress2(plain, &size, body.p, &used) != Z_OK || size != header->plain_size)
		return -EBADMSG;
	if (deflater_run(maker->deflater, plain, size, buffer_resize(&maker->again, room), room) !=
		    used ||
	    memcmp(maker->again.bytes, body.p, used) != 0)
		return -EBADMSG;
	*rest = bytes_of(body.p + used, bytes_left(&body) - used);
	return 0;
}
