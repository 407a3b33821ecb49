/* SPDX-License-Identifier: MIT */
/*
 * chunk.h - file headers and chunk headers: made, sealed with their checksums, and checked.
 */
#ifndef RECORDER_FORMAT_CHUNK_H
#define RECORDER_FORMAT_CHUNK_H

#include "format/bytes.h"

uint32_t format_crc(const void *data, size_t size);

/* The header of a new file of this version. `stream_id` is 0 in the global file. */
void file_header_init(struct file_header *header, enum file_kind kind, uint64_t stream_id);

/*
 * 0; -EBADMSG: damaged, or no file of this format; -EINVAL: of another kind; -EPROTO: of a newer
 * major version.
 * `kind` is that of the file's name.
 */
int file_header_check(const struct file_header *header, enum file_kind kind);

/* Completes a header whose other fields are set: magic and both checksums. `body` is
 * the body as it will be stored, body_size bytes. */
void chunk_header_seal(struct chunk_header *header, const void *body);

/* 0; -EBADMSG: no chunk header or a damaged one; -EFBIG: a size or count beyond the limits. */
int chunk_header_check(const struct chunk_header *header);

/* Whether the body is what was sealed. `body` holds body_size bytes. */
bool chunk_body_check(const struct chunk_header *header, const void *body);

/* "DATA", "DEFS" ...; "unknown" for a type of a later version. */
const char *chunk_type_name(unsigned type);

#endif
