/* SPDX-License-Identifier: MIT */
/*
 * watched_files.h - what device and inode numbers are, as the kernel's programs told it (bpf/files.bpf.h): names within a file system, to which the place where it is mounted is added here.
 */
#ifndef RECORDER_SYSTEM_WATCHED_FILES_H
#define RECORDER_SYSTEM_WATCHED_FILES_H

#include <stdint.h>

#include "bpf/kernel_events.h"
#include "system/watched_mounts.h"

struct watched_file {
	uint64_t inode, size, magic;
	uint32_t device; /* as the kernel has it */
	uint32_t mode, generation;
	uint32_t newest; /* of the first file of an inode number: the one that has it now */
	char *path;
};

struct watched_files;

/* NULL: out of memory. */
struct watched_files *watched_files_new(void);
void watched_files_free(struct watched_files *files);

/* Of untrusted sizes, as it comes out of the ring. 0 or -ENOMEM. */
int watched_files_tell(struct watched_files *files, const struct file_event *event);
/* The number of the file that was told last of an inode number, from 0; -1: none was. */
int64_t watched_files_find(const struct watched_files *files, uint32_t device, uint64_t inode);
/* Valid until the next one is told. */
const struct watched_file *watched_file(const struct watched_files *files, uint32_t number);

/* As long as `files`. */
const struct watched_mounts *watched_files_mounts(const struct watched_files *files);

/* The number that stat(2) has for a device of the kernel. */
uint64_t watched_device(uint32_t device);

#endif
