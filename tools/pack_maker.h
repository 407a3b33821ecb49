/* SPDX-License-Identifier: MIT */
/*
 * pack_maker.h - what a part is made with (pack_part.h): its shape, where its data goes, functions as their definitions have them, and memory; and what is done with chunks of any type.
 */
#ifndef RECORDER_TOOLS_PACK_MAKER_H
#define RECORDER_TOOLS_PACK_MAKER_H

#include <stdbool.h>

#include "format/chunk.h"
#include "format/deflater.h"
#include "format/pack_shape.h"
#include "format/signature_spans.h"
#include "pack_deflate.h"
#include "pack_part.h"

/* What a FUNCTION definition says of how its calls are stored. */
struct known_function {
	bool known;
	uint8_t arg_count, result_class;
	uint8_t classes[RECORD_MAX_ARGS];
};

struct part_maker {
	struct part_sink sink;
	struct part_shape shape;
	struct deflater *deflater; /* as the runtime has it */
	struct pack_deflater pack_deflater;
	struct known_function *functions[UINT16_MAX + 1];
	uint32_t chunks; /* DATA chunks of the part so far */
	/* the file at work */
	const char *name;
	int fd;
	uint64_t size;
	/* memory that is used again */
	struct buffer chunk, plain, entries, again, own, times, times_stored;
	struct list_function *list;
};

/* More of the part's data area. */
void part_put_data(struct part_maker *maker, const void *bytes, size_t size);
/* A zlib stream of `bytes`, or they themselves if that is not longer; the maker's, until the next one. */
const struct buffer *part_deflated(struct part_maker *maker, const void *bytes, size_t size);
/* An operation of the shape, with a chunk's header. */
void part_put_header(struct part_maker *maker, enum pack_op op, const struct chunk_header *header);
/* Inflates what a body begins with into maker->plain; *rest is what follows. 0; -EBADMSG: it would be another one if it was deflated again. */
int part_inflate_exactly(struct part_maker *maker, const struct chunk_header *header,
			 struct bytes body, struct bytes *rest);

#endif
