/* SPDX-License-Identifier: MIT */
/*
 * made.h - what becomes of a parcel before it is written: segments of whole lines, each with the names that it defines.
 *
 * A segment is 192 KiB of text and a bit, so that it is written while it is in the cache, and with gzip deflated on its own. A name stands before the first segment that
 * uses it.
 */
#ifndef RECORDER_TOOLS_MADE_H
#define RECORDER_TOOLS_MADE_H

#include "deflate.h"
#include "names.h"

#define SEGMENT_SIZE (192u << 10)

struct segment {
	size_t body_end;   /* in the body */
	size_t insert_end; /* in the inserts, once it is settled */
	size_t plain;      /* bytes of the text */
	uint32_t names;    /* until there in the list of names */
	uint32_t crc;      /* of the text, with gzip */
};

struct made {
	uint32_t number;
	struct output text; /* the last segment; without gzip all of them */
	struct names names;
	struct buffer packed; /* deflated text */
	struct buffer segments;
	struct buffer inserts;          /* names, as they are written */
	struct text_deflater *deflater; /* NULL: no gzip */
	size_t begin;                   /* of the last segment in the text */
	size_t size,
		plain; /* bytes to be written, and of the text that they are; once it is settled */
	uint32_t crc;
};

/* `deflater` must outlive it; NULL: no gzip. 0 or -ENOMEM. */
int made_init(struct made *made, struct text_deflater *deflater);
void made_release(struct made *made);
/* Nothing in it, no name known. 0 or -ENOMEM. */
int made_begin(struct made *made, uint32_t number);
/* Drops the segments, which are written; the names that they define stay known. */
void made_drop(struct made *made);

static inline bool made_is_full(const struct made *made)
{
	return (size_t)(made->text.next - made->text.buffer) - made->begin >= SEGMENT_SIZE;
}

/* Ends a segment, if there is anything in it. 0 or a negative errno. */
int made_cut(struct made *made);
/* Leaves out the names that are in `known`, and puts the others there. `begin`: text before all else. */
void made_settle(struct made *made, struct hash_set *known, const char *begin);

/* Where bytes go. 0 or a negative errno. */
typedef int made_sink(void *data, const void *bytes, size_t size);
int made_write(const struct made *made, made_sink *sink, void *data);

#endif
