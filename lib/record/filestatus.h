/* SPDX-License-Identifier: MIT */
/*
 * filestatus.h - what the kernel says of a file: one system call each time it is opened, two more for the first of each device
 * and for files that are striped.
 */
#ifndef RECORDER_RECORD_FILESTATUS_H
#define RECORDER_RECORD_FILESTATUS_H

#include <stddef.h>
#include <stdint.h>

#define FILE_STRIPING_MAX 1024 /* bytes; a layout that is longer is left out */

struct file_status {
	uint64_t device, inode;
	uint64_t size;
	uint64_t mount;      /* as in /proc/self/mountinfo, 0 unknown */
	uint32_t type;       /* S_IFMT bits */
	uint32_t block_size; /* that the file system likes best */
};

/* Of an open file, or, where fd is -1, of what `path` leads to. 0 or -errno, with which all of it is 0. */
int file_status(int fd, const char *path, struct file_status *status);
/* The magic of the device's file system, 0 unknown. */
uint64_t file_system_magic(int fd, uint64_t device);
/* "pipe" or "socket" if the open file is one that has no path and whose name for the kernel is this and ":[inode]", else NULL. */
const char *file_nameless(int fd, const struct file_status *status);
/* The extended attribute lustre.lov as it is, if the file system is Lustre: its size, else 0. */
size_t file_striping(int fd, uint64_t magic, void *buffer);

#endif
