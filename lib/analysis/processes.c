/* SPDX-License-Identifier: MIT */
/* processes.c - see processes.h */
#include "analysis/processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX

/* A stream on its way into the tree. */
struct node {
	uint64_t id, parent;
	int64_t start;
	uint32_t pid, ppid, image;
	uint32_t above;              /* its parent, NOBODY */
	uint32_t first_child, after; /* the next child of `above` */
	bool placed;
};

struct known {
	uint64_t id;
	uint32_t node;
};

/* Whose number a pid was, on which machine and in which space of numbers, from when on. */
struct lived {
	const char *boot;
	uint64_t space;
	uint32_t pid, node;
	int64_t start;
};

struct forest {
	struct node *nodes;
	struct known *known; /* by identity */
	struct lived *lived; /* by machine, number and begin */
	uint32_t count, known_count;
	uint32_t roots; /* the first one */
};

static int by_identity(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

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
									: NOBODY;
}

static int by_life(const void *a, const void *b)
{
	const struct lived *x = a, *y = b;
	int order = strcmp(x->boot, y->boot);

	if (order)
		return order;
	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

static uint64_t space_of(const struct reader *trace, unsigned stream)
{
	struct reader_value value;

	return reader_meta(trace, stream, "pid.ns", &value) || value.type != READER_U64 ? 0
											: value.u64;
}

/* Who last began with that number before somebody else did; NOBODY: nobody. */
static uint32_t find_before(const struct forest *forest, const struct lived *somebody, uint32_t pid)
{
	struct lived wanted = *somebody;
	uint32_t low = 0, high = forest->count;
	const struct lived *found;

	wanted.pid = pid;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (by_life(&forest->lived[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || !*somebody->boot || pid == 0)
		return NOBODY;
	found = &forest->lived[low - 1];
	return !strcmp(found->boot, wanted.boot) && found->space == wanted.space &&
			       found->pid == pid
		       ? found->node
		       : NOBODY;
}

/* The image before, else who forked it, as the stream says or as its parent's number does: programs that were executed know only that. */
static uint32_t parent_of(const struct forest *forest, const struct lived *life)
{
	const struct node *node = &forest->nodes[life->node];
	uint32_t found = node->image > 0 ? find_before(forest, life, node->pid) : NOBODY;

	if (found != NOBODY && forest->nodes[found].image + 1 == node->image)
		return found;
	found = node->parent ? find(forest, node->parent) : NOBODY;
	return found != NOBODY ? found : find_before(forest, life, node->ppid);
}

static int collect(struct forest *forest, const struct facts *facts)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	forest->count = facts->info.streams;
	forest->nodes = calloc((size_t)forest->count + 1, sizeof(*forest->nodes));
	forest->known = calloc((size_t)forest->count + 1, sizeof(*forest->known));
	forest->lived = calloc((size_t)forest->count + 1, sizeof(*forest->lived));
	if (!forest->nodes || !forest->known || !forest->lived)
		return -ENOMEM;
	for (uint32_t i = 0; i < forest->count; i++) {
		struct node *node = &forest->nodes[i];

		node->above = node->first_child = node->after = NOBODY;
		forest->lived[i] = (struct lived){.boot = "", .node = i};
		if (reader_stream(facts->trace, i, &stream))
			continue;
		node->id = stream.id;
		node->parent = stream.parent;
		node->start = stream.start;
		node->pid = stream.pid;
		node->ppid = stream.ppid;
		node->image = stream.image;
		forest->lived[i] = (struct lived){stream.boot_id, space_of(facts->trace, i),
						  stream.pid, i, stream.start};
		if (stream.id)
			forest->known[forest->known_count++] = (struct known){stream.id, i};
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
	const struct node *x = *(const struct node *const *)a, *y = *(const struct node *const *)b;

	if (x->start != y->start)
		return x->start < y->start ? 1 : -1;
	return x < y ? 1 : x > y ? -1 : 0;
}

/* Puts each below its parent, the latest first, so that lists begin with the earliest. */
static int build(struct forest *forest)
{
	const struct node **order = malloc(((size_t)forest->count + 1) * sizeof(*order));

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < forest->count; i++)
		order[i] = &forest->nodes[i];
	for (uint32_t i = 0; i < forest->count; i++) {
		uint32_t number = forest->lived[i].node;

		forest->nodes[number].above = parent_of(forest, &forest->lived[i]);
		if (forest->nodes[number].above == number)
			forest->nodes[number].above = NOBODY;
	}
	qsort(order, forest->count, sizeof(*order), later_first);
	forest->roots = NOBODY;
	for (uint32_t i = 0; i < forest->count; i++) {
		uint32_t number = (uint32_t)(order[i] - forest->nodes);
		uint32_t above = forest->nodes[number].above;

		insert(forest, above == NOBODY ? &forest->roots : &forest->nodes[above].first_child,
		       number);
	}
	free(order);
	return 0;
}

static void place(struct results *results, const struct tables *tables, struct forest *forest,
		  uint32_t number, int parent)
{
	const struct node *node = &forest->nodes[number];
	const struct process_row *row = &tables->processes[number];
	struct analysis_process *process = &results->processes[results->process_count++];
	const struct node *above =
		parent < 0 ? NULL : &forest->nodes[results->processes[parent].stream];

	*process = (struct analysis_process){
		.stream = number,
		.parent = parent,
		.depth = parent < 0 ? 0 : results->processes[parent].depth + 1,
		.executed = above && above->pid == node->pid && above->image + 1 == node->image,
		.calls = row->calls,
		.errors = row->errors,
		.storage = row->by_use[ANALYSIS_USE_STORAGE],
		.messages = row->by_use[ANALYSIS_USE_MESSAGES],
		.others = row->by_use[ANALYSIS_USE_OTHER],
		.overlap = results_overlap(row->overlap.time),
	};
	forest->nodes[number].placed = true;
}

/* From a root down, without recursion: traces may say anything of how deep it is. */
static void place_tree(struct results *results, const struct tables *tables, struct forest *forest,
		       uint32_t root)
{
	int parent = -1;
	uint32_t at = root;

	while (at != NOBODY) {
		if (!forest->nodes[at].placed) {
			place(results, tables, forest, at, parent);
			if (forest->nodes[at].first_child != NOBODY) {
				parent = (int)results->process_count - 1;
				at = forest->nodes[at].first_child;
				continue;
			}
		}
		while (at != root && forest->nodes[at].after == NOBODY && parent >= 0) {
			at = results->processes[parent].stream;
			parent = results->processes[parent].parent;
		}
		at = at == root ? NOBODY : forest->nodes[at].after;
	}
}

int processes_make(struct results *results, const struct tables *tables)
{
	struct forest forest = {0};
	int error = collect(&forest, tables->facts);

	if (!error)
		error = build(&forest);
	results->processes = calloc((size_t)forest.count + 1, sizeof(*results->processes));
	if (!results->processes)
		error = -ENOMEM;
	for (uint32_t root = error ? NOBODY : forest.roots; root != NOBODY;
	     root = forest.nodes[root].after)
		place_tree(results, tables, &forest, root);
	/* parents in a circle, in a trace that lies */
	for (uint32_t i = 0; !error && i < forest.count; i++)
		if (!forest.nodes[i].placed)
			place(results, tables, &forest, i, -1);
	free(forest.nodes);
	free(forest.known);
	free(forest.lived);
	return error;
}
