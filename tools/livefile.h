/* SPDX-License-Identifier: MIT */
/*
 * livefile.h - the live files of a dead process, doc/format.md section 9: read, checked, and given as
 * the bodies of the chunks that they are to become.
 */
#ifndef RECORDER_TOOLS_LIVEFILE_H
#define RECORDER_TOOLS_LIVEFILE_H

#include <stdbool.h>

#include "format/bytes.h"
#include "format/wire.h"

/* A whole live file in memory, zero-filled up to its size; nothing in it is trusted. */
struct livefile {
	uint8_t *bytes;
	size_t size;
};

/* 0; -ENOENT; -EINVAL: not such a file (`magic`), or of another stream; or another negative errno. */
int livefile_read(struct livefile *file, int dir_fd, const char *name, const char *magic,
		  uint64_t stream_id);
void livefile_release(struct livefile *file);

/*
 * What an arena holds that is not in the .rec: whole entries, their marks cleared, as a DEFS body. *body is on
 * the heap; *size may be 0. 0 or a negative errno.
 */
int arena_entries(const struct livefile *arena, uint8_t **body, uint32_t *size, uint32_t *count);

/* The records of a ring from number `next` on: a raw DATA body, inside the ring's bytes. */
struct ring_records {
	const uint8_t *body;
	struct chunk_header
		header;      /* all but checksums and lengths of time; count 0: there are none */
	bool has_last;       /* a newest record of the ring, in the .rec or not: */
	uint64_t last_start; /* its tstart */
	uint64_t last_end;   /* of a run its tend, else 0 */
	uint16_t last_level;
};

/* 0, or -EINVAL if the ring makes no sense. */
int ring_read(const struct livefile *ring, uint64_t next, struct ring_records *records);

/* The calls in flight: body, on the heap, and header of an OPEN chunk; count 0: there are none. 0 or -ENOMEM. */
int ring_open_calls(const struct livefile *ring, const struct ring_records *records, uint8_t **body,
		    struct chunk_header *header);

#endif
