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

#include "read/packed_blocks.h"
#include "read/packed_parts.h"
#include "read/packed_pieces.h"

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

/* The chunk whose header is at `offset`. 0; -ENOENT: no chunk begins there that was taken apart; -EBADMSG, -ENOMEM, ... */
int packed_body(struct packed *packed, uint32_t file, uint64_t offset, struct packed_body *body);

/* The piece at `offset`, where one has to begin, for a walk over a file to make it again. 1; 0: at the end; negative errno. */
int packed_piece_at(struct packed *packed, uint32_t file, uint64_t offset,
		    struct packed_piece *piece);

#endif
