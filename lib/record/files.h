/* SPDX-License-Identifier: MIT */
/*
 * files.h - numbers for files: each gets one for each absolute path by which it is opened.
 *
 * What a file is, is device and inode, asked at each open with one system call: a file that is made anew under an old name, or one
 * that another was renamed to, is another file. The name is the one of the open, whatever becomes of it later. Of descriptors that were not opened by a path it is what the kernel
 * says (/proc/self/fd), but of pipes and sockets, whose name is made of their inode. What is opened below an open folder has the name by which
 * that was opened, and its own (foldernames.h). A path is made straight by its text alone where ".." does not come behind what may be a link.
 *
 * The table is keyed by a hash of path, device and inode, lock-free, of fixed size: groups of slots, in which a new file pushes the oldest out
 * once a group is full, hardly ever with less than 30,000 of them. A file that comes back after many others gets another number and is defined again.
 * FILES_MAX numbers later there are no more: what is opened then is FILE_UNNAMED, which is counted. So neither the process nor who reads the
 * trace needs memory without bound.
 * Files that RECORDER_EXCLUDE names have one number for all, with FILE_EXCLUDED, and are not defined in the trace; nothing is asked about them.
 */
#ifndef RECORDER_RECORD_FILES_H
#define RECORDER_RECORD_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/filestatus.h"
#include "record/pathtext.h"

#define FILE_EXCLUDED 0x80000000u
#define FILES_BITS 22u
#define FILES_MAX ((1u << FILES_BITS) - 2)
#define FILE_UNNAMED                                                                               \
	(FILES_MAX +                                                                               \
	 1) /* the number of all that have none; never defined: readers show an unknown file */

/* Once, before all else. False: no memory. */
bool files_init(void);
/* Whether that has been: not in processes that stay untraced. */
bool files_active(void);

/* The id of the file that `fd` was opened as, by `path` relative to `dirfd`, which stands for the file `folder` (0: not known); the FILE definition is
 * made at its first sight. */
uint32_t file_opened(int fd, int dirfd, uint32_t folder, const char *path);
/* The id of what `fd` stands for, asked from the kernel; 0 if fd is not open. */
uint32_t file_of_descriptor(int fd);
/* The same where file_status() was asked already. */
uint32_t file_of_descriptor_with(int fd, const struct file_status *status);
/* The id of a file by path alone, without a descriptor (MPI_File_open). Relative paths are made absolute by the working
 * directory; an empty one is that itself. */
uint32_t file_of_path(const char *path);

/* The id of a file that is mapped, by what the kernel says of the mapping. */
uint32_t file_mapped(const char *path, uint64_t device, uint64_t inode);

/* Whether calls on `path`, relative to `dirfd`, are to be dropped (pathfilter.h). It is not asked what is a link. */
bool file_excluded(int dirfd, const struct path_text *path);

/* The path as file_of_path() takes it, absolute; false if it does not fit. */
bool file_absolute_path(const char *path, char *absolute, size_t size);

/* How often a file was opened that could not be given a number. */
uint64_t files_unnamed(void);

/* In a forked child: lets go of what other threads held. */
void files_forked(void);

#endif
