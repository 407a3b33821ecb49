/* SPDX-License-Identifier: MIT */
/* callgroups.c - see callgroups.h */
#include "callgroups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A call that later ones may lie in. */
struct nest_call {
	size_t group;
	int64_t end;
};

/* The calls that a thread is in, by level. */
struct call_nest {
	uint32_t room;
	struct nest_call *calls;
};

static int groups_begin(void *self, const struct walk *walk)
{
	struct call_groups *groups = self;

	groups->trace = walk->trace;
	groups->callsites = callsites_shared(walk->trace);
	groups->callstacks = callstacks_new(walk->trace, groups->callsites);
	groups->kinds = call_kinds_new(walk->trace);
	return groups->callstacks && groups->kinds ? 0 : -ENOMEM;
}

static void free_nest(void *value)
{
	struct call_nest *nest = value;

	if (nest)
		free(nest->calls);
	free(nest);
}

void call_groups_release(struct call_groups *groups)
{
	numbered_release(&groups->nests, free_nest);
	free(groups->list);
	free(groups->slots);
	callstacks_free(groups->callstacks);
	call_kinds_free(groups->kinds);
	memset(groups, 0, sizeof(*groups));
}

/* ---- groups ---- */

static bool same_group(const struct call_group *a, const struct call_group *b)
{
	return a->func_id == b->func_id && a->stack == b->stack && (a->stack || a->site == b->site);
}

static uint32_t *find_slot(const struct call_groups *groups, const struct call_group *wanted)
{
	const void *place = wanted->stack ? (const void *)wanted->stack : wanted->site;
	size_t at =
		((uintptr_t)place ^ (uint64_t)wanted->func_id << 40) * 0x9e3779b97f4a7c15u >> 24;

	for (at &= groups->slot_room - 1; groups->slots[at];
	     at = (at + 1) & (groups->slot_room - 1))
		if (same_group(&groups->list[groups->slots[at] - 1], wanted))
			break;
	return &groups->slots[at];
}

static int grow_groups(struct call_groups *groups)
{
	size_t room = groups->room ? 2 * groups->room : 64;
	struct call_group *list = realloc(groups->list, room * sizeof(*list));
	uint32_t *slots;

	if (!list)
		return -ENOMEM;
	groups->list = list;
	slots = calloc(2 * room, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	free(groups->slots);
	groups->room = room;
	groups->slots = slots;
	groups->slot_room = 2 * room;
	for (size_t i = 0; i < groups->count; i++)
		*find_slot(groups, &groups->list[i]) = (uint32_t)i + 1;
	return 0;
}

/* The number of the group of a function at a place. */
static int group_at(struct call_groups *groups, uint16_t func_id, const struct call_place *place,
		    size_t *number)
{
	struct call_group wanted = {.func_id = func_id, .place = *place};
	uint32_t *slot;

	wanted.site =
		callsites_find(groups->callsites, place->stream, place->module, place->offset);

	if (!wanted.site)
		return -ENOMEM;
	if (groups->by_stack) {
		wanted.stack = place->stack ? callstacks_find(groups->callstacks, place->stream,
							      place->stack)
					    : callstacks_of_site(groups->callstacks, wanted.site);
		if (!wanted.stack)
			return -ENOMEM;
	}
	if (groups->count == groups->room && grow_groups(groups))
		return -ENOMEM;
	slot = find_slot(groups, &wanted);
	if (!*slot) {
		groups->list[groups->count++] = wanted;
		*slot = (uint32_t)groups->count;
	}
	*number = *slot - 1;
	return 0;
}

/* A sum is recorded somewhere in the recorder: from where the calls were made nobody knows. */
static int group_of(struct call_groups *groups, const struct recorder_record *record, bool sum,
		    size_t *number)
{
	struct call_place place = {.stream = record->stream};

	if (!sum) {
		place.offset = record->callsite;
		place.module = record->module;
		place.stack = record->stack;
	}
	return group_at(groups, record->func_id, &place, number);
}

/* ---- what calls lie in ---- */

static int make_room(struct call_nest *nest, uint32_t level)
{
	uint32_t room = level + 8u;
	struct nest_call *calls;

	if (level < nest->room)
		return 0;
	calls = realloc(nest->calls, room * sizeof(*calls));
	if (!calls)
		return -ENOMEM;
	for (uint32_t i = nest->room; i < room; i++)
		calls[i] = (struct nest_call){0, INT64_MIN};
	nest->calls = calls;
	nest->room = room;
	return 0;
}

/* With room for the level of the record; NULL: out of memory. */
static struct call_nest *nest_of(struct call_groups *groups, const struct recorder_record *record)
{
	void **nest = numbered_at(&groups->nests, record->stream, record->thread);

	if (nest && !*nest)
		*nest = calloc(1, sizeof(struct call_nest));
	return nest && *nest && !make_room(*nest, record->level) ? *nest : NULL;
}

/* Up to the largest number: traces may say anything. */
static void add(int64_t *sum, int64_t more)
{
	if (__builtin_add_overflow(*sum, more, sum))
		*sum = INT64_MAX;
}

/* Takes the time of a call off that of the one around it: the innermost that the filter has left. */
static int take_off(struct call_groups *groups, const struct recorder_record *record, size_t number)
{
	struct call_nest *nest = nest_of(groups, record);

	if (!nest)
		return -ENOMEM;
	nest->calls[record->level] = (struct nest_call){number, record->tend};
	for (uint32_t level = record->level; level-- > 0;) {
		if (nest->calls[level].end < record->tend)
			continue;
		add(&groups->list[nest->calls[level].group].self, -record->busy);
		break;
	}
	return 0;
}

static int groups_call(void *self, const struct recorder_record *record)
{
	struct call_groups *groups = self;
	struct call_count count = call_kinds_count(groups->kinds, record);
	struct call_group *group;
	size_t number;

	if (count.calls == 0)
		return 0;
	if (group_of(groups, record, count.sum, &number))
		return -ENOMEM;
	group = &groups->list[number];
	group->calls += count.calls;
	add(&group->time, count.time);
	add(&group->self, count.time);
	add(&group->bytes, count.bytes);
	groups->with_stack += group->place.stack != 0;
	return count.aside || count.sum ? 0 : take_off(groups, record, number);
}

/* ---- together ---- */

/* Of a group. Before them comes how many records have a stack. */
struct said {
	struct call_place place;
	uint64_t calls;
	int64_t time, self, bytes;
	uint32_t func_id, padding;
};

void call_groups_save(const struct call_groups *groups, struct buffer *bytes)
{
	buffer_add(bytes, &groups->with_stack, sizeof(groups->with_stack));
	for (size_t i = 0; i < groups->count; i++) {
		const struct call_group *group = &groups->list[i];
		struct said said = {.place = group->place,
				    .calls = group->calls,
				    .time = group->time,
				    .self = group->self,
				    .bytes = group->bytes,
				    .func_id = group->func_id};

		buffer_add(bytes, &said, sizeof(said));
	}
}

static int add_said(struct call_groups *groups, const struct said *said)
{
	struct call_group *group;
	size_t number;
	int error;

	if (said->func_id >= reader_function_count(groups->trace))
		return -EINVAL;
	error = group_at(groups, (uint16_t)said->func_id, &said->place, &number);
	if (error)
		return error;
	group = &groups->list[number];
	group->calls += said->calls;
	add(&group->time, said->time);
	add(&group->self, said->self);
	add(&group->bytes, said->bytes);
	return 0;
}

int call_groups_add(struct call_groups *groups, const struct buffer *bytes)
{
	uint64_t with_stack;
	struct said said;
	int error = 0;

	if (bytes->size % sizeof(said) != sizeof(with_stack))
		return -EINVAL;
	memcpy(&with_stack, bytes->bytes, sizeof(with_stack));
	groups->with_stack += with_stack;
	for (size_t at = sizeof(with_stack); at < bytes->size && !error; at += sizeof(said)) {
		memcpy(&said, bytes->bytes + at, sizeof(said));
		error = add_said(groups, &said);
	}
	return error;
}

const struct walk_ops call_groups_ops = {
	.begin = groups_begin,
	.call = groups_call,
};
