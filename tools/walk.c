/* SPDX-License-Identifier: MIT */
/* walk.c - see walk.h */
#include "walk.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callers.h"
#include "completeness.h"
#include "conditions.h"
#include "itself.h"
#include "message.h"
#include "options.h"
#include "progress.h"

#define PROBLEMS_SHOWN 20u /* without -v */

/* A directory is taken for a trace if it has recorder.gm; *when is when that was made. */
static bool is_trace(const char *dir, struct timespec *when)
{
	char path[4096];
	struct stat status;

	if ((size_t)snprintf(path, sizeof(path), "%s/recorder.gm", dir) >= sizeof(path) ||
	    stat(path, &status) || !S_ISREG(status.st_mode))
		return false;
	*when = status.st_mtim;
	return true;
}

static bool is_newer(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* In memory of the heap; "." if the working directory itself is a trace; NULL: none. */
static char *newest_trace(void)
{
	struct timespec when, newest = {0, 0};
	struct dirent *entry;
	char *found = NULL;
	DIR *dir;

	if (is_trace(".", &when))
		return strdup(".");
	dir = opendir(".");
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || !is_trace(entry->d_name, &when))
			continue;
		if (found && !is_newer(&when, &newest))
			continue;
		free(found);
		found = strdup(entry->d_name);
		newest = when;
	}
	if (dir)
		closedir(dir);
	return found;
}

static void show_problem(void *data, const char *text)
{
	static unsigned shown;

	(void)data;
	if (options.verbose || shown < PROBLEMS_SHOWN)
		message_warn("%s", text);
	else if (shown == PROBLEMS_SHOWN)
		message_warn("there are more problems; -v shows all");
	shown++;
}

static void show_progress(void *data, enum reader_work work, uint64_t done, uint64_t all)
{
	(void)data;
	progress_report(work == READER_OPENING ? "opening" : "checking", done, all);
}

struct reader *trace_open(const char *dir)
{
	struct reader_options reader_options = {.sz = sizeof(reader_options),
						.problem = show_problem,
						.progress = show_progress};
	char *found = NULL;
	struct reader *trace;

	if (!dir) {
		found = newest_trace();
		if (!found)
			die("no trace in the working directory; name one");
		dir = found;
		if (options.verbose)
			message_note("reading %s", dir);
	}
	trace = reader_open(dir, &reader_options);
	if (!trace) {
		int error = errno;
		const char *text = reader_error(NULL);

		die("%s", text && *text ? text : strerror(error));
	}
	itself_set(dir);
	free(found);
	progress_clear();
	callers_begin(trace);
	return trace;
}

static void warn_streams(const struct reader *trace, const struct reader_info *info)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	char lost[32];

	for (unsigned i = 0; i < info->streams; i++) {
		if (reader_stream(trace, i, &stream) ||
		    (stream.state == READER_CLEAN && stream.lost == 0 && stream.unreadable == 0))
			continue;
		message_warn("rank %" PRId32 " pid %" PRIu32 ": %s%s%s records lost, %" PRIu64
			     " unreadable",
			     stream.rank, stream.pid, stream.reason, *stream.reason ? "; " : "",
			     stream_loss_number(lost, trace, i, stream.lost), stream.unreadable);
	}
}

char *trace_name(const char *dir)
{
	char *real = realpath(dir, NULL), *name;
	const char *slash = real ? strrchr(real, '/') : NULL;

	name = strdup(slash && slash[1] ? slash + 1 : "trace");
	if (!name)
		die("out of memory");
	free(real);
	return name;
}

char *trace_output_path(const char *dir, const char *ending)
{
	char *name = trace_name(dir), *path = NULL;

	if (asprintf(&path, "%s.%s", name, ending) < 0)
		die("out of memory");
	free(name);
	return path;
}

bool trace_warn_incomplete(const struct reader *trace, const struct reader_info *info)
{
	char lost[32];

	if (info->complete)
		return true;
	if (info->running)
		message_warn("%s is still being written: this is what is there now", info->dir);
	else
		message_warn("%s is incomplete: %s records lost, %" PRIu64
			     " unreadable; see 'recorder info %s'",
			     info->dir, trace_loss_number(lost, trace, info), info->unreadable,
			     info->dir);
	if (options.verbose)
		warn_streams(trace, info);
	return false;
}

void trace_warn_nothing(uint64_t records)
{
	char *conditions = records == 0 ? conditions_text() : NULL;

	if (conditions && *conditions)
		message_warn("no record passes the filter: %s", conditions);
	free(conditions);
}

bool trace_is_whole(const struct reader *trace)
{
	struct reader_info info = {.sz = sizeof(info)};

	return !reader_info(trace, &info) && info.complete;
}

static int give_stream(struct walk *walk, const struct walk_ops *ops, void *self, unsigned index)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	if (walk->given[index])
		return 0;
	walk->given[index] = true;
	if (!ops->stream || reader_stream(walk->trace, index, &stream))
		return 0;
	return ops->stream(self, index, &stream);
}

bool walk_takes_all_streams(void)
{
	const struct reader_filter *filter = &options.filter;

	return !filter->ranks && !filter->worlds && !filter->streams && !filter->tids;
}

static int give_rest(struct walk *walk, const struct walk_ops *ops, void *self)
{
	int error = 0;

	if (!walk_takes_all_streams())
		return 0;
	for (unsigned i = 0; i < walk->info.streams && !error; i++)
		error = give_stream(walk, ops, self, i);
	return error;
}

static int walk_losses(const struct walk *walk, const struct walk_ops *ops, void *self)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	const char *reason;
	uint64_t count;
	int error = 0;

	for (unsigned i = 0; i < walk->info.streams && ops->lost; i++) {
		if (!walk->given[i] || reader_stream(walk->trace, i, &stream))
			continue;
		for (unsigned k = 0; !error && !reader_loss(walk->trace, i, k, &reason, &count);
		     k++)
			error = ops->lost(self, &stream, reason, count);
	}
	return error;
}

bool walk_takes_all_calls(void)
{
	const struct reader_filter *filter = &options.filter;

	return walk_takes_all_streams() && !filter->levels && !filter->layers &&
	       !filter->functions && !filter->files && !filter->min_duration && !filter->accept;
}

static bool takes_all_records(void)
{
	return walk_takes_all_calls() && !options.filter.after && !options.filter.before;
}

/* What the filter leaves cannot be counted beforehand; how far the time is can be told, if there is one time. */
static void report(const struct walk *walk, const struct recorder_record *record)
{
	const struct reader_filter *filter = &options.filter;
	int64_t end = filter->before ? filter->before : walk->info.duration;

	if (takes_all_records())
		progress_report("reading", walk->given_records,
				walk->info.stored + walk->info.in_flight);
	else if (walk->by_stream)
		progress_report("reading", record->stream, walk->info.streams);
	else if (record->tstart > filter->after && end > filter->after)
		progress_report("reading", (uint64_t)(record->tstart - filter->after),
				(uint64_t)(end - filter->after));
}

static int walk_calls(struct walk *walk, struct reader_cursor *cursor, const struct walk_ops *ops,
		      void *self)
{
	const struct recorder_record *record;
	int error = 0;

	if (walk->windowed && walk->from > INT64_MIN)
		error = reader_seek(cursor, walk->from);
	while (!error && (record = reader_next(cursor))) {
		if (walk->windowed && record->tstart >= walk->until)
			break;
		if ((++walk->given_records & (PROGRESS_STEP - 1)) == 0)
			report(walk, record);
		if (!walk->given[record->stream])
			error = give_stream(walk, ops, self, record->stream);
		if (error)
			break;
		error = ops->call(self, record);
		walk->records += !(record->flags & RECORDER_IN_FLIGHT);
	}
	return error;
}

static struct reader_cursor *open_cursor(const struct walk *walk,
					 const struct reader_filter *filter)
{
	struct reader_cursor *cursor = reader_cursor_new(walk->trace, filter);

	if (!cursor) {
		bool usage = errno == EINVAL;

		message_error("%s", reader_error(walk->trace));
		exit(usage ? EXIT_USAGE : EXIT_FAILED);
	}
	return cursor;
}

static void close_cursor(const struct walk *walk, struct reader_cursor *cursor, int error)
{
	if (!error && reader_cursor_status(cursor))
		die("%s", reader_error(walk->trace));
	reader_cursor_free(cursor);
}

static int walk_stream(struct walk *walk, unsigned stream, const struct walk_ops *ops, void *self)
{
	struct reader_filter filter = options.filter;
	struct reader_cursor *cursor;
	char number[16];
	int error;

	snprintf(number, sizeof(number), "%u", stream);
	filter.streams = number;
	cursor = open_cursor(walk, &filter);
	error = walk_calls(walk, cursor, ops, self);
	close_cursor(walk, cursor, error);
	return error;
}

static int walk_batches(struct walk *walk, const struct walk_ops *ops, void *self)
{
	const struct batch *items = walk->batches.items;
	int error = 0;

	for (unsigned i = walk->first_batch; i < walk->end_batch; i++) {
		for (unsigned k = items[i].first; k < items[i].end && !error; k++)
			if (walk->batches.wanted[k])
				error = walk_stream(walk, k, ops, self);
		if (!error && ops->batch)
			error = ops->batch(self);
		if (error)
			break;
	}
	return error;
}

void walk_open(struct walk *walk, const char *dir)
{
	*walk = (struct walk){.trace = trace_open(dir), .info = {.sz = sizeof(walk->info)}};
	reader_info(walk->trace, &walk->info);
	trace_warn_incomplete(walk->trace, &walk->info);
}

void walk_by_stream(struct walk *walk, unsigned count, unsigned number)
{
	if (!walk->by_stream)
		batches_init(&walk->batches, walk->trace);
	walk->by_stream = true;
	batches_share(&walk->batches, count, number, &walk->first_batch, &walk->end_batch);
}

void walk_close(struct walk *walk)
{
	if (walk->by_stream)
		batches_release(&walk->batches);
	reader_close(walk->trace);
}

int walk_run(struct walk *walk, const struct walk_ops *ops, void *self)
{
	/* a filter that is wrong is found before anything is written */
	struct reader_cursor *merged = walk->by_stream ? NULL : open_cursor(walk, &options.filter);
	int error;

	walk->records = walk->given_records = 0;
	walk->given = calloc(walk->info.streams + 1, sizeof(*walk->given));
	error = walk->given ? 0 : -ENOMEM;
	if (!error && ops->begin)
		error = ops->begin(self, walk);
	if (!error)
		error = merged ? walk_calls(walk, merged, ops, self)
			       : walk_batches(walk, ops, self);
	progress_clear();
	if (merged)
		close_cursor(walk, merged, error);
	if (!error)
		error = give_rest(walk, ops, self);
	if (!error)
		error = walk_losses(walk, ops, self);
	if (!error && ops->end)
		error = ops->end(self);
	if (!error && merged)
		trace_warn_nothing(walk->given_records);
	free(walk->given);
	return error;
}
