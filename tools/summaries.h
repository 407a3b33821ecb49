/* SPDX-License-Identifier: MIT */
/*
 * summaries.h - the forms of `recorder summary`: one screen of text, JSON, and tables of CSV.
 */
#ifndef RECORDER_TOOLS_SUMMARIES_H
#define RECORDER_TOOLS_SUMMARIES_H

#include <stdbool.h>

#include <recorder/analysis.h>

#include "output.h"

#define SUMMARY_COMMON_SIZES                                                                       \
	100u /* as many of the most frequent sizes of a layer are given out, in each direction */

struct summary {
	struct reader *trace;
	struct reader_info info;
	struct analysis *analysis;
	bool whole;            /* nothing is missing in the trace */
	unsigned top;          /* rows of each table of the text, 0: all */
	unsigned file_classes; /* that are shown, see options.h */
	bool color;
	bool shows_callsites; /* in text and JSON: they have to be looked up */
};

void summary_text(struct output *output, const struct summary *summary);
void summary_json(struct output *output, const struct summary *summary);
/* Whether there is a table of that name. */
bool summary_is_table(const char *name);
/* "functions, layers, ..." */
#define SUMMARY_TABLES                                                                             \
	"layers, functions, ranks, overlap, phases, bursts, files, filesystems, sizes, errors, "   \
	"waits, conflicts or callsites"
void summary_csv(struct output *output, const struct summary *summary, const char *table);

/* ---- for commands that print some of it ---- */

struct command;
/* Values of --top (0: not given) and --all. */
struct summary_options {
	unsigned top;
	bool all;
};
extern struct summary_options summary_options;

/* Analyses the trace that the operands of a command name, the newest without, as analyse() does; all else in `summary` is zero. To be closed. */
void summary_open(struct summary *summary, const struct command *command, int count, char **names);
/* To stdout; ends the process with a message if it cannot be written. */
void summary_print(const struct summary *summary,
		   void (*put)(struct output *output, const struct summary *summary));
void summary_close(struct summary *summary);

/* ---- its parts ---- */

struct json;
/* Who waited for whom in MPI. */
void summary_waits_text(struct output *output, const struct summary *summary);
void summary_waits_json(struct json *json, const char *key, const struct summary *summary);
void summary_waits_csv(struct output *output, const struct summary *summary);
/* A row's columns of waits by kind, to its end; and the header's, behind `first`. */
void summary_wait_sums_csv(struct output *output,
			   const struct analysis_wait_sums sums[ANALYSIS_WAITS]);
void summary_wait_sums_head(struct output *output, const char *first);
/* How much of it is known, as keys of an object. */
void summary_matching_json(struct json *json, const struct analysis *analysis);
/* Which ranks touch the same bytes, and what consistency models say of it. */
void summary_conflicts_text(struct output *output, const struct summary *summary);
void summary_conflicts_json(struct json *json, const char *key, const struct summary *summary);
void summary_conflicts_csv(struct output *output, const struct summary *summary);
/* "fine", "unknown", "violated", or "-": nobody used MPI-IO. `model` is an enum analysis_model. */
const char *summary_verdict(const struct analysis_shared_file *file, unsigned model);

/* What each epoch and step did. */
void summary_phases_text(struct output *output, const struct summary *summary);
void summary_phases_json(struct json *json, const char *key, const struct summary *summary);
void summary_phases_csv(struct output *output, const struct summary *summary);
/* "epoch 1", "epoch 1, step 0-7", "step 3" */
#define SUMMARY_PHASE_ROOM 128
const char *summary_phase_name(char text[SUMMARY_PHASE_ROOM], const struct analysis_phase *phase);

/* Where in the program calls were made. */
void summary_sites_text(struct output *output, const struct summary *summary);
void summary_sites_json(struct json *json, const struct summary *summary);
void summary_sites_csv(struct output *output, const struct summary *summary);

/* Wall time of all ranks' own processes, ns; what their main threads did not spend in calls. */
int64_t summary_wall(const struct summary *summary);
int64_t summary_program(const struct summary *summary);
/* Time on files, whatever goes on beside. */
static inline int64_t summary_on_files(const struct analysis_overlap *overlap)
{
	return overlap->files_alone + overlap->files_with_program + overlap->files_with_mpi;
}

/* Whether a file is shown. */
static inline bool summary_shows(const struct summary *summary, const struct analysis_file *file)
{
	return summary->file_classes >> file->class_ & 1;
}

#endif
