/* SPDX-License-Identifier: MIT */
/*
 * foldernames.h - the names of folders that were opened lately, by their number (files.h).
 *
 * What openat(2) opens is named by the folder's name and its own. Asking the kernel for either takes longer than opening the file. A number stands for
 * one name for ever, so nothing here grows old; a folder whose place another one has taken, or whose name is long, is asked for as before.
 *
 * Read and written without locks, also by signal handlers: each place has a sequence that is odd while it is written. Whoever comes upon that does
 * without.
 */
#ifndef RECORDER_RECORD_FOLDERNAMES_H
#define RECORDER_RECORD_FOLDERNAMES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define FOLDER_PLACES 128u
#define FOLDER_NAME_MAX 240u /* bytes */

/* All zero: none. In wiped memory, as a child's numbers begin anew. */
struct foldernames {
	struct foldername {
		_Atomic uint32_t sequence;
		_Atomic uint32_t id;
		_Atomic uint64_t length;
		_Atomic uint64_t words[FOLDER_NAME_MAX / 8];
	} places[FOLDER_PLACES];
};

void foldernames_put(struct foldernames *names, uint32_t id, const char *name, size_t length);
/* Writes at most FOLDER_NAME_MAX bytes, without a zero behind them, and returns how many; 0: it is not known. */
size_t foldernames_get(struct foldernames *names, uint32_t id, char *name);

#endif
