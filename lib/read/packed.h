/* SPDX-License-Identifier: MIT */
/*
 * packed.h - the files in a packed trace, read where they lie, doc/format.md section 10.
 *
 * A file has the offsets and sizes that it had before it was packed. Bodies that were deflated are not made again: chunks are read by packed_body(), which gives
 * what is in them.
 *
 * Several threads may read. Blocks and parts are kept as long as there is room (packed_cache.h); what is open all the time is 40 bytes a file and its name.
 */
#ifndef RECORDER_READ_PACKED_H
#define RECORDER_READ_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/pack_shape.h"
#include "read/packed_blocks.h"

struct packed;

/* 0; -EINVAL: it is no packed trace; -EBADMSG: damaged, *what tells how and *offset where; -EPROTO; -ENOMEM ... Takes `fd` over if it succeeds. `tell` may be NULL. */
int packed_open(struct packed **packed, int fd, packed_tell *tell, void *data, const char **what,
		uint64_t *offset);
void packed_close(struct packed *packed);
/* Whether a file begins as a packed trace does. */
bool packed_is(int fd);

uint32_t packed_file_count(const struct packed *packed);
const char *packed_file_name(const struct packed *packed, uint32_t file);
uint64_t packed_file_size(const struct packed *packed, uint32_t file);
/* The number of the file with this name; UINT32_MAX: there is none. */
uint32_t packed_find(const struct packed *packed, const char *name);
/* Bytes of the whole packed trace. */
uint64_t packed_size(const struct packed *packed);

/* Reads as pread() from a file. Bodies that were deflated, and checksums of them, are zeros. The number of bytes or a negative errno. */
ssize_t packed_read(struct packed *packed, uint32_t file, void *buffer, size_t size,
		    uint64_t offset);

/* What the body of a chunk holds. */
enum packed_form {
	PACKED_STORED,  /* nothing but the body, in `plain` */
	PACKED_PLAIN,   /* in `plain` what it inflates to, in `bits` what follows */
	PACKED_ENTRIES, /* in `plain` the entries of DEFS encoding 2 */
};

/* Zeroed memory is ready for use; buffers are used again. */
struct packed_body {
	enum packed_form form;
	uint8_t *plain, *bits;
	size_t plain_size, bits_size;
	size_t plain_capacity, bits_capacity;
	uint8_t *spare; /* times of a chunk while it is put together */
	size_t spare_capacity;
};

void packed_body_release(struct packed_body *body);
/* The chunk whose header is at `offset`. 0; -ENOENT: no chunk begins there that was taken apart; -EBADMSG, -ENOMEM, ... */
int packed_body(struct packed *packed, uint32_t file, uint64_t offset, struct packed_body *body);

/* A walk over a file, to make it again. */
struct packed_piece {
	struct pack_piece piece;
	uint64_t offset; /* in the file */
};

/* The piece at `offset`, where one has to begin. 1; 0: at the end; negative errno. */
int packed_piece_at(struct packed *packed, uint32_t file, uint64_t offset,
		    struct packed_piece *piece);

#endif
