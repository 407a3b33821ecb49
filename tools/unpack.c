/* SPDX-License-Identifier: MIT */
/* unpack.c - see unpack.h */
#include "unpack.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "format/chunk.h"
#include "format/defs_relative.h"
#include "format/deflater.h"
#include "message.h"
#include "read/packed.h"

#define HEADER_SIZE sizeof(struct chunk_header)
#define OUT_SIZE (1u << 20) /* collected before it is written */

struct unpacking {
	struct packed *packed;
	uint32_t file;
	int fd;
	const char *name;
	bool same; /* so far: sizes, and so offsets, are what they were */
	struct deflater *deflater;
	struct packed_body body;
	struct buffer out, words;
};

static void flush(struct unpacking *unpacking)
{
	const uint8_t *p = unpacking->out.bytes;
	size_t left = unpacking->out.size;

	while (left > 0) {
		ssize_t written = write(unpacking->fd, p, left);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			die("cannot write '%s': %s", unpacking->name,
			    strerror(written ? errno : ENOSPC));
		p += written;
		left -= (size_t)written;
	}
	buffer_clear(&unpacking->out);
}

_Noreturn static void fail(const struct unpacking *unpacking, uint64_t offset, int error)
{
	die("%s: offset %" PRIu64 ": cannot be unpacked: %s", unpacking->name, offset,
	    error == -EBADMSG ? "it is damaged" : strerror(-error));
}

static void copy_bytes(struct unpacking *unpacking, const struct packed_piece *piece)
{
	size_t size = (size_t)piece->piece.size;
	uint8_t *room = buffer_room(&unpacking->out, size);
	ssize_t got = packed_read(unpacking->packed, unpacking->file, room, size, piece->offset);
	struct chunk_header header;
	struct end_tail tail;

	if (got < 0 || (size_t)got != size)
		fail(unpacking, piece->offset, got < 0 ? (int)got : -EBADMSG);
	unpacking->out.size += size;
	/* it says where it lies itself */
	if (unpacking->same || piece->piece.op != PACK_OP_PLAIN ||
	    piece->piece.header.type != CHUNK_END || size < HEADER_SIZE + sizeof(tail))
		return;
	memcpy(&header, room, sizeof(header));
	memcpy(&tail, room + size - sizeof(tail), sizeof(tail));
	tail.offset = 0;
	memcpy(room + size - sizeof(tail), &tail, sizeof(tail));
	chunk_header_seal(&header, room + HEADER_SIZE);
	memcpy(room, &header, sizeof(header));
}

/* What of the body is deflated. */
static struct bytes words_of(struct unpacking *unpacking)
{
	const struct packed_body *body = &unpacking->body;
	size_t room = defs_relative_bound((uint32_t)body->plain_size);
	struct varints words;

	if (body->form != PACKED_ENTRIES)
		return bytes_of(body->plain, body->plain_size);
	buffer_clear(&unpacking->words);
	words = varints_in(buffer_room(&unpacking->words, room), room);
	defs_relative_pack(body->plain, (uint32_t)body->plain_size, &words);
	unpacking->words.size = (size_t)(words.p - unpacking->words.bytes);
	return bytes_of(unpacking->words.bytes, unpacking->words.size);
}

static void make_chunk(struct unpacking *unpacking, const struct packed_piece *piece)
{
	struct chunk_header header = piece->piece.header;
	struct packed_body *body = &unpacking->body;
	int error = packed_body(unpacking->packed, unpacking->file, piece->offset, body);
	struct bytes words;
	size_t room, size;
	uint8_t *chunk;

	if (error)
		fail(unpacking, piece->offset, error);
	words = words_of(unpacking);
	room = deflater_bound(bytes_left(&words));
	chunk = buffer_room(&unpacking->out, HEADER_SIZE + room + body->bits_size);
	size = deflater_run(unpacking->deflater, words.p, bytes_left(&words), chunk + HEADER_SIZE,
			    room);
	if (size == 0)
		die("cannot compress");
	if (body->bits_size > 0)
		memcpy(chunk + HEADER_SIZE + size, body->bits, body->bits_size);
	unpacking->same &= header.body_size == size + body->bits_size &&
			   header.plain_size == bytes_left(&words);
	header.body_size = (uint32_t)(size + body->bits_size);
	header.plain_size = (uint32_t)bytes_left(&words);
	chunk_header_seal(&header, chunk + HEADER_SIZE);
	memcpy(chunk, &header, sizeof(header));
	unpacking->out.size += HEADER_SIZE + header.body_size;
}

bool unpack_file(struct packed *packed, uint32_t file, int fd, const char *name)
{
	struct unpacking unpacking = {
		.packed = packed, .file = file, .fd = fd, .name = name, .same = true};
	struct packed_piece piece;
	uint64_t offset = 0;
	int more;

	unpacking.deflater = deflater_init(aligned_alloc(16, deflater_size()));
	if (!unpacking.deflater)
		die("out of memory");
	while ((more = packed_piece_at(packed, file, offset, &piece)) > 0) {
		if (piece.offset != offset)
			fail(&unpacking, offset, -EBADMSG);
		if (piece.piece.op == PACK_OP_RAW || piece.piece.op == PACK_OP_HEADER ||
		    piece.piece.op == PACK_OP_PLAIN)
			copy_bytes(&unpacking, &piece);
		else
			make_chunk(&unpacking, &piece);
		if (unpacking.out.size > OUT_SIZE)
			flush(&unpacking);
		offset += piece.piece.size;
	}
	if (more < 0)
		fail(&unpacking, offset, more);
	flush(&unpacking);
	packed_body_release(&unpacking.body);
	buffer_release(&unpacking.out);
	buffer_release(&unpacking.words);
	free(unpacking.deflater);
	return unpacking.same;
}
