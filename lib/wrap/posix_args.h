/* SPDX-License-Identifier: MIT */
/*
 * posix_args.h - captures that layer posix needs and no other.
 */
#ifndef RECORDER_WRAP_POSIX_ARGS_H
#define RECORDER_WRAP_POSIX_ARGS_H

#include <sys/mman.h>

#include "record/args.h"
#include "record/descriptors.h"
#include "record/mappings.h"
#include "record/readable.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* of Linux 6.13 */
#endif

/* A user or group of chown(2): (uid_t)-1 leaves it as it is. */
static inline void arg_uid(struct call *call, unsigned index, uid_t id)
{
	arg_int(call, index, id == (uid_t)-1 ? -1 : (int64_t)id);
}

/* An offset behind a pointer, -1 for NULL: then the position of the file itself is used. */
static inline void arg_offset_at(struct call *call, unsigned index, const int64_t *offset)
{
	if (offset)
		arg_long_at(call, index, offset);
	else
		arg_int(call, index, -1);
}

/* The file that is mapped at a range of memory. */
static inline void arg_mapped(struct call *call, unsigned index, const void *address, size_t length)
{
	uint32_t file = mapping_find(address, length).file;

	if (file & FILE_EXCLUDED) {
		call->record->flags |= RECORD_DROP;
		file = 0;
	}
	call->record->args[index] = pair_make(file ? 0 : -1, file);
}

/* From which byte of that file on, -1 if there is none; how many bytes. */
static inline int64_t mapped_offset(const void *address, size_t length)
{
	return mapping_find(address, length).offset;
}

static inline uint64_t mapped_bytes(const void *address, size_t length)
{
	return mapping_find(address, length).bytes;
}

/* All other advice leaves memory that can be read. */
static inline void memory_advised(const void *address, size_t length, int advice)
{
	if (advice == MADV_GUARD_INSTALL)
		readable_forget(address, length);
}

/* The result of a call that opened `path` relative to `dirfd`; keeps the descriptor table true. */
static inline void result_opened(struct call *call, int fd, int dirfd, const char *path)
{
	if (fd >= 0)
		descriptor_opened(fd, dirfd, path);
	result_fd(call, fd, fd < 0);
}

#endif
