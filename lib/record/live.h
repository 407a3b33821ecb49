/* SPDX-License-Identifier: MIT */
/*
 * live.h - the directory of live files, and making one.
 *
 * Live files lie in a directory of the run on a memory-backed file system of this node: RECORDER_LIVE_DIR, else /dev/shm, else
 * $TMPDIR or /tmp unless that is a network file system. What is stored to is reserved before, so that no store can
 * raise SIGBUS.
 */
#ifndef RECORDER_RECORD_LIVE_H
#define RECORDER_RECORD_LIVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "record/text.h"

#define LIVE_PATH_MAX 512

struct live_file {
	void *address; /* NULL: none */
	size_t size;
	_Atomic size_t reserved; /* so much of it has memory, from its begin */
	char suffix[14];         /* of its name; "" if unlinked or private */
	bool private;            /* memory of the process only: not crash-safe */
};

/* Finds or makes the directory. Without one, files are private memory. */
void live_open(void);
/* Its path, "" if there is none. */
const char *live_directory(void);
/* The begin of the path of a file in it, to which the name is added. */
struct textbuf live_path(char path[LIVE_PATH_MAX]);
/* From now on nothing is made in it, nor is anybody at it. */
void live_shut(void);
/* The same; removes it if nothing is left in it but the count of streams (livecount.h). */
void live_close(void);

/*
 * Makes and maps STREAM.SUFFIX of `size` bytes, all zero, of which the first `reserved` have memory: what is behind them must not be touched before live_reserve(). Falls back to private memory. 0, or
 * -ENOMEM if even that fails.
 */
int live_create(struct live_file *file, const char *suffix, size_t size, size_t reserved);
/* Reserves the file's first `size` bytes, if they are not yet. Several threads may at once. On failure (-ENOSPC, -EFAULT, -ENOENT ...) it is as before. */
int live_reserve(struct live_file *file, size_t size);
/* Grows to `size` bytes, of which those that had memory and the first `reserved` have it then; the address may change. On failure (-ENOSPC, -ENOMEM) the file is as before. */
int live_grow(struct live_file *file, size_t size, size_t reserved);
/* Unlinks the file; the mapping stays. */
void live_unlink(struct live_file *file);
/* After live_unlink(): a new file with the same content at the same address. Stores by other threads in the meantime may be lost,
 * so for a process of one thread. 0 or a negative errno: the mapping stays without a file. */
int live_restore(struct live_file *file, const char *suffix);
/* Unmaps; the file stays. */
void live_unmap(struct live_file *file);
/* In a forked child: what it inherits counts no longer, to be called after its live files were unmapped. */
void live_forked(void);

#endif
