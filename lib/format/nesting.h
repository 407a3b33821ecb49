/* SPDX-License-Identifier: MIT */
/*
 * nesting.h - the begins and ends of a chunk's calls as one line of events, doc/format.md section 5, encoding 3; the encoder and the decoder go along it in
 * the same way.
 *
 * Records stand in the order of their ends. Going through them from the last one back, a call that encloses others comes before them, and
 * the line of events can be told from levels alone: what encloses a record is known when it is met, and how it lies within, its *context*. The gaps between events are what is stored of
 * times; if all are at least 0, calls lie one in the other as they did.
 */
#ifndef RECORDER_FORMAT_NESTING_H
#define RECORDER_FORMAT_NESTING_H

#include <errno.h>
#include <stdbool.h>

#include "format/bump.h"

#define NESTING_DEPTH_MAX 65536u /* levels rise */

/* What is to be known of a signature. */
struct nesting_kind {
	uint16_t level;
	bool encloses; /* those right before that have a higher level */
};

struct context {
	uint32_t parent;
	uint16_t signature;
};

/* Contexts are numbered as they are met. */
struct contexts {
	uint32_t count, most;
	uint32_t mask;   /* slots - 1 */
	uint32_t *slots; /* number + 1, 0 none */
	struct context *all;
};

/* Memory that so many take. */
static inline size_t contexts_size(size_t most)
{
	return most * (sizeof(struct context) + 4 * sizeof(uint32_t)) + 3 * BUMP_ALIGNMENT;
}

/* False: there is not enough memory. */
bool contexts_init(struct contexts *contexts, uint32_t most, struct bump *bump);
/* Its number; negative: there are too many. */
int32_t contexts_find(struct contexts *contexts, uint32_t parent, uint16_t signature);

/* A call whose begin is yet to be met. */
struct nesting_open {
	uint32_t record, context;
	uint16_t level;
};

struct nesting {
	const uint16_t *signature; /* of each record */
	const struct nesting_kind *kinds;
	const uint32_t *carried; /* records that began before the chunk, in rising order */
	const uint32_t *marks;   /* each lies before this record */
	uint32_t count, carried_count, mark_count;
	struct contexts contexts;
	struct nesting_open *open; /* room for as many as `depth` */
	uint32_t depth;
};

enum nesting_what { NESTING_END, NESTING_BEGIN, NESTING_MARK };

/* What is met; `which` is the number of the record or mark. 0, or what nesting_walk() is to return. */
typedef int nesting_event(void *data, enum nesting_what what, uint32_t which, uint32_t context);

#define NESTING_ROOT                                                                               \
	0x80000000u /* parent of what no call encloses; a number of each stretch between marks is added */

static inline int nesting_begin_all(const struct nesting *nesting, uint32_t *open, int32_t above,
				    nesting_event *event, void *data)
{
	while (*open > 0 && nesting->open[*open - 1].level > above) {
		const struct nesting_open *top = &nesting->open[--*open];
		int error = event(data, NESTING_BEGIN, top->record, top->context);

		if (error)
			return error;
	}
	return 0;
}

/* The end of a record, and what of it is known then. */
static inline int nesting_end(struct nesting *nesting, uint32_t record, uint32_t root, bool carried,
			      uint32_t *open, nesting_event *event, void *data)
{
	uint16_t signature = nesting->signature[record];
	struct nesting_kind kind = nesting->kinds[signature];
	uint32_t parent = *open > 0 ? nesting->open[*open - 1].context : root;
	int32_t context = contexts_find(&nesting->contexts, parent, signature);
	int error;

	if (context < 0)
		return -E2BIG;
	error = event(data, NESTING_END, record, (uint32_t)context);
	if (error || carried)
		return error;
	if (!kind.encloses)
		return event(data, NESTING_BEGIN, record, (uint32_t)context);
	if (*open == nesting->depth)
		return -E2BIG;
	nesting->open[(*open)++] = (struct nesting_open){record, (uint32_t)context, kind.level};
	return 0;
}

/* Meets all events, the last one first. 0; what `event` returned; -E2BIG: too deep, or too many contexts. */
static inline int nesting_walk(struct nesting *nesting, nesting_event *event, void *data)
{
	uint32_t open = 0, root = NESTING_ROOT, marks = nesting->mark_count,
		 carried = nesting->carried_count;
	int error = 0;

	for (uint32_t i = nesting->count; !error; i--) {
		bool is_carried = i > 0 && carried > 0 && nesting->carried[carried - 1] == i - 1;
		bool marked = marks > 0 && nesting->marks[marks - 1] == i;
		bool all = i == 0 || is_carried || marked;

		error = nesting_begin_all(nesting, &open,
					  all ? -1
					      : nesting->kinds[nesting->signature[i - 1]].level - 1,
					  event, data);
		for (; !error && marks > 0 && nesting->marks[marks - 1] == i; root++)
			error = event(data, NESTING_MARK, --marks, 0);
		if (error || i == 0)
			break;
		root += is_carried;
		carried -= is_carried;
		error = nesting_end(nesting, i - 1, root, is_carried, &open, event, data);
	}
	return error;
}

#endif
