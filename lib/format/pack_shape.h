/* SPDX-License-Identifier: MIT */
/*
 * pack_shape.h - the files of a part of a packed trace, doc/format.md section 10: a shape, which many parts have in common, and the numbers and times that
 * it takes from each.
 */
#ifndef RECORDER_FORMAT_PACK_SHAPE_H
#define RECORDER_FORMAT_PACK_SHAPE_H

#include "format/pack_expand.h"

/* What a file is made of, one after the other. */
enum pack_op {
	PACK_OP_END,
	PACK_OP_FILE,     /* the next file, with its name */
	PACK_OP_RAW,      /* bytes as they are */
	PACK_OP_HEADER,   /* a file header */
	PACK_OP_PLAIN,    /* a chunk with its body */
	PACK_OP_DEFLATED, /* a chunk and what its body inflates to */
	PACK_OP_RELATIVE, /* a chunk of definitions and the entries in it */
	PACK_OP_BLOB,     /* a chunk; what its body inflates to is a blob */
	PACK_OP_RECORDS,  /* a DATA chunk, its signatures in a blob, its times aside */
};

/* A shape taken apart. */
struct pack_shape {
	struct bytes ops, numbers, times;
	uint32_t number_count, time_count;
};

int pack_shape_open(struct pack_shape *shape, struct bytes blob);
/* The numbers and times of the part that had it first; number_count and time_count of them. 0 or -EBADMSG. */
int pack_shape_base(const struct pack_shape *shape, uint64_t *numbers, uint64_t *times,
		    uint8_t *clocks);

/* What an op stands for. */
struct pack_piece {
	enum pack_op op;
	struct pack_place tokens;   /* of the name, the body */
	uint64_t size;              /* bytes of the file */
	uint64_t data_size;         /* bytes of the data area */
	struct chunk_header header; /* not sealed */
	struct file_header file;
	uint32_t blob, names; /* blobs */
	uint32_t raw_plain, raw_stored;
	uint32_t times_plain, times_stored, bits; /* RECORDS */
};

/* The next one. 1; 0: that was all; -EBADMSG. */
int pack_piece_next(const struct pack_part *part, struct pack_place *place,
		    struct pack_piece *piece);

#define PACK_SOURCES 3u

/* Takes as many bytes of the sources in turns as `cuts` say, into `out`, and goes beyond the cuts. 0 or -EBADMSG. */
int pack_cuts_join(struct bytes *cuts, struct bytes sources[PACK_SOURCES], struct packer *out);

#endif
