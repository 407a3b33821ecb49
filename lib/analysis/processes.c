/* SPDX-License-Identifier: MIT */
/* processes.c - see processes.h */
#include "analysis/processes.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/forest.h"

static void place(struct results *results, const struct tables *tables, struct forest *forest,
		  uint32_t number, int parent)
{
	const struct forest_node *node = &forest->nodes[number];
	const struct process_row *row = &tables->processes[number];
	struct analysis_process *process = &results->processes[results->process_count++];
	const struct forest_node *above =
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

	while (at != FOREST_NOBODY) {
		if (!forest->nodes[at].placed) {
			place(results, tables, forest, at, parent);
			if (forest->nodes[at].first_child != FOREST_NOBODY) {
				parent = (int)results->process_count - 1;
				at = forest->nodes[at].first_child;
				continue;
			}
		}
		while (at != root && forest->nodes[at].after == FOREST_NOBODY && parent >= 0) {
			at = results->processes[parent].stream;
			parent = results->processes[parent].parent;
		}
		at = at == root ? FOREST_NOBODY : forest->nodes[at].after;
	}
}

int processes_make(struct results *results, const struct tables *tables)
{
	struct forest forest;
	int error = forest_build(&forest, tables->facts->trace, tables->facts->info.streams);

	results->processes = calloc((size_t)forest.count + 1, sizeof(*results->processes));
	if (!results->processes)
		error = -ENOMEM;
	for (uint32_t root = error ? FOREST_NOBODY : forest.roots; root != FOREST_NOBODY;
	     root = forest.nodes[root].after)
		place_tree(results, tables, &forest, root);
	/* parents in a circle, in a trace that lies */
	for (uint32_t i = 0; !error && i < forest.count; i++)
		if (!forest.nodes[i].placed)
			place(results, tables, &forest, i, -1);
	forest_release(&forest);
	return error;
}
