/* SPDX-License-Identifier: MIT */
/*
 * unwritten.h - bytes of files that were written and have not gone to a device yet, and who wrote them: a byte that is written again is the later one's.
 *
 * Ranges are kept by regions of a file, so that those of a file that is written here and there are found among few.
 */
#ifndef RECORDER_TOOLS_UNWRITTEN_H
#define RECORDER_TOOLS_UNWRITTEN_H

#include <stdint.h>

struct file_identity {
	uint64_t machine, device, inode;
};

struct unwritten;

/* NULL: no memory. */
struct unwritten *unwritten_new(void);
void unwritten_free(struct unwritten *unwritten);

/* `who` writes bytes `from` up to `until`. 0 or -ENOMEM. */
int unwritten_add(struct unwritten *unwritten, const struct file_identity *file, uint64_t from,
		  uint64_t until, uint32_t who);

typedef void unwritten_sink(void *self, uint32_t who);
/* Bytes go to a device: told is who wrote them, more than once if his bytes lie apart; they are forgotten. 0 or -ENOMEM. */
int unwritten_take(struct unwritten *unwritten, const struct file_identity *file, uint64_t from,
		   uint64_t until, unwritten_sink *sink, void *self);

#endif
