/* SPDX-License-Identifier: MIT */
/*
 * descriptors.h - which file each descriptor of the program stands for.
 *
 * A table by descriptor number, one 32-bit file id each, grown without moving (a directory of blocks), read and written without locks.
 * Wrappers keep it true: an entry is cleared before the real close and set after a successful open, so that a descriptor number reused by another thread
 * in between never shows the old file. 0 means "not known yet": the first use asks the kernel (readlink of
 * /proc/self/fd/N), which serves pipes, sockets, what came over a socket, and whatever was opened behind our back. What the process was
 * given is asked at the begin of its stream: later it may have another name, or nobody may be asked any more.
 *
 * The child of a vfork() has descriptors of its own, and this table is its parent's, as it is of a child that runs beside its parent (sharing.h). What
 * such a child does to a descriptor only marks the entry (DESCRIPTOR_CHANGED), and what its parent does meanwhile marks it, too: in the child that means
 * "ask the kernel", for everybody else nothing. The marks go when no such child is left.
 */
#ifndef RECORDER_RECORD_DESCRIPTORS_H
#define RECORDER_RECORD_DESCRIPTORS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/stream_file.h"

#define DESCRIPTOR_BLOCK 4096u
/* In an entry, beside the id. */
#define DESCRIPTOR_CHANGED 0x40000000u

/* The entries of the first descriptors, nearly always enough; NULL until one is used, and in untraced processes. */
extern _Atomic(_Atomic uint32_t *) descriptor_first;

/* The general case of descriptor_file(). */
uint32_t descriptor_file_slow(int fd);

/* The file id of a descriptor, looked up if not known; 0: unknown or not open. Keeps errno. */
static inline uint32_t descriptor_file(int fd)
{
	_Atomic uint32_t *first = atomic_load_explicit(&descriptor_first, memory_order_relaxed);
	uint32_t id = 0;

	if (__builtin_expect(first && (unsigned)fd < DESCRIPTOR_BLOCK, 1))
		id = atomic_load_explicit(&first[fd], memory_order_relaxed);
	/* neither 0 nor with a flag */
	return __builtin_expect(id - 1 < DESCRIPTOR_CHANGED - 1, 1) ? id : descriptor_file_slow(fd);
}

/* At the begin of the stream: asks what those of the first 32 descriptors are that the process was given; others are asked for when they are used. */
void descriptors_inherited(void);
/* fd was opened from `path` relative to directory `dirfd` (AT_FDCWD allowed). To be called after the real call
 * succeeded, whether or not it is recorded. Returns the file id. */
uint32_t descriptor_opened(int fd, int dirfd, const char *path);
/* fd now stands for what `from` stands for. */
void descriptor_duplicated(int from, int fd);
/* fd is about to be closed, or stands for something not known. */
void descriptor_forget(int fd);
/* All descriptors from first to last are about to be closed. */
void descriptor_forget_range(unsigned first, unsigned last);
/* Around the life of a child of vfork(), in the parent's thread; it may have one itself. */
void descriptors_child_begins(void);
void descriptors_child_left(void);
/* The same of one that runs beside its parent, in any thread. */
void descriptors_guest_begins(void);
void descriptors_guest_left(void);
/* In a forked child: it is nobody's child of vfork(). */
void descriptors_forked(void);
/* Whether fd belongs to the recorder: what would close it, or say that it is open, is answered with EBADF and not passed on. */
static inline bool descriptor_is_ours(int fd)
{
	return stream_owns(fd);
}
/* That answer: -1, with errno. */
int descriptor_refused(void);

#endif
