/* SPDX-License-Identifier: MIT */
/*
 * handin.h - ranks of a launcher, or processes of -j, that read a share of a trace each and hand what they found in to the first, which puts it together and tells the result:
 *
 *	handin_begin                          all
 *	handin_give ── share, damage ──┐      all but the first, which end there
 *	               handin_take <───┘      the first: the shares in the order of ranks
 *	               handin_end
 *
 * While they read, the first alone says what it finds wrong; what others find it says when it takes their shares.
 */
#ifndef RECORDER_TOOLS_HANDIN_H
#define RECORDER_TOOLS_HANDIN_H

#include "buffer.h"
#include "crew.h"

struct handin {
	struct reader *trace;
	struct ranks who;
	struct crew *crew;
	unsigned known; /* problems that the trace had when it was opened */
};

/*
 * `path`: where their files may be, beside an output or in the working directory. Without a launcher `jobs` processes take part, and not more than there are `parts`. `same`: a number that
 * is the same for all who read the same trace in the same way. Returns in each of them.
 */
void handin_begin(struct handin *handin, struct reader *trace, const char *path, unsigned jobs,
		  uint32_t parts, uint64_t same);
unsigned handin_count(const struct handin *handin);
unsigned handin_number(const struct handin *handin);
/* All but the first: behind the reading. */
_Noreturn void handin_give(struct handin *handin, const void *share, size_t size);
/* The first: `add` gets the share of each other process. The trace knows behind it what they found damaged. */
void handin_take(struct handin *handin, void (*add)(void *data, const struct buffer *share),
		 void *data);
/* The first: lets the others go. */
void handin_end(struct handin *handin);

#endif
