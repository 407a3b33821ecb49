/* SPDX-License-Identifier: MIT */
/*
 * chunkfile.h - a .rec or .lm that is completed after its process has died: its whole chunks, one
 * after the other, and more at its end.
 */
#ifndef RECORDER_TOOLS_CHUNKFILE_H
#define RECORDER_TOOLS_CHUNKFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "format/bytes.h"
#include "format/wire.h"
#include "read/nodefile.h"

struct chunkfile {
	int fd; /* -1: there is no such file, or it is a part that is only read */
	const struct node_part *part; /* it is chunks in the file of a node, `fd` */
	uint64_t stream_id;
	uint64_t size;
	uint64_t end; /* of the last whole chunk */
};

/* The same as chunkfile_open(), but to be read only, and without a lock. */
int chunkfile_open_to_read(struct chunkfile *file, int dir_fd, const char *name,
			   enum file_kind kind);
/*
 * Opens DIR_FD/name to be read and appended to, and locks it against others that do the same. A file
 * that is not there is no error. 0 or a negative errno: -EINVAL, -EPROTO, -EBADMSG as file_header_check().
 */
int chunkfile_open(struct chunkfile *file, int dir_fd, const char *name, enum file_kind kind);
/* The same of one in the file of a node. One at a time is to take the lock; `part` must outlive it. */
int chunkfile_open_part(struct chunkfile *file, int dir_fd, const struct node_part *part,
			bool lock);
int chunkfile_open_part_to_read(struct chunkfile *file, const struct node_part *part);
/* Makes the file that chunkfile_open() did not find. */
int chunkfile_create(struct chunkfile *file, int dir_fd, const char *name, enum file_kind kind,
		     uint64_t stream_id);
void chunkfile_close(struct chunkfile *file);

/*
 * Calls `visit` for each chunk that is whole, with its body, in the order of the file. Searches for the
 * next one where one is damaged. 0, a negative errno, or what `visit` gave if not 0.
 */
int chunkfile_walk(struct chunkfile *file,
		   int (*visit)(void *data, const struct chunk_header *header, struct bytes body),
		   void *data);

/* Cuts off a chunk at the end that was written by half, after chunkfile_walk(); damage stays as it is. */
int chunkfile_trim(struct chunkfile *file);
/* Seals and appends a chunk whose type, sizes and counts are set. If that fails the file is as before. */
int chunkfile_append(struct chunkfile *file, struct chunk_header *header, const void *body);

#endif
