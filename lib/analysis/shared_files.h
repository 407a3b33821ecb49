/* SPDX-License-Identifier: MIT */
/*
 * shared_files.h - the files that several ranks moved bytes of, one of them writing, one after the other by path: with what each rank is known to have touched, and with
 * what it moved nobody knows where.
 */
#ifndef RECORDER_ANALYSIS_SHARED_FILES_H
#define RECORDER_ANALYSIS_SHARED_FILES_H

#include "analysis/tables.h"

struct shared_files {
	const struct tables *tables;
	const struct touch **sorted; /* by path and begin */
	uint32_t *
		writes; /* by number there, of the next one that writes: it, or one behind it; `count`: none */
	uint32_t count;
	const struct untold **untold; /* by path */
	uint32_t untold_count;
	uint32_t at, untold_at; /* behind the file at hand */
};

struct shared_file {
	const char *path;
	uint32_t begin, end; /* in `sorted` */
	unsigned ranks;
	uint64_t unknown; /* transfers */
};

/* 0 or -ENOMEM; it is to be released in any case. */
int shared_files_begin(struct shared_files *files, const struct tables *tables);
/* The next one; its path is NULL behind the last. 0 or -ENOMEM. */
int shared_files_next(struct shared_files *files, struct shared_file *file);
void shared_files_release(struct shared_files *files);

#endif
