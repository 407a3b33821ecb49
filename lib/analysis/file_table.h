/* SPDX-License-Identifier: MIT */
/*
 * file_table.h - which files calls work on, and what each layer and each rank did with them.
 *
 * A file is a path. A *use* is a file and a layer, a *share* is a use and a rank.
 */
#ifndef RECORDER_ANALYSIS_FILE_TABLE_H
#define RECORDER_ANALYSIS_FILE_TABLE_H

#include "analysis/dictionary.h"
#include "analysis/facts.h"
#include "analysis/offset_runs.h"
#include "analysis/pattern.h"

#define NO_USE UINT32_MAX
#define FILES_CACHED 256u /* a power of two */

struct file_row {
	uint32_t type; /* S_IFMT bits, 0 unknown */
	int64_t first, last;
	/* by the path alone, found when the first call comes */
	bool placed;
	enum analysis_file_class place;
	unsigned filesystem;
	/* the number of its use by that layer, which was asked for last; NO_USE: none was */
	uint32_t recent_layer, recent_use;
};

struct use_row {
	uint32_t file, layer;
	uint32_t recent_rank, recent_share; /* as above; NO_USE */
	struct analysis_access access;
};

struct share_row {
	uint32_t use, rank;
	uint64_t calls;
	int64_t time, bytes_read, bytes_written;
	/* of the stream that is being read */
	uint32_t pass;
	struct pattern_track reading, writing;
};

/* What calls of a function on a handle of the stream counted in. */
struct file_cached {
	uint32_t function, id; /* id 0: nothing */
	uint32_t use, share;
	uint32_t block; /* of the file system, 0 unknown */
	enum analysis_file_class class_;
	unsigned filesystem;
};

/* Zeroed: no files. */
struct files {
	struct dictionary paths, use_keys, share_keys; /* give the rows their numbers */
	struct file_row *rows;
	struct use_row *uses;
	struct share_row *shares;
	uint32_t row_room, use_room, share_room;
	struct file_cached cache[FILES_CACHED];
	uint32_t pass;               /* which stream it is */
	struct offset_grids offsets; /* of uses of files of data */
	struct offset_runs runs;     /* on their way there */
};

/* A call and what it moved. */
struct file_call {
	const struct recorder_record *record;
	const struct function_facts *function;
	const struct layer_facts *about; /* its layer */
	enum analysis_operation operation;
	unsigned layer, rank;
	int64_t bytes_read, bytes_written;
	int64_t begin;                     /* of the transfer in the file, POSITION_UNKNOWN */
	uint32_t file;                     /* id in the stream of the file; 0: as the record says */
	enum analysis_direction direction; /* of what one call moved, */
	int64_t each;                      /* how much that was */
	int size_class;                    /* of that, -1: nothing */
	int64_t copied; /* written to another file than the one that was read, if that is one */
	/* files_count() puts them in */
	uint32_t use, share; /* use: NO_USE: the call has no file */
	enum analysis_file_class class_;
	unsigned filesystem; /* facts->filesystems */
};

/* Forgets what handles stand for and where transfers were: another stream begins. */
void files_begin_stream(struct files *files);
/* No more calls of the stream come. 0 or -ENOMEM. */
int files_end_stream(struct files *files, const struct facts *facts);
/* Counts a call on a file, but for its sums, and says of which class it is and what its use and its share are. 0 or -ENOMEM. */
int files_count(struct files *files, const struct facts *facts, struct file_call *call);
/* The sums of calls of one function that files_count() has seen. */
void files_add(struct files *files, const struct facts *facts, uint32_t use, uint32_t share,
	       const struct function_facts *function, const struct analysis_sums *sums);
/* Calls of a copy, on the file that they write: they are as many writes; their bytes are sums. */
void files_add_copies(struct files *files, uint32_t use, uint32_t share,
		      const struct recorder_record *record);
void files_add_access(struct analysis_access *into, const struct analysis_access *from);
/* Adds what others have counted. 0 or -ENOMEM. */
int files_merge(struct files *into, const struct files *from);
void files_release(struct files *files);

#endif
