/* SPDX-License-Identifier: MIT */
/*
 * signature_spans.h - which bytes of a DATA chunk in encoding 2 or 3 are about time or say which rank it is, and which are names: what is left is the same in processes
 * that do the same.
 */
#ifndef RECORDER_FORMAT_SIGNATURE_SPANS_H
#define RECORDER_FORMAT_SIGNATURE_SPANS_H

#include "format/lists.h"

struct span {
	uint32_t begin, end;
};

/* In the order in which they come in the words, and one of the bits. */
struct signature_spans {
	struct span phase;
	struct span carried; /* and `self` */
	struct span names;   /* strings and arrays, right after `carried` */
	struct span times;
	struct span bits; /* of the times */
};

/*
 * `lists` was read from the begin of `words`, `body` is what follows it, `functions` are those of the list, with classes. 0 or -EBADMSG. Does not
 * look at what the numbers mean.
 */
int signature_spans_find(const struct lists *lists, const struct list_function *functions,
			 const uint8_t *words, struct bytes body, bool summed,
			 struct signature_spans *spans);

#endif
