/* SPDX-License-Identifier: MIT */
/* analysis.c - an analysis from its begin to its results, see recorder/analysis.h; answers.c gives these out */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis_state.h"
#include "analysis/crowd.h"
#include "analysis/filtered.h"
#include "analysis/store.h"

static const struct reader_filter everything = {.sz = sizeof(everything)};

/* Numbers of messages count from the first call of MPI on, and all calls of it count. Descriptors move by calls of any file. */
static void see_what_is_left_out(struct facts *facts, const struct reader_filter *filter)
{
	unsigned left_out = filtered_by(facts->trace, filter);

	facts->matches = !(left_out & (FILTERED_CALLS | FILTERED_FILES | FILTERED_BEGIN));
	facts->tracks_bytes = facts->matches && !(left_out & FILTERED_LAYERS);
	facts->follows_positions = !(left_out & (FILTERED_CALLS | FILTERED_LAYERS));
}

struct analysis *analysis_new(struct reader *trace, const struct analysis_options *options)
{
	struct analysis *analysis;

	if (options && options->sz != sizeof(*options)) {
		errno = EINVAL;
		return NULL;
	}
	analysis = calloc(1, sizeof(*analysis));
	if (!analysis)
		return NULL;
	if (options)
		analysis->options = *options;
	if (!analysis->options.filter)
		analysis->options.filter = &everything;
	if (facts_collect(&analysis->facts, trace, analysis->options.filter) ||
	    tables_begin(&analysis->tables, &analysis->facts)) {
		analysis_free(analysis);
		errno = ENOMEM;
		return NULL;
	}
	see_what_is_left_out(&analysis->facts, analysis->options.filter);
	return analysis;
}

void analysis_free(struct analysis *analysis)
{
	if (!analysis)
		return;
	judging_release(&analysis->judging);
	results_release(&analysis->results);
	if (analysis->tables.facts)
		tables_release(&analysis->tables);
	facts_release(&analysis->facts);
	free(analysis);
}

/* Makes results of the tables, anew. */
static int conclude(struct analysis *analysis)
{
	int error;

	judging_release(&analysis->judging);
	results_release(&analysis->results);
	memset(&analysis->judging, 0, sizeof(analysis->judging));
	error = results_make(&analysis->results, &analysis->tables);
	if (error)
		return error;
	analysis->judging.duration = analysis->facts.info.duration;
	return judging_run(&analysis->judging, analysis);
}

int analysis_run(struct analysis *analysis)
{
	int error = crowd_read(&analysis->tables, &analysis->options);

	return error ? error : conclude(analysis);
}

void *analysis_save(const struct analysis *analysis, size_t *size)
{
	char *bytes;

	tables_save(&analysis->tables, &bytes, size);
	return bytes;
}

int analysis_add(struct analysis *analysis, const void *bytes, size_t size)
{
	struct tables more;
	int error = tables_begin(&more, &analysis->facts);

	if (!error)
		error = tables_load(&more, bytes, size);
	if (!error)
		error = tables_merge(&analysis->tables, &more);
	tables_release(&more);
	return error ? error : conclude(analysis);
}
