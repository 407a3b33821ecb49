/* SPDX-License-Identifier: MIT */
/*
 * files.h - numbers for files: each absolute path gets one at its first open.
 *
 * The table is keyed by a 64-bit hash of the path, lock-free, of fixed size; when it is full further files get a
 * new number at each open (the definitions then repeat the path: more bytes, nothing wrong).
 * Ids of files that RECORDER_EXCLUDE names bear FILE_EXCLUDED and are not defined in the trace.
 */
#ifndef RECORDER_RECORD_FILES_H
#define RECORDER_RECORD_FILES_H

#include <stdbool.h>
#include <stdint.h>

#define FILE_EXCLUDED 0x80000000u

/* Once, before all else. False: no memory. */
bool files_init(void);
/* Whether that has been: not in processes that stay untraced. */
bool files_active(void);

/* The id of the file that `fd` was opened as, by `path` relative to `dirfd`; the FILE definition is made at its first
 * sight, with one fstat. */
uint32_t file_opened(int fd, int dirfd, const char *path);
/* The id of what `fd` stands for, asked from the kernel; 0 if fd is not open. */
uint32_t file_of_descriptor(int fd);
/* The id of a file by path alone, without a descriptor (MPI_File_open). Relative paths are made absolute by the working
 * directory. */
uint32_t file_of_path(const char *path);

/* The working directory changed. */
void files_directory_changed(void);
/* In a forked child: lets go of what other threads held. */
void files_forked(void);

#endif
