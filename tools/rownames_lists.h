/* SPDX-License-Identifier: MIT */
/*
 * rownames_lists.h - what rownames.c knows by number, for who tells another process of it (rownames_told.h).
 */
#ifndef RECORDER_TOOLS_ROWNAMES_LISTS_H
#define RECORDER_TOOLS_ROWNAMES_LISTS_H

#include "buffer.h"
#include "numbered.h"
#include "read/index.h"
#include "rownames.h"

/* A file, by its path. Texts are offsets into `texts`. */
struct named_file {
	size_t path, fs, mount;
	bool used;  /* somebody has asked for it */
	bool known; /* the rest is set */
	enum layer_height lowest;
	uint32_t type, block_size;
	uint64_t device, inode, size;
	const char *class;
};

struct named_comm {
	bool used;
	uint64_t identity; /* 0: not known, then it is one of its own */
	size_t name, kind;
	int32_t size, remote_size;
};

/* A call site, and where to find it again. */
struct named_site {
	const struct callsite *site;
	uint32_t stream, module;
	uint64_t offset;
};

struct rownames_list {
	void *items;
	uint32_t count, room;
	struct index index;
};

struct rownames {
	const struct reader *trace;
	struct callsites *callsites;
	struct buffer texts;
	struct rownames_list files, comms, sites,
		odd;                  /* of struct named_file, named_comm, named_site, odd_file */
	struct numbered comm_numbers; /* by stream and id */
	uint32_t numbered;            /* see rownames_number_files() */
};

/* Keeps a text; its offset. */
size_t rownames_keep(struct rownames *names, const char *text);
/* It, until one more is kept. */
static inline const char *rownames_kept(const struct rownames *names, size_t at)
{
	return (const char *)names->texts.bytes + at;
}

/* The file of that path, new or not; its number counts from 0. */
uint32_t rownames_file_number(struct rownames *names, const char *path);
/* The same of a call site. */
uint32_t rownames_site_number(struct rownames *names, const struct named_site *wanted);

#endif
