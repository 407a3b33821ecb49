/* SPDX-License-Identifier: MIT */
/*
 * judging.h - rules that look at the tables of an analysis for what users would want to be told, and what they found.
 *
 * A rule is a row of rules.c: its threshold in words, and a function that compares the tables with it and calls judging_found(). Rules of one subject
 * are in one file: rules_files.c, rules_metadata.c, rules_ranks.c, rules_time.c, rules_messages.c,
 * rules_waits.c, rules_conflicts.c. A rule has to stay silent where there is little to gain: all of them have a least
 * number of calls, bytes or share of time.
 */
#ifndef RECORDER_ANALYSIS_JUDGING_H
#define RECORDER_ANALYSIS_JUDGING_H

#include <stdbool.h>

#include <recorder/analysis.h>

#include "analysis/operation.h"
#include "analysis/quantities.h"
#include "read/pool.h"

/* Sums over all files of data. */
struct data_sums {
	struct analysis_access access;
	unsigned files;
};

struct judging {
	const struct analysis *analysis;
	const struct analysis_rule *rule; /* the one at work */
	bool about_results; /* it finds what may make them wrong, however little time goes into that */
	int64_t duration; /* of the run, ns */
	unsigned ranks;   /* that are not left out */
	int64_t wall;     /* of all ranks together */
	int64_t whole; /* the same, with what runs beside ranks as long as none of them does: a finding may be about that, too */
	int64_t storage_main, messages_main; /* the same as below, of main threads alone */
	int64_t storage, messages;           /* self time in calls on files and of MPI */
	/* of the first one of main threads, what is of libraries above MPI-IO and the system's calls, beside the calls that they make; 0 where these are not in the trace */
	int64_t libraries_main;
	bool has_system_calls; /* the trace */
	struct data_sums data;
	/* what was found */
	struct analysis_finding *list;
	unsigned count, room;
	struct pool texts;
	int error;
};

struct rule {
	struct analysis_rule words;
	void (*judge)(struct judging *judging);
};

extern const struct rule rules[];

/* Goes through all rules. 0 or -ENOMEM; to be released either way. */
int judging_run(struct judging *judging, const struct analysis *analysis);
void judging_release(struct judging *judging);

/*
 * Something was found that `at_stake` ns went into; the format makes a sentence. It is left out where that is less than a thousandth of what all ranks took, unless judging->about_results: there is nothing
 * to gain.
 */
__attribute__((format(printf, 3, 4))) void judging_found(struct judging *judging, int64_t at_stake,
							 const char *format, ...);

/* ---- what rules are made of ---- */

/* Whether calls of the layer are those that wait for storage, and not those of a library above them. */
static inline bool judging_is_lowest(const struct judging *judging,
				     const struct analysis_layer *layer)
{
	return !judging->has_system_calls || operation_layer_height(layer->name) != HEIGHT_ABOVE;
}

/* Whether part is that share of all, in percent, or more. */
static inline int is_share(double part, double all, double percent)
{
	return all > 0 && part * 100 >= all * percent;
}

/* Files of data with which something is so. */
struct judged_files {
	const struct analysis_file *worst; /* NULL: there are none */
	unsigned count;
	int64_t sum; /* of what `weigh` gives */
};

/* Those of which `weigh` gives more than 0: the time that it is about, mostly. */
struct judged_files judging_files(const struct judging *judging,
				  int64_t (*weigh)(const struct analysis_file *file));
#define OTHERS_ROOM 64
/* ", and so it is with 3 more files", which is written into `text`; "" if there is one alone. */
const char *judging_others(char text[OTHERS_ROOM], const struct judged_files *files);
/* A rank as people read it. */
const char *judging_rank(char text[QUANTITY_ROOM], const struct analysis_rank *rank);
/* Calls and time of functions of a layer (NULL: any) whose names match a pattern of fnmatch(3). */
struct analysis_sums judging_functions(const struct judging *judging, const char *layer,
				       const char *pattern);
/* Self time of an operation, all ranks. */
int64_t judging_operation(const struct judging *judging, enum analysis_operation operation);

void rule_small_reads(struct judging *judging);
void rule_small_writes(struct judging *judging);
void rule_random_reads(struct judging *judging);
void rule_random_writes(struct judging *judging);
void rule_unaligned_shared(struct judging *judging);
void rule_read_after_write(struct judging *judging);
void rule_stdio_bulk(struct judging *judging);
void rule_one_rank_io(struct judging *judging);
void rule_file_per_process(struct judging *judging);
void rule_independent_io(struct judging *judging);
void rule_amplified_reads(struct judging *judging);
void rule_amplified_writes(struct judging *judging);

void rule_metadata_time(struct judging *judging);
void rule_repeated_opens(struct judging *judging);
void rule_repeated_asks(struct judging *judging);
void rule_seeks(struct judging *judging);
void rule_syncs(struct judging *judging);
void rule_failing(struct judging *judging);
void rule_slow_call(struct judging *judging);

void rule_storage_bound(struct judging *judging);
void rule_library_bound(struct judging *judging);
void rule_messages_bound(struct judging *judging);
void rule_storage_imbalance(struct judging *judging);
void rule_messages_imbalance(struct judging *judging);
void rule_late_start(struct judging *judging);
void rule_early_end(struct judging *judging);

void rule_unoverlapped_checkpoint(struct judging *judging);
void rule_waits_for_data(struct judging *judging);
void rule_long_steps(struct judging *judging);

void rule_small_messages(struct judging *judging);
void rule_polling(struct judging *judging);
void rule_barriers(struct judging *judging);
void rule_collectives(struct judging *judging);
void rule_one_pair(struct judging *judging);

void rule_late_sender(struct judging *judging);
void rule_late_receiver(struct judging *judging);
void rule_straggler(struct judging *judging);

void rule_racing_writes(struct judging *judging);
void rule_uncommitted(struct judging *judging);

#endif
