/* SPDX-License-Identifier: MIT */
/* numbering.c - see numbering.h */
#include "analysis/numbering.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/rows.h"

#define CHANNELS_MAX (1u << 20)
#define DEFERRED_MAX 4096u /* receives that wait for their number: each settling looks at all */

struct part *numbering_part(struct numbering *numbering)
{
	struct part *part = numbering->unused;

	if (!part)
		return calloc(1, sizeof(*part));
	numbering->unused = part->next;
	*part = (struct part){.next = NULL};
	return part;
}

void numbering_free(struct numbering *numbering, struct part *part)
{
	part->next = numbering->unused;
	numbering->unused = part;
}

uint64_t numbering_hash(uint64_t hash, uint64_t more)
{
	hash = (hash ^ more) + 0x9E3779B97F4A7C15u;
	hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9u;
	hash = (hash ^ hash >> 27) * 0x94D049BB133111EBu;
	return hash ^ hash >> 31;
}

static uint64_t of_process(struct reader_process process)
{
	return (uint64_t)(uint32_t)process.world << 32 | (uint32_t)process.rank;
}

uint64_t numbering_channel(uint64_t comm, struct reader_process source, struct reader_process dest,
			   int64_t tag)
{
	uint64_t hash = numbering_hash(numbering_hash(numbering_hash(numbering_hash(1, comm),
								     of_process(source)),
						      of_process(dest)),
				       (uint64_t)tag);

	return hash ? hash : 1;
}

static int channel_number(struct numbering *numbering, uint64_t channel, uint32_t *number)
{
	unsigned place = channel % CHANNELS_RECENT;

	if (!numbering->recent[place].number || numbering->recent[place].channel != channel) {
		if (dictionary_number(&numbering->channels, &channel, sizeof(channel), number))
			return -ENOMEM;
		numbering->recent[place].channel = channel;
		numbering->recent[place].number = *number + 1;
	}
	*number = numbering->recent[place].number - 1;
	return 0;
}

/* The next `count` numbers of a side of a channel. 0, -ENOMEM, or -ENOSPC: there are too many channels. */
int numbering_take(struct numbering *numbering, uint64_t channel, uint32_t count, uint64_t *number)
{
	uint64_t *numbers = rows_grown_zeroed(numbering->numbers, &numbering->number_room,
					      numbering->channels.count, sizeof(*numbers));
	uint32_t at;

	if (!numbers)
		return -ENOMEM;
	numbering->numbers = numbers;
	if (channel_number(numbering, channel, &at))
		return -ENOMEM;
	if (at >= CHANNELS_MAX)
		return -ENOSPC;
	*number = numbers[at];
	numbers[at] += count;
	return 0;
}

/* Of messages to oneself both sides are numbered here. */
uint64_t numbering_side(const struct part *part)
{
	return numbering_hash(part->channel, part->half.kind & HALF_KIND);
}

/* Puts its number into the half. */
static void tell_number(struct part *part)
{
	part->half.meeting = numbering_hash(part->channel, part->number);
	part->half.level = halves_level(part->number, part->half.meeting);
}

int numbering_number(struct numbering *numbering, struct part *part)
{
	int error = numbering_take(numbering, numbering_side(part), 1, &part->number);

	if (!error)
		tell_number(part);
	return error;
}

/* Whether it was numbered behind the other one, in the same channel. */
static bool is_behind(const struct part *part, const struct part *other)
{
	return part && part != other && !part->persistent && !part->deferred && !part->given &&
	       part->channel == other->channel && part->half.kind == other->half.kind &&
	       part->number > other->number;
}

/* Those behind a part that are still there, each alone or the one that a persistent one has started. */
static uint64_t look_behind(const struct part_map *parts, const struct part *part, bool move)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < parts->size; i++) {
		struct part *other = parts->places[i].part;

		if (other && other->persistent)
			other = other->active;
		if (!is_behind(other, part))
			continue;
		count++;
		if (move) {
			other->number--;
			tell_number(other);
		}
	}
	return count;
}

int numbering_give_back(struct numbering *numbering, const struct part *part,
			const struct part_map *parts)
{
	uint64_t side = numbering_side(part), behind;
	uint32_t at;

	if (channel_number(numbering, side, &at))
		return -ENOMEM;
	behind = numbering->numbers[at] - part->number - 1;
	if (behind > 0 && look_behind(parts, part, false) != behind)
		return -ENOSPC;
	if (behind > 0)
		look_behind(parts, part, true);
	numbering->numbers[at]--;
	return 0;
}

int numbering_give_away(struct numbering *numbering, const struct part *part)
{
	if (part->given || !part->half.call)
		return 0;
	return halves_add(numbering->halves, &part->half);
}

/* ---- receives that wait for their number ---- */

static bool may_be_of(const struct part *open, const struct part *part)
{
	return !open->channel && open->comm == part->comm &&
	       (open->any_source || of_process(open->source) == of_process(part->source)) &&
	       (open->any_tag || open->tag == part->tag);
}

static bool is_blocked(const struct numbering *numbering, const struct part *part)
{
	for (const struct part *open = numbering->first; open && open != part; open = open->next)
		if (may_be_of(open, part))
			return true;
	return false;
}

/* Takes a part out; *place is then the next one. */
static void undefer(struct numbering *numbering, struct part **place)
{
	struct part *part = *place;

	*place = part->next;
	if (numbering->last == &part->next)
		numbering->last = place;
	part->next = NULL;
	part->deferred = false;
	numbering->deferred--;
}

/* Numbers what no earlier receive stands in the way of any more. */
int numbering_settle(struct numbering *numbering)
{
	struct part **place = &numbering->first;
	int error = 0;

	while (*place && !error) {
		struct part *part = *place;

		if (!part->channel || is_blocked(numbering, part)) {
			place = &part->next;
			continue;
		}
		undefer(numbering, place);
		error = numbering_number(numbering, part);
		if (!part->complete)
			continue; /* its request still holds it */
		if (!error)
			error = numbering_give_away(numbering, part);
		numbering_free(numbering, part);
	}
	return error;
}

/* A receive, by the order in which they are posted: numbered now or later. */
int numbering_post(struct numbering *numbering, struct part *part)
{
	if (!numbering->first && part->channel)
		return numbering_number(numbering, part);
	if (numbering->deferred == DEFERRED_MAX)
		return -ENOSPC;
	part->deferred = true;
	part->next = NULL;
	*numbering->last = part;
	numbering->last = &part->next;
	numbering->deferred++;
	return numbering_settle(numbering);
}

int numbering_drop(struct numbering *numbering, struct part *part)
{
	struct part **place = &numbering->first;

	while (*place && *place != part)
		place = &(*place)->next;
	if (*place)
		undefer(numbering, place);
	return numbering_settle(numbering);
}

void numbering_forget(struct numbering *numbering)
{
	while (numbering->first) {
		struct part *part = numbering->first;

		numbering->first = part->next;
		numbering_free(numbering, part);
	}
	numbering->last = &numbering->first;
	numbering->deferred = 0;
}

void numbering_release(struct numbering *numbering)
{
	numbering_forget(numbering);
	while (numbering->unused) {
		struct part *part = numbering->unused;

		numbering->unused = part->next;
		free(part);
	}
	dictionary_release(&numbering->channels);
	free(numbering->numbers);
}
