/* SPDX-License-Identifier: MIT */
/* body.c - see body.h */
#include "read/body.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/chunk.h"
#include "format/defs_relative.h"

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

/* Takes a body over as it lies in a packed trace. What follows a zlib stream is put where it was. */
static int take_packed(struct body *body, uint32_t size)
{
	struct packed_body *packed = &body->packed;

	if (packed->form == PACKED_STORED) {
		if (packed->plain_size != size)
			return -EBADMSG;
		memcpy(body->stored, packed->plain, size);
		return 0;
	}
	if (packed->bits_size > size)
		return -EBADMSG;
	memset(body->stored, 0, size - packed->bits_size);
	if (packed->bits_size > 0)
		memcpy(body->stored + size - packed->bits_size, packed->bits, packed->bits_size);
	body->given = true;
	return 0;
}

/* As body_read(), of a packed trace. -ENOENT: it is stored byte by byte. */
static int read_packed(struct body *body, struct tracefiles *files, const struct file *file,
		       uint64_t offset, uint32_t size)
{
	int error = packed_body(files->packed, file->packed, offset - sizeof(struct chunk_header),
				&body->packed);

	return error ? error : take_packed(body, size);
}

int body_read(struct body *body, struct tracefiles *files, struct file *file, uint64_t offset,
	      uint32_t size, uint32_t crc)
{
	ssize_t got;

	body->given = false;
	if (reserve(&body->stored, &body->stored_capacity, (size_t)size + BODY_BEHIND))
		return -ENOMEM;
	if (files->packed) {
		int error = read_packed(body, files, file, offset, size);

		if (error != -ENOENT)
			return error;
	}
	got = file_read_at(files, file, body->stored, size, offset);
	if (got < 0)
		return (int)got;
	if ((uint32_t)got != size || format_crc(body->stored, size) != crc)
		return -EBADMSG;
	return 0;
}

int body_take(struct body *body, const void *bytes, uint32_t size, uint32_t crc)
{
	body->given = false;
	if (reserve(&body->stored, &body->stored_capacity, (size_t)size + BODY_BEHIND))
		return -ENOMEM;
	memcpy(body->stored, bytes, size);
	return format_crc(bytes, size) == crc ? 0 : -EBADMSG;
}

void body_give(struct body *body, struct inflater *inflater)
{
	struct packed_body *packed = &body->packed;

	if (body->given && packed->form == PACKED_PLAIN)
		inflater_give(inflater, &packed->plain, &packed->plain_capacity,
			      (uint32_t)packed->plain_size, (uint32_t)packed->bits_size);
}

int body_entries(struct body *body, struct bytes *entries)
{
	if (!body->given || body->packed.form != PACKED_ENTRIES)
		return -ENOENT;
	*entries = bytes_of(body->packed.plain, body->packed.plain_size);
	return 0;
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
	free(body->entries);
	packed_body_release(&body->packed);
	inflater_release(&body->inflater);
	memset(body, 0, sizeof(*body));
}
