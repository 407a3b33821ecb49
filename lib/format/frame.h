/* SPDX-License-Identifier: MIT */
/*
 * frame.h - a chunk in the file of a node (NAME.node), which the processes of a machine append to: what is in front of the chunk
 * says whose it is, doc/format.md section 11.
 */
#ifndef RECORDER_FORMAT_FRAME_H
#define RECORDER_FORMAT_FRAME_H

#include <stdint.h>

#include "format/wire.h"

#define FRAME_TAG_SIZE 12u
#define FRAME_HEADER_SIZE (FRAME_TAG_SIZE + (uint32_t)sizeof(struct chunk_header))

/* In front of a chunk whose header is sealed. */
struct frame_tag {
	uint32_t stream[2]; /* identity, low half first: frames stand at any offset */
	uint32_t crc;       /* of the identity and the chunk's header */
};

void frame_tag_seal(struct frame_tag *tag, uint64_t stream, const struct chunk_header *header);
/* Of FRAME_HEADER_SIZE bytes. 0; -EBADMSG: no frame; -EFBIG: its chunk is beyond the limits. */
int frame_check(const uint8_t *frame, uint64_t *stream, struct chunk_header *header);

#endif
