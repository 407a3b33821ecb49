/* SPDX-License-Identifier: MIT */
/*
 * nodefile.h - the files of nodes (NAME.node), in which the chunks of many streams stand one after the other, doc/format.md section 11.
 *
 * For readers they are the files that each stream would have had for itself, STREAM.lm and STREAM.rec: one walk over the headers
 * finds which chunks belong to it, and reading takes these one after the other. So whoever reads files of a trace knows nothing of it: sizes
 * and offsets are those in the stream's own files.
 *
 *	HOST.node    | a: META | b: META | a: DATA | b: DEFS | b: DATA | a: META |
 *	a.lm         header, META, META             b.lm    header, META
 *	a.rec        header, DATA                   b.rec   header, DEFS, DATA
 *
 * In memory are 24 bytes for each chunk. A file that grows is looked at again where the last walk ended.
 */
#ifndef RECORDER_READ_NODEFILE_H
#define RECORDER_READ_NODEFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "format/wire.h"
#include "read/index.h"
#include "read/tracefiles.h"

/* A chunk, or as much of it as is there. */
struct node_extent {
	uint64_t at;     /* in the stream's own file */
	uint64_t offset; /* in that of the node, of the chunk */
	uint32_t size;
};

enum node_half { NODE_LM, NODE_REC, NODE_HALVES };

/* One of the two files of a stream. */
struct node_part {
	struct node_stream *stream;
	struct node_extent *extents;
	uint32_t count, capacity;
	uint64_t size;
};

struct node_stream {
	struct node_file *node;
	uint64_t id;
	char *live_name; /* as its process named it: that of its live files */
	char *name;      /* as its files are named here: no two are the same */
	struct node_part parts[NODE_HALVES];
};

/* Bytes that belong to no chunk. */
struct node_gap {
	uint64_t offset, size;
};

struct node_file {
	struct nodes *nodes;
	char *name;
	struct file file;
	int error;        /* negative errno: why nothing of it can be read */
	uint16_t minor;   /* of its header */
	bool header_bad;  /* there is no right file header */
	uint64_t scanned; /* so far all frames are known */
	uint64_t size;    /* when it was looked at last */
	uint64_t wasted;  /* bytes read of bodies that were not whole */
	struct node_part
		*tail; /* whose last extent is a chunk at the end that is not whole, or not yet */
	struct node_stream **streams;
	uint32_t count, capacity;
	struct index by_id;
	struct node_gap *gaps;
	uint32_t gap_count, gap_capacity;
};

/* All of a trace. Zeroed memory with `files` set is none. */
struct nodes {
	struct tracefiles *files;
	struct node_file **list;
	uint32_t count, capacity;
	struct node_stream **named; /* by number in `names`; NULL: a name of somebody else */
	char **taken;
	uint32_t named_count, named_capacity;
	struct index names;
};

/* Whether a file has the name of such a one. */
bool node_is_name(const char *name);
/* A file of that name is there. 0 or -ENOMEM. */
int nodes_add(struct nodes *nodes, const char *name);
/* A stream of that name has files of its own. 0 or -ENOMEM. */
int nodes_take_name(struct nodes *nodes, const char *stream, size_t length);
/* Once all are known: walks over them, and names their streams. 0 or -ENOMEM. */
int nodes_load(struct nodes *nodes);
void nodes_release(struct nodes *nodes);

/* "STREAM.lm" or "STREAM.rec"; NULL: no stream in them has that name. */
struct node_part *nodes_find(const struct nodes *nodes, const char *name);
/* Looks what was appended. 0 or a negative errno. */
int node_refresh(struct node_file *node);
/* Reads as fd_read_at() from the stream's own file. */
ssize_t node_read(const struct node_part *part, void *buffer, size_t size, uint64_t offset);

typedef void node_tell(void *data, const struct node_file *node, uint64_t offset, uint64_t bytes);
/* Bytes that are no chunk. What is shorter than a header is the rest of a write that was cut short, and no loss by itself. */
void nodes_each_gap(const struct nodes *nodes, node_tell *tell, void *data);

#endif
