/* SPDX-License-Identifier: MIT */
/*
 * pack_store.h - a packed trace as it is written, doc/format.md section 10: areas one after the other, each blob and each shape once.
 *
 * What is written depends on the parts and their order alone. Memory is bounded: of blobs only digests are kept, and the latest of those that others may be like.
 */
#ifndef RECORDER_TOOLS_PACK_STORE_H
#define RECORDER_TOOLS_PACK_STORE_H

#include "output.h"
#include "pack_part.h"

struct pack_store;

/* Bytes by what they are for. */
struct pack_sizes {
	uint64_t parts, files;
	uint64_t data;                       /* times and what is not alike */
	uint64_t words, shapes, parts_bytes; /* blocks */
	uint64_t frame;                      /* header, index, trailer */
	uint64_t blobs, blobs_asked;         /* kept, and how often one was to be */
};

/* Writes to `output`, which the caller commits. */
struct pack_store *pack_store_new(struct output *output);
void pack_store_free(struct pack_store *store);

/* A part: its data and blobs in any order, then what it looks like. */
void pack_store_data(struct pack_store *store, const void *bytes, size_t size);
uint64_t pack_store_words(struct pack_store *store, uint32_t like, const void *bytes, size_t size);
void pack_store_part(struct pack_store *store, const struct part_shape *shape);

/* Writes the index: then all is written. */
void pack_store_end(struct pack_store *store, struct pack_sizes *sizes);

#endif
