/* SPDX-License-Identifier: MIT */
/* judging.c - see judging.h */
#include "analysis/judging.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/file_table.h"
#include "analysis/rows.h"

#define TEXT_ROOM 1024
#define STAKE_LEAST 1000 /* parts of what all ranks took */

static int by_stake(const void *a, const void *b)
{
	const struct analysis_finding *x = a, *y = b;

	if (x->at_stake != y->at_stake)
		return x->at_stake < y->at_stake ? 1 : -1;
	return strcmp(x->rule->name, y->rule->name);
}

static void measure_rank(struct judging *judging, const struct analysis_rank *rank)
{
	judging->ranks += !rank->left_out;
	add_to(&judging->wall, analysis_rank_wall(rank));
	add_to(&judging->storage_main, rank->storage[ANALYSIS_MAIN]);
	add_to(&judging->messages_main, rank->messages[ANALYSIS_MAIN]);
}

/* When ranks of jobs run: before and after that what is beside them is not there for their sake. */
static void find_jobs(const struct judging *judging, int64_t *begin, int64_t *end)
{
	*begin = INT64_MAX;
	*end = INT64_MIN;
	for (unsigned i = 0; i < analysis_rank_count(judging->analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(judging->analysis, i);

		if (rank->beside)
			continue;
		*begin = rank->start < *begin ? rank->start : *begin;
		*end = rank->end > *end ? rank->end : *end;
	}
}

static void measure_whole(struct judging *judging)
{
	int64_t begin, end;

	find_jobs(judging, &begin, &end);
	judging->whole = judging->wall;
	for (unsigned i = 0; i < analysis_rank_count(judging->analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(judging->analysis, i);

		if (!rank->beside)
			continue;
		add_to(&judging->whole,
		       time_between(rank->start, rank->end < begin ? rank->end : begin));
		add_to(&judging->whole,
		       time_between(rank->start > end ? rank->start : end, rank->end));
	}
}

static void measure_ranks(struct judging *judging)
{
	for (unsigned i = 0; i < analysis_rank_count(judging->analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(judging->analysis, i);

		if (!rank->beside)
			measure_rank(judging, rank);
		for (unsigned k = 0; k < ANALYSIS_PLACES; k++) {
			add_to(&judging->storage, rank->storage[k]);
			add_to(&judging->messages, rank->messages[k]);
		}
	}
}

static void measure_libraries(struct judging *judging)
{
	unsigned count = analysis_layer_count(judging->analysis);

	for (unsigned i = 0; i < count; i++) {
		const struct analysis_layer *layer = analysis_layer(judging->analysis, i);

		judging->has_system_calls |= layer->sums.calls > 0 &&
					     operation_layer_height(layer->name) == HEIGHT_SYSTEM;
	}
	for (unsigned i = 0; i < count; i++) {
		const struct analysis_layer *layer = analysis_layer(judging->analysis, i);

		if (layer->is_storage && !judging_is_lowest(judging, layer))
			add_to(&judging->libraries_main, layer->self[ANALYSIS_MAIN]);
	}
}

static void measure_data(struct judging *judging)
{
	for (unsigned i = 0; i < analysis_file_count(judging->analysis); i++) {
		const struct analysis_file *file = analysis_file(judging->analysis, i);

		if (file->class_ != ANALYSIS_DATA)
			continue;
		files_add_access(&judging->data.access, &file->access);
		judging->data.files++;
	}
}

int judging_run(struct judging *judging, const struct analysis *analysis)
{
	judging->analysis = analysis;
	measure_ranks(judging);
	measure_whole(judging);
	measure_libraries(judging);
	measure_data(judging);
	for (unsigned i = 0; i < analysis_rule_count() && !judging->error; i++) {
		judging->rule = &rules[i].words;
		judging->about_results = false;
		rules[i].judge(judging);
	}
	if (judging->count > 0)
		qsort(judging->list, judging->count, sizeof(*judging->list), by_stake);
	return judging->error;
}

void judging_release(struct judging *judging)
{
	free(judging->list);
	pool_release(&judging->texts);
}

void judging_found(struct judging *judging, int64_t at_stake, const char *format, ...)
{
	struct analysis_finding *list;
	char text[TEXT_ROOM];
	const char *kept;
	va_list args;
	int length;

	if (!judging->about_results && at_stake < judging->whole / STAKE_LEAST)
		return;
	list = rows_grown(judging->list, &judging->room, judging->count, sizeof(*list));
	if (!list) {
		judging->error = -ENOMEM;
		return;
	}
	judging->list = list;
	va_start(args, format);
	length = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if ((size_t)length >= sizeof(text))
		length = sizeof(text) - 1;
	kept = pool_copy(&judging->texts, text, (size_t)length);
	if (!kept) {
		judging->error = -ENOMEM;
		return;
	}
	list[judging->count++] = (struct analysis_finding){
		.rule = judging->rule, .text = kept, .at_stake = at_stake, .wall = judging->whole};
}

/* ---- what rules are made of ---- */

struct judged_files judging_files(const struct judging *judging,
				  int64_t (*weigh)(const struct analysis_file *file))
{
	struct judged_files files = {0};
	int64_t most = 0;

	for (unsigned i = 0; i < analysis_file_count(judging->analysis); i++) {
		const struct analysis_file *file = analysis_file(judging->analysis, i);
		int64_t weight = file->class_ == ANALYSIS_DATA ? weigh(file) : 0;

		if (weight <= 0)
			continue;
		files.count++;
		add_to(&files.sum, weight);
		if (weight > most) {
			most = weight;
			files.worst = file;
		}
	}
	return files;
}

const char *judging_others(char text[OTHERS_ROOM], const struct judged_files *files)
{
	unsigned others = files->count - 1;

	*text = '\0';
	if (others > 0)
		snprintf(text, OTHERS_ROOM, ", and so it is with %u more file%s", others,
			 others == 1 ? "" : "s");
	return text;
}

const char *judging_rank(char text[QUANTITY_ROOM], const struct analysis_rank *rank)
{
	return quantity_rank(text, rank->world, rank->rank);
}

struct analysis_sums judging_functions(const struct judging *judging, const char *layer,
				       const char *pattern)
{
	struct analysis_sums sums = {0};

	for (unsigned i = 0; i < analysis_function_count(judging->analysis); i++) {
		const struct analysis_function *function = analysis_function(judging->analysis, i);

		if ((!layer || !strcmp(layer, function->function->layer)) &&
		    !fnmatch(pattern, function->function->name, 0))
			add_sums(&sums, &function->sums);
	}
	return sums;
}

int64_t judging_operation(const struct judging *judging, enum analysis_operation operation)
{
	int64_t time = 0;

	for (unsigned i = 0; i < analysis_rank_count(judging->analysis); i++)
		add_to(&time, analysis_rank(judging->analysis, i)->by_operation[operation]);
	return time;
}
