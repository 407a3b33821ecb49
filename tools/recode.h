/* SPDX-License-Identifier: MIT */
/*
 * recode.h - the records of a DATA chunk out of their encoding, to be changed, and back into one.
 */
#ifndef RECORDER_TOOLS_RECODE_H
#define RECORDER_TOOLS_RECODE_H

#include "buffer.h"
#include "format/lists.h"

/* Sets arg_count, classes and result_class of the function with this id; false: it is not known. */
typedef bool recode_describe(void *data, struct list_function *function);

/* Zeroed memory has none. */
struct recoded {
	struct buffer records; /* raw ones; `callsite` is an index into `sites` */
	struct buffer sites;   /* struct list_site */
	uint64_t unit, phase;
	bool summed;         /* times are made up, and are to stay so */
	struct buffer marks; /* ticks, uint64_t; see signatures_encode.h */
};

/* `body` as it is stored, in encoding 1 to 3. 0 or -EBADMSG. */
int recode_out(struct recoded *recoded, const struct chunk_header *header, struct bytes body,
	       recode_describe *describe, void *data);
/* Puts the body into `body`, and into the header what follows from it. 0 or a negative errno: there is too much of something. */
int recode_in(struct recoded *recoded, struct chunk_header *header, recode_describe *describe,
	      void *data, struct buffer *body);
void recode_release(struct recoded *recoded);

#endif
