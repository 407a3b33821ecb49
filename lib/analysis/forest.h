/* SPDX-License-Identifier: MIT */
/*
 * forest.h - which process started which: the streams of a trace as trees, by what they say of their parents and by numbers of processes that were theirs.
 */
#ifndef RECORDER_ANALYSIS_FOREST_H
#define RECORDER_ANALYSIS_FOREST_H

#include <stdbool.h>
#include <stdint.h>

#include <recorder/reader.h>

#define FOREST_NOBODY UINT32_MAX

/* A stream on its way into the tree. */
struct forest_node {
	uint64_t id, parent;
	int64_t start;
	uint32_t pid, ppid, image;
	uint32_t above;              /* its parent, FOREST_NOBODY */
	uint32_t first_child, after; /* the next child of `above` */
	bool placed;
};

struct forest_known {
	uint64_t id;
	uint32_t node;
};

/* Whose number a pid was, on which machine and in which space of numbers, from when on. */
struct forest_lived {
	const char *boot;
	uint64_t space;
	bool outside; /* recorded from there: of a process there can be both */
	uint32_t pid, node;
	int64_t start;
};

struct forest {
	struct forest_node *nodes;
	struct forest_known *known; /* by identity */
	struct forest_lived *lived; /* by machine, number and begin */
	uint32_t count, known_count;
	uint32_t roots; /* the first one */
};

/* All streams of a trace, by number. 0 or -ENOMEM; to be released either way. */
int forest_build(struct forest *forest, const struct reader *trace, uint32_t streams);
void forest_release(struct forest *forest);

#endif
