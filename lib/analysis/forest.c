/* SPDX-License-Identifier: MIT */
/* forest.c - see forest.h */
#include "analysis/forest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_identity(const void *a, const void *b)
{
	const struct forest_known *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* Whose identity it is: the first stream that has it. */
static uint32_t find(const struct forest *forest, uint64_t id)
{
	uint32_t low = 0, high = forest->known_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (forest->known[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < forest->known_count && forest->known[low].id == id ? forest->known[low].node
									: FOREST_NOBODY;
}

static int by_life(const void *a, const void *b)
{
	const struct forest_lived *x = a, *y = b;
	int order = strcmp(x->boot, y->boot);

	if (order)
		return order;
	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->outside != y->outside)
		return x->outside ? 1 : -1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

static bool is_from_outside(const struct reader *trace, unsigned stream)
{
	struct reader_value value;

	return !reader_meta(trace, stream, "source", &value);
}

/* Who last began with that number before somebody else did, of those that were recorded from there; FOREST_NOBODY: nobody. */
static uint32_t find_before(const struct forest *forest, const struct forest_lived *somebody,
			    uint32_t pid, bool outside)
{
	struct forest_lived wanted = *somebody;
	uint32_t low = 0, high = forest->count;
	const struct forest_lived *found;

	wanted.pid = pid;
	wanted.outside = outside;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (by_life(&forest->lived[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || !*somebody->boot || pid == 0)
		return FOREST_NOBODY;
	found = &forest->lived[low - 1];
	return !strcmp(found->boot, wanted.boot) && found->space == wanted.space &&
			       found->outside == outside && found->pid == pid
		       ? found->node
		       : FOREST_NOBODY;
}

/* The image before, else who forked it, as the stream says or as its parent's number does: programs that were executed know only that. */
static uint32_t parent_of(const struct forest *forest, const struct forest_lived *life)
{
	const struct forest_node *node = &forest->nodes[life->node];
	uint32_t found = node->image > 0 ? find_before(forest, life, node->pid, life->outside)
					 : FOREST_NOBODY;

	if (found != FOREST_NOBODY && forest->nodes[found].image + 1 == node->image)
		return found;
	found = node->parent ? find(forest, node->parent) : FOREST_NOBODY;
	if (found == FOREST_NOBODY)
		found = find_before(forest, life, node->ppid, life->outside);
	return found != FOREST_NOBODY ? found
				      : find_before(forest, life, node->ppid, !life->outside);
}

static int collect(struct forest *forest, const struct reader *trace, uint32_t streams)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	forest->count = streams;
	forest->nodes = calloc((size_t)forest->count + 1, sizeof(*forest->nodes));
	forest->known = calloc((size_t)forest->count + 1, sizeof(*forest->known));
	forest->lived = calloc((size_t)forest->count + 1, sizeof(*forest->lived));
	if (!forest->nodes || !forest->known || !forest->lived)
		return -ENOMEM;
	for (uint32_t i = 0; i < forest->count; i++) {
		struct forest_node *node = &forest->nodes[i];

		node->above = node->first_child = node->after = FOREST_NOBODY;
		forest->lived[i] = (struct forest_lived){.boot = "", .node = i};
		if (reader_stream(trace, i, &stream))
			continue;
		node->id = stream.id;
		node->parent = stream.parent;
		node->start = stream.start;
		node->pid = stream.pid;
		node->ppid = stream.ppid;
		node->image = stream.image;
		forest->lived[i] = (struct forest_lived){.boot = stream.boot_id,
							 .space = stream.pid_ns,
							 .outside = is_from_outside(trace, i),
							 .pid = stream.pid,
							 .node = i,
							 .start = stream.start};
		if (stream.id)
			forest->known[forest->known_count++] = (struct forest_known){stream.id, i};
	}
	qsort(forest->known, forest->known_count, sizeof(*forest->known), by_identity);
	qsort(forest->lived, forest->count, sizeof(*forest->lived), by_life);
	return 0;
}

/* Before those that began later. */
static void insert(struct forest *forest, uint32_t *first, uint32_t number)
{
	forest->nodes[number].after = *first;
	*first = number;
}

static int later_first(const void *a, const void *b)
{
	const struct forest_node *x = *(const struct forest_node *const *)a,
				 *y = *(const struct forest_node *const *)b;

	if (x->start != y->start)
		return x->start < y->start ? 1 : -1;
	return x < y ? 1 : x > y ? -1 : 0;
}

/* Puts each below its parent, the latest first, so that lists begin with the earliest. */
static int connect(struct forest *forest)
{
	const struct forest_node **order = malloc(((size_t)forest->count + 1) * sizeof(*order));

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < forest->count; i++)
		order[i] = &forest->nodes[i];
	for (uint32_t i = 0; i < forest->count; i++) {
		uint32_t number = forest->lived[i].node;

		forest->nodes[number].above = parent_of(forest, &forest->lived[i]);
		if (forest->nodes[number].above == number)
			forest->nodes[number].above = FOREST_NOBODY;
	}
	qsort(order, forest->count, sizeof(*order), later_first);
	forest->roots = FOREST_NOBODY;
	for (uint32_t i = 0; i < forest->count; i++) {
		uint32_t number = (uint32_t)(order[i] - forest->nodes);
		uint32_t above = forest->nodes[number].above;

		insert(forest,
		       above == FOREST_NOBODY ? &forest->roots : &forest->nodes[above].first_child,
		       number);
	}
	free(order);
	return 0;
}

int forest_build(struct forest *forest, const struct reader *trace, uint32_t streams)
{
	int error;

	memset(forest, 0, sizeof(*forest));
	error = collect(forest, trace, streams);
	return error ? error : connect(forest);
}

void forest_release(struct forest *forest)
{
	free(forest->nodes);
	free(forest->known);
	free(forest->lived);
}
