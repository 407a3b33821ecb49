/* SPDX-License-Identifier: MIT */
/*
 * sites.h - calls by function and by the place in the program that they were made from.
 *
 * There are as many places as a program has code for, some thousand. Code that was made while it ran lies elsewhere in each process, and a broken trace may claim any number. So many are kept at
 * most: where there are more, those whose hash ends in zeros, in as many as it takes; of those that are in no file few are left before any other goes. Which these are depends on all places alone,
 * and on no order.
 */
#ifndef RECORDER_ANALYSIS_SITES_H
#define RECORDER_ANALYSIS_SITES_H

#include "analysis/dictionary.h"
#include "analysis/facts.h"

#define SITES_MAX 65536u
#define SITES_KNOWN 512u /* a power of two */

struct site_row {
	struct analysis_sums sums; /* but for `self` */
	uint32_t stream, module;   /* where it was seen: of several the least */
};

/* Where in the program calls of a function were made, as a stream has it. */
struct site_place {
	uint64_t offset;
	uint32_t stream, module;
	uint16_t function;
};

/* Where a place was found last: those of a loop are looked up once. */
struct site_known {
	struct site_place place;
	uint32_t row; /* number + 1, 0 none */
};

/* Zeroed: none. */
struct sites {
	struct dictionary keys; /* struct site_key and the path of the module */
	struct site_row *rows;
	uint32_t room;
	uint32_t mask; /* of hashes that are kept */
	struct site_known known[SITES_KNOWN];
};

struct site_key {
	uint64_t offset;
	uint32_t function;
};

/* Counts calls that were made there. 0 or -ENOMEM. */
int sites_count(struct sites *sites, const struct facts *facts, const struct site_place *place,
		const struct analysis_sums *sums);
int sites_merge(struct sites *into, const struct sites *from);
/* The key of a row, and the module's path. */
struct site_key sites_key(const struct sites *sites, uint32_t number, const char **path);
void sites_release(struct sites *sites);

#endif
