/* SPDX-License-Identifier: MIT */
/* summary_text.c - recorder summary as one screen of text, see summaries.h */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analysis/pattern.h"
#include "analysis/quantities.h"
#include "summaries.h"
#include "summary_lines.h"

#define BAR_WIDTH 30
#define PATH_WIDTH 44
#define RANKS_SHOWN 4u

/* ---- header ---- */

static void put_state(struct output *output, const struct summary *summary)
{
	const struct reader_info *info = &summary->info;
	char records[QUANTITY_ROOM], lost[QUANTITY_ROOM], unreadable[QUANTITY_ROOM];

	summary_line(output, "%-10s %s: %s records, %s lost, %s unreadable", "trace",
		     info->complete  ? "complete"
		     : info->running ? "still being written"
				     : "INCOMPLETE",
		     quantity_count(records, info->records), quantity_count(lost, info->lost),
		     quantity_count(unreadable, info->unreadable));
}

static void put_header(struct output *output, const struct summary *summary)
{
	const struct reader_info *info = &summary->info;
	struct reader_stream stream = {.sz = sizeof(stream)};
	time_t seconds = (time_t)(info->start / 1000000000);
	char text[64] = "at an unknown time", duration[QUANTITY_ROOM];
	const struct analysis_rank *rank = analysis_rank(summary->analysis, 0);
	struct tm tm;

	if (info->start && gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	if (rank && !reader_stream(summary->trace, rank->main_stream, &stream))
		summary_line(output, "%-10s %.*s", "program", 200,
			     *stream.argv ? stream.argv : stream.exe);
	summary_line(output, "%-10s %u rank%s, %u process image%s, %s, %s", "job", info->ranks,
		     info->ranks == 1 ? "" : "s", info->streams, info->streams == 1 ? "" : "s",
		     quantity_time(duration, info->duration), text);
	put_state(output, summary);
	if (info->summed)
		summary_line(output, "%-10s of %" PRIu64 " records sums alone are known (~)",
			     "times", info->summed);
}

/* ---- time ---- */

static void put_share(struct output *output, const char *name, int64_t time, int64_t wall,
		      int64_t elsewhere)
{
	char bar[BAR_WIDTH + 1], value[QUANTITY_ROOM], share[QUANTITY_ROOM], other[QUANTITY_ROOM];
	double part = wall > 0 && time > 0 ? (double)time / (double)wall : 0;
	int filled = (int)(part * BAR_WIDTH + 0.5);

	filled = filled > BAR_WIDTH ? BAR_WIDTH : filled;
	memset(bar, '#', (size_t)filled);
	bar[filled] = '\0';
	summary_line(output, "  %-10s %10s %8s  %10s  %s", name, quantity_time(value, time),
		     quantity_share(share, (double)time, (double)wall),
		     elsewhere ? quantity_time(other, elsewhere) : "-", bar);
}

static void put_split(struct output *output, const struct summary *summary)
{
	int64_t wall = summary_wall(summary);

	summary_title(output, summary, "time by layer (self)  main threads   share   elsewhere");
	put_share(output, "program", summary_program(summary), wall, 0);
	for (unsigned i = 0; i < analysis_layer_count(summary->analysis); i++) {
		const struct analysis_layer *layer = analysis_layer(summary->analysis, i);

		if (layer->sums.calls)
			put_share(output, layer->name, layer->self[ANALYSIS_MAIN], wall,
				  layer->self[ANALYSIS_ELSEWHERE]);
	}
}

/* ---- what happens at the same time ---- */

static void put_overlap_line(struct output *output, const char *what,
			     const struct analysis_overlap *overlap)
{
	int64_t files = summary_on_files(overlap);
	char all[QUANTITY_ROOM], shares[3][QUANTITY_ROOM];

	if (files <= 0)
		return;
	summary_line(
		output,
		"  %-10s %10s   %8s alone, %s while the program computes, %s while it is in MPI",
		what, quantity_time(all, files),
		quantity_share(shares[0], (double)overlap->files_alone, (double)files),
		quantity_share(shares[1], (double)overlap->files_with_program, (double)files),
		quantity_share(shares[2], (double)overlap->files_with_mpi, (double)files));
}

static void put_rhythm(struct output *output, const struct summary *summary, const char *what,
		       enum analysis_direction direction)
{
	const struct analysis_rhythm *rhythm = analysis_rhythm(summary->analysis, direction);
	char bytes[QUANTITY_ROOM], time[QUANTITY_ROOM], period[QUANTITY_ROOM];

	if (rhythm->bursts < 3 || rhythm->bytes < 1000000)
		return;
	summary_line(output, "  %-10s %10u bursts of %s in %s on average, one every %s", what,
		     rhythm->bursts, quantity_bytes(bytes, rhythm->bytes / rhythm->bursts),
		     quantity_time(time, rhythm->time / rhythm->bursts),
		     quantity_time(period, rhythm->period));
}

static void put_overlap(struct output *output, const struct summary *summary)
{
	struct analysis_overlap all = analysis_overlap_total(summary->analysis, ANALYSIS_PLACES);
	struct analysis_overlap own = analysis_overlap_total(summary->analysis, ANALYSIS_MAIN);
	struct analysis_overlap others =
		analysis_overlap_total(summary->analysis, ANALYSIS_ELSEWHERE);

	if (summary_on_files(&all) <= 0)
		return;
	summary_title(output, summary, "time on files, united over threads, of processes");
	put_overlap_line(output, "ranks", &own);
	put_overlap_line(output, "others", &others);
	put_rhythm(output, summary, "reads", ANALYSIS_READS);
	put_rhythm(output, summary, "writes", ANALYSIS_WRITES);
}

/* ---- functions ---- */

static void put_function(struct output *output, const struct summary *summary, unsigned index)
{
	const struct analysis *analysis = summary->analysis;
	const struct analysis_function *function = analysis_function(analysis, index);
	char self[QUANTITY_ROOM], calls[QUANTITY_ROOM], bytes[QUANTITY_ROOM];
	char quantiles[3][QUANTITY_ROOM];
	static const double shares[] = {0.5, 0.95, 0.99};
	int64_t moved = function->sums.bytes_read + function->sums.bytes_written;

	for (unsigned i = 0; i < 3; i++)
		quantity_time(quantiles[i], analysis_function_quantile(analysis, index, shares[i]));
	summary_line(output, "  %-8s %-26s %11s %10s %9s %9s %9s %10s", function->function->layer,
		     function->function->name, quantity_count(calls, function->sums.calls),
		     quantity_time(self, function->sums.self), quantiles[0], quantiles[1],
		     quantiles[2], quantity_bytes(bytes, moved));
}

static void put_functions(struct output *output, const struct summary *summary)
{
	unsigned count = analysis_function_count(summary->analysis);

	summary_title(
		output, summary,
		"functions (by self time)                  calls       self       p50       p95 "
		"      p99      bytes");
	for (unsigned i = 0; i < summary_rows(summary, count); i++)
		put_function(output, summary, i);
	if (summary_rows(summary, count) < count)
		summary_line(output, "  ... %u more, see --top",
			     count - summary_rows(summary, count));
}

/* ---- files ---- */

/* The end of a long path says more than its begin. */
static const char *path_end(char text[PATH_WIDTH + 1], const char *path)
{
	size_t length = strlen(path);

	if (length <= PATH_WIDTH)
		return path;
	snprintf(text, PATH_WIDTH + 1, "...%s", path + length - (PATH_WIDTH - 3));
	return text;
}

static void put_file(struct output *output, const struct analysis_file *file)
{
	const struct analysis_access *access = &file->access;
	char path[PATH_WIDTH + 1], time[QUANTITY_ROOM], read[QUANTITY_ROOM], written[QUANTITY_ROOM];
	char calls[QUANTITY_ROOM], ranks[QUANTITY_ROOM];

	summary_line(output, "  %-44s %7s %9s %10s %9s %9s", path_end(path, file->path),
		     quantity_count(ranks, file->ranks), quantity_count(calls, access->sums.calls),
		     quantity_time(time, access->sums.time),
		     quantity_bytes(read, access->sums.bytes_read),
		     quantity_bytes(written, access->sums.bytes_written));
}

/* What is not shown, in a line. */
static void put_other_files(struct output *output, const char *what, unsigned count,
			    const struct analysis_sums *sums)
{
	char text[64], time[QUANTITY_ROOM], read[QUANTITY_ROOM], written[QUANTITY_ROOM];
	char calls[QUANTITY_ROOM];

	if (count == 0)
		return;
	snprintf(text, sizeof(text), "%u %s", count, what);
	summary_line(output, "  %-44s %7s %9s %10s %9s %9s", text, "",
		     quantity_count(calls, sums->calls), quantity_time(time, sums->time),
		     quantity_bytes(read, sums->bytes_read),
		     quantity_bytes(written, sums->bytes_written));
}

static void add(struct analysis_sums *sums, const struct analysis_file *file)
{
	sums->calls += file->access.sums.calls;
	sums->time += file->access.sums.time;
	sums->bytes_read += file->access.sums.bytes_read;
	sums->bytes_written += file->access.sums.bytes_written;
}

static void put_files(struct output *output, const struct summary *summary)
{
	struct analysis_sums rest = {0}, others = {0};
	unsigned given = 0, rest_count = 0, other_count = 0;

	if (analysis_file_count(summary->analysis) == 0)
		return;
	summary_title(
		output, summary,
		summary->file_classes != 1u << ANALYSIS_DATA
			? "files (by time)                                  ranks     calls       "
			  "time      read   written"
			: "files of data (by time)                          ranks     calls       "
			  "time      read   written");
	for (unsigned i = 0; i < analysis_file_count(summary->analysis); i++) {
		const struct analysis_file *file = analysis_file(summary->analysis, i);

		if (!summary_shows(summary, file)) {
			add(&others, file);
			other_count++;
		} else if (summary->top && given == summary->top) {
			add(&rest, file);
			rest_count++;
		} else {
			put_file(output, file);
			given++;
		}
	}
	put_other_files(output, "more", rest_count, &rest);
	put_other_files(output,
			summary->file_classes == 1u << ANALYSIS_DATA
				? "of software, system, pipes, sockets"
				: "of other classes",
			other_count, &others);
}

/* ---- ranks ---- */

struct spread {
	int64_t sum, least, most;
	unsigned count, at_least, at_most; /* ranks */
};

static void spread_add(struct spread *spread, unsigned rank, int64_t value)
{
	if (spread->count == 0 || value < spread->least) {
		spread->least = value;
		spread->at_least = rank;
	}
	if (spread->count == 0 || value > spread->most) {
		spread->most = value;
		spread->at_most = rank;
	}
	spread->sum += value;
	spread->count++;
}

static void put_spread(struct output *output, const struct summary *summary, const char *name,
		       const struct spread *spread)
{
	const struct analysis *analysis = summary->analysis;
	const struct analysis_rank *at_least = analysis_rank(analysis, spread->at_least);
	const struct analysis_rank *at_most = analysis_rank(analysis, spread->at_most);
	char mean[QUANTITY_ROOM], least[QUANTITY_ROOM], most[QUANTITY_ROOM];
	char of_least[QUANTITY_ROOM], of_most[QUANTITY_ROOM];
	double average = spread->count ? (double)spread->sum / spread->count : 0;

	if (spread->most <= 0)
		return;
	summary_line(output, "  %-10s %10s   %10s (rank %s)   %10s (rank %s)   %.2f", name,
		     quantity_time(mean, (int64_t)average), quantity_time(least, spread->least),
		     quantity_rank(of_least, at_least->world, at_least->rank),
		     quantity_time(most, spread->most),
		     quantity_rank(of_most, at_most->world, at_most->rank),
		     average > 0 ? (double)spread->most / average : 0);
}

static int64_t both(const int64_t times[ANALYSIS_PLACES])
{
	return times[ANALYSIS_MAIN] + times[ANALYSIS_ELSEWHERE];
}

static void put_ranks(struct output *output, const struct summary *summary)
{
	struct spread wall = {0}, storage = {0}, messages = {0};

	for (unsigned i = 0; i < analysis_rank_count(summary->analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(summary->analysis, i);

		if (rank->left_out || rank->beside)
			continue;
		spread_add(&wall, i, analysis_rank_wall(rank));
		spread_add(&storage, i, both(rank->storage));
		spread_add(&messages, i, both(rank->messages));
	}
	if (wall.count < 2)
		return;
	summary_title(output, summary,
		      "ranks            mean        least                    most             "
		      "most/mean");
	put_spread(output, summary, "wall", &wall);
	put_spread(output, summary, "files", &storage);
	put_spread(output, summary, "MPI", &messages);
}

/* ---- sizes and errors ---- */

static void put_size_row(struct output *output, const char *layer, const char *what,
			 const uint64_t counts[ANALYSIS_SIZES])
{
	char line[256], count[QUANTITY_ROOM];
	uint64_t all = 0;
	int length = snprintf(line, sizeof(line), "  %-8s %-8s", layer, what);

	for (unsigned i = 0; i < ANALYSIS_SIZES; i++) {
		all += counts[i];
		length += snprintf(line + length, sizeof(line) - (size_t)length, " %9s",
				   counts[i] ? quantity_count(count, counts[i]) : "-");
		if ((size_t)length >= sizeof(line))
			return;
	}
	if (all)
		summary_line(output, "%s", line);
}

static bool has_sizes(const struct summary *summary)
{
	for (unsigned i = 0; i < analysis_layer_count(summary->analysis); i++) {
		const struct analysis_sizes *sizes = analysis_layer_sizes(summary->analysis, i);

		for (unsigned size = 0; size < ANALYSIS_SIZES; size++)
			if (sizes->reads[size] || sizes->writes[size])
				return true;
	}
	return false;
}

static void put_sizes(struct output *output, const struct summary *summary)
{
	char title[256];
	int length = snprintf(title, sizeof(title), "%-19s", "calls by bytes");

	if (!has_sizes(summary))
		return;
	for (unsigned i = 0; i < ANALYSIS_SIZES; i++)
		length += snprintf(title + length, sizeof(title) - (size_t)length, " %9s",
				   analysis_size_name(i));
	summary_title(output, summary, title);
	for (unsigned i = 0; i < analysis_layer_count(summary->analysis); i++) {
		const struct analysis_layer *layer = analysis_layer(summary->analysis, i);
		const struct analysis_sizes *sizes = analysis_layer_sizes(summary->analysis, i);

		put_size_row(output, layer->name, layer->is_messages ? "received" : "read",
			     sizes->reads);
		put_size_row(output, layer->name, layer->is_messages ? "sent" : "written",
			     sizes->writes);
	}
}

static void put_pattern(struct output *output, const char *what,
			const struct analysis_pattern *pattern)
{
	char shares[5][QUANTITY_ROOM];
	uint64_t placed = pattern->consecutive + pattern->strided + pattern->forward +
			  pattern->backward + pattern->first;
	double all = (double)(placed + pattern->unknown);

	if (placed == 0)
		return;
	summary_line(output,
		     "  %-8s %8s consecutive, %s strided, %s further on, %s back; %s not aligned "
		     "to blocks",
		     what, quantity_share(shares[0], (double)pattern->consecutive, all),
		     quantity_share(shares[1], (double)pattern->strided, all),
		     quantity_share(shares[2], (double)pattern->forward, all),
		     quantity_share(shares[3], (double)pattern->backward, all),
		     quantity_share(shares[4], (double)pattern->unaligned, (double)placed));
}

/* Of all files of data. */
static void put_patterns(struct output *output, const struct summary *summary)
{
	struct analysis_pattern reads = {0}, writes = {0};

	for (unsigned i = 0; i < analysis_file_count(summary->analysis); i++) {
		const struct analysis_file *file = analysis_file(summary->analysis, i);

		if (file->class_ != ANALYSIS_DATA)
			continue;
		pattern_add(&reads, &file->access.read_pattern);
		pattern_add(&writes, &file->access.write_pattern);
	}
	if (reads.first + writes.first == 0)
		return;
	summary_title(output, summary, "where transfers of data begin");
	put_pattern(output, "reads", &reads);
	put_pattern(output, "writes", &writes);
}

static void put_errors(struct output *output, const struct summary *summary)
{
	unsigned count = analysis_error_count(summary->analysis);
	char calls[QUANTITY_ROOM];

	if (count == 0)
		return;
	summary_title(output, summary, "failed calls");
	for (unsigned i = 0; i < summary_rows(summary, count); i++) {
		const struct analysis_error *error = analysis_error(summary->analysis, i);

		summary_line(output, "  %-8s %-26s %11s  %s", error->function->layer,
			     error->function->name, quantity_count(calls, error->calls),
			     error->name);
	}
	if (summary_rows(summary, count) < count)
		summary_line(output, "  ... %u more kinds, see --top",
			     count - summary_rows(summary, count));
}

void summary_text(struct output *output, const struct summary *summary)
{
	put_header(output, summary);
	put_split(output, summary);
	put_overlap(output, summary);
	summary_phases_text(output, summary);
	put_functions(output, summary);
	put_files(output, summary);
	put_ranks(output, summary);
	summary_waits_text(output, summary);
	summary_conflicts_text(output, summary);
	summary_sites_text(output, summary);
	put_sizes(output, summary);
	put_patterns(output, summary);
	put_errors(output, summary);
}
