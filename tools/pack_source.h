/* SPDX-License-Identifier: MIT */
/*
 * pack_source.h - the files of a trace that is packed or unpacked, in a directory or in a packed trace, part by part.
 */
#ifndef RECORDER_TOOLS_PACK_SOURCE_H
#define RECORDER_TOOLS_PACK_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "read/nodefile.h"
#include "read/tracefiles.h"

struct packed;

/* Files that belong together: those of a stream, or recorder.gm. */
struct source_part {
	char *files[2]; /* NULL: there is none */
};

struct pack_source {
	const char *path;
	struct tracefiles files;
	struct nodes
		nodes; /* the files of nodes in the directory: streams without files of their own */
	int dir_fd;    /* -1: it is a packed trace */
	struct packed *packed;     /* NULL: it is a directory */
	struct source_part *parts; /* recorder.gm, then streams by name */
	uint32_t count, capacity;
	uint32_t others; /* files in the directory that are not of the trace */
	char *other;     /* one of them */
	bool damaged;    /* of a packed trace */
};

/* Ends the process with a message if it cannot be read. */
void pack_source_open(struct pack_source *source, const char *path);
void pack_source_close(struct pack_source *source);
/* Rights on its files. Nobody may read what is made of them who could not read these. */
mode_t pack_source_rights(const struct pack_source *source);
/* An empty file without a name. Ends the process if there can be none. */
int pack_source_nameless(void);
/* A file of it, as it was before it was packed, from its begin on. Ends the process if it cannot be read. */
int pack_source_file(const struct pack_source *source, const char *name);

#endif
