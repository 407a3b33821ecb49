/* SPDX-License-Identifier: MIT */
/*
 * rownames.h - what rows refer to by number: files, communicators and call sites.
 *
 * Numbers count from 1: those of files and call sites in the order in which they are first asked for, those of communicators in the order of streams that define them. Files are those
 * of a path; what else is known of one comes from the first call that had it open, but its class, which all streams together tell. Communicators are those of an identity, which all members
 * have.
 */
#ifndef RECORDER_TOOLS_ROWNAMES_H
#define RECORDER_TOOLS_ROWNAMES_H

#include <stdbool.h>

#include <recorder/reader.h>

#include "analysis/operation.h"
#include "callsites.h"

struct rownames;

struct rownames *rownames_new(const struct reader *trace);
void rownames_free(struct rownames *names);

/* 0: the record has none. `height`: of who moves bytes, else HEIGHT_NONE. */
int64_t rownames_file(struct rownames *names, const struct recorder_record *record,
		      enum layer_height height);
/* The same of a file of the record's stream, by its id. */
int64_t rownames_file_of(struct rownames *names, const struct recorder_record *record, uint32_t id,
			 enum layer_height height);
/*
 * Before any: numbers for all files that the streams define, in their order, as they are the same for whoever reads whichever streams then. How many these are; 0: that was not
 * asked for.
 */
void rownames_number_files(struct rownames *names);
uint32_t rownames_numbered(const struct rownames *names);
int64_t rownames_comm(struct rownames *names, const struct recorder_record *record);
int64_t rownames_callsite(struct rownames *names, const struct recorder_record *record);

/* Texts are bytes as they were recorded, and live until a name is added. */
struct row_file {
	bool used; /* somebody has asked for it */
	const char *path, *class;
	const char *fs, *mount;   /* NULL: not known */
	enum layer_height lowest; /* of the layers that moved bytes of it */
	const char *type;         /* NULL: it was never open, and the rest is not known */
	uint32_t block_size;
	uint64_t device, inode, size;
};

struct row_comm {
	bool used; /* somebody has asked for it */
	const char *name, *kind;
	int32_t size, remote_size;
};

/* That number `number`, from 1. False, or NULL: there are no more. */
bool rownames_file_at(const struct rownames *names, uint32_t number, struct row_file *file);
bool rownames_comm_at(const struct rownames *names, uint32_t number, struct row_comm *comm);
const struct callsite *rownames_callsite_at(const struct rownames *names, uint32_t number);

#endif
