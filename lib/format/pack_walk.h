/* SPDX-License-Identifier: MIT */
/*
 * pack_walk.h - going through the ops of a shape and the values of a part, for those who read what these stand for (pack_expand.c, pack_shape.c).
 */
#ifndef RECORDER_FORMAT_PACK_WALK_H
#define RECORDER_FORMAT_PACK_WALK_H

#include "format/pack_expand.h"

/* What a walk reads; it fails once and for all. */
struct pack_walker {
	const struct pack_part *part;
	struct pack_place *place;
	struct bytes ops;
	uint64_t address; /* the last one of the list and those in it */
	bool bad;
};

/* From `place` on, which is beyond what was read after pack_walk_done(). */
static inline struct pack_walker pack_walk_from(const struct pack_part *part,
						struct pack_place *place)
{
	struct pack_walker walker = {.part = part, .place = place, .ops = part->ops};

	if (!bytes_take(&walker.ops, place->op))
		walker.bad = true;
	return walker;
}

static inline void pack_walk_done(struct pack_walker *walker)
{
	walker->place->op = (uint32_t)(walker->ops.p - walker->part->ops.p);
	walker->bad |= walker->ops.bad;
}

/* The next of a list of values, at most `most`. */
static inline uint64_t pack_walk_take(struct pack_walker *walker, const uint64_t *values,
				      uint32_t count, uint32_t *at, uint64_t most)
{
	uint64_t value;

	if (*at >= count) {
		walker->bad = true;
		return 0;
	}
	value = values[(*at)++];
	walker->bad |= value > most;
	return value > most ? 0 : value;
}

/* Its next number, its next time. */
static inline uint64_t pack_walk_number(struct pack_walker *walker, uint64_t most)
{
	return pack_walk_take(walker, walker->part->numbers, walker->part->number_count,
			      &walker->place->number, most);
}

static inline uint64_t pack_walk_time(struct pack_walker *walker, uint64_t most)
{
	return pack_walk_take(walker, walker->part->times, walker->part->time_count,
			      &walker->place->time, most);
}

#endif
