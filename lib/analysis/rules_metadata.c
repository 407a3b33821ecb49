/* SPDX-License-Identifier: MIT */
/* rules_metadata.c - findings about calls on files that move nothing, or fail, or stall, see judging.h */
#include <errno.h>
#include <stdbool.h>

#include "analysis/judging.h"
#include "analysis/operation.h"
#include "analysis/quantities.h"

#define CALLS_LEAST 1000u
#define STALL_LEAST 100000000 /* ns */

void rule_metadata_time(struct judging *judging)
{
	char calls[QUANTITY_ROOM], share[QUANTITY_ROOM], time_text[QUANTITY_ROOM];
	uint64_t count = judging->data.access.metadata;
	int64_t time = judging->data.access.metadata_time;

	if (count < CALLS_LEAST || !is_share((double)time, (double)judging->storage, 30) ||
	    !is_share((double)time, (double)judging->wall, 5))
		return;
	judging_found(judging, time,
		      "%s calls that open, close, seek, sync or ask about files of data took %s, "
		      "%s of the time in files.",
		      quantity_count(calls, count), quantity_time(time_text, time),
		      quantity_share(share, (double)time, (double)judging->storage));
}

/* ---- of one file ---- */

static int64_t repeated_open_time(const struct analysis_file *file)
{
	return file->ranks > 0 && file->access.opens / file->ranks >= 100
		       ? file->access.metadata_time
		       : 0;
}

void rule_repeated_opens(struct judging *judging)
{
	struct judged_files files = judging_files(judging, repeated_open_time);
	const struct analysis_file *file = files.worst;
	char opens[QUANTITY_ROOM], others[OTHERS_ROOM];

	if (file)
		judging_found(judging, files.sum, "%s was opened %s times by %u rank%s%s.",
			      file->path, quantity_count(opens, file->access.opens), file->ranks,
			      file->ranks == 1 ? "" : "s", judging_others(others, &files));
}

static int64_t repeated_ask_time(const struct analysis_file *file)
{
	const struct analysis_access *access = &file->access;

	return file->ranks > 0 && access->asks / file->ranks >= CALLS_LEAST &&
			       access->asks >= 2 * (access->reads + access->writes)
		       ? access->ask_time
		       : 0;
}

void rule_repeated_asks(struct judging *judging)
{
	struct judged_files files = judging_files(judging, repeated_ask_time);
	const struct analysis_file *file = files.worst;
	char asks[QUANTITY_ROOM], others[OTHERS_ROOM];

	if (file)
		judging_found(judging, files.sum, "%s calls by %u rank%s ask what %s is%s.",
			      quantity_count(asks, file->access.asks), file->ranks,
			      file->ranks == 1 ? "" : "s", file->path,
			      judging_others(others, &files));
}

static int64_t seek_time(const struct analysis_file *file)
{
	const struct analysis_access *access = &file->access;

	return access->seeks >= CALLS_LEAST && 2 * access->seeks >= access->reads + access->writes
		       ? access->seek_time
		       : 0;
}

void rule_seeks(struct judging *judging)
{
	struct judged_files files = judging_files(judging, seek_time);
	const struct analysis_file *file = files.worst;
	char seeks[QUANTITY_ROOM], transfers[QUANTITY_ROOM], others[OTHERS_ROOM];

	if (file)
		judging_found(judging, files.sum, "%s seeks for %s transfers of %s%s.",
			      quantity_count(seeks, file->access.seeks),
			      quantity_count(transfers, file->access.reads + file->access.writes),
			      file->path, judging_others(others, &files));
}

/* ---- of all ---- */

void rule_syncs(struct judging *judging)
{
	const struct analysis_access *data = &judging->data.access;
	int64_t time = judging_operation(judging, ANALYSIS_SYNC);
	char syncs[QUANTITY_ROOM], writes[QUANTITY_ROOM], text[QUANTITY_ROOM];

	if (data->syncs < 100 || 10 * data->syncs < data->writes ||
	    !is_share((double)time, (double)judging->wall, 5))
		return;
	judging_found(judging, time, "%s syncs for %s writes took %s.",
		      quantity_count(syncs, data->syncs), quantity_count(writes, data->writes),
		      quantity_time(text, time));
}

/* What programs live with: trying again is how these are used. */
static bool is_expected(int err)
{
	return err == EAGAIN || err == EINTR || err == EINPROGRESS || err == ETIMEDOUT;
}

void rule_failing(struct judging *judging)
{
	char calls[QUANTITY_ROOM];

	for (unsigned i = 0; i < analysis_error_count(judging->analysis); i++) {
		const struct analysis_error *error = analysis_error(judging->analysis, i);

		if (error->calls < CALLS_LEAST)
			return;
		if (is_expected(error->err) || error->calls - error->calls_apart < CALLS_LEAST)
			continue;
		judging_found(judging, error->time - error->time_apart,
			      "%s failed %s times with %s.", error->function->name,
			      quantity_count(calls, error->calls - error->calls_apart),
			      error->name);
		return; /* the most frequent one is enough */
	}
}

void rule_slow_call(struct judging *judging)
{
	const struct analysis_function *slowest = NULL;
	char most[QUANTITY_ROOM], median[QUANTITY_ROOM];
	unsigned at = 0;

	for (unsigned i = 0; i < analysis_function_count(judging->analysis); i++) {
		const struct analysis_function *function = analysis_function(judging->analysis, i);
		const struct analysis_layer *layer =
			analysis_layer(judging->analysis, function->layer);

		if (layer->is_storage && judging_is_lowest(judging, layer) &&
		    function->operation != ANALYSIS_PROCESS &&
		    function->operation != ANALYSIS_COMPLETION &&
		    (!slowest || function->most_in_files > slowest->most_in_files)) {
			slowest = function;
			at = i;
		}
	}
	if (!slowest || slowest->most_in_files < STALL_LEAST ||
	    slowest->most_in_files / 100 < analysis_function_quantile(judging->analysis, at, 0.5) ||
	    !is_share((double)slowest->most_in_files, (double)judging->duration, 1))
		return;
	judging_found(judging, slowest->most_in_files,
		      "A call of %s took %s; half of them took less than %s.",
		      slowest->function->name, quantity_time(most, slowest->most_in_files),
		      quantity_time(median,
				    analysis_function_quantile(judging->analysis, at, 0.5)));
}
