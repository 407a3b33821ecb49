/* SPDX-License-Identifier: MIT */
/* report_ranks.c - ranks beside each other, for the page of recorder report, see report_data.h */
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "message.h"
#include "report_data.h"

/* Of a rank, or sums of several. */
struct columns {
	int64_t wall, files, mpi, other; /* ns; the latter in calls of main threads */
	int64_t bytes_read, bytes_written;
	uint64_t calls, used; /* files of data with calls on them */
};

static void add_columns(struct columns *to, const struct analysis_rank *rank, unsigned used)
{
	add_to(&to->wall, analysis_rank_wall(rank));
	add_to(&to->files, rank->storage[ANALYSIS_MAIN]);
	add_to(&to->mpi, rank->messages[ANALYSIS_MAIN]);
	add_to(&to->other, rank->others[ANALYSIS_MAIN]);
	add_to(&to->bytes_read, rank->sums.bytes_read);
	add_to(&to->bytes_written, rank->sums.bytes_written);
	to->calls += rank->sums.calls;
	to->used += used;
}

/* ---- which ranks have rows ---- */

enum interest { MOST_FILES, MOST_MPI, LEAST_MPI, LONGEST, INTERESTS };

static int64_t weight_of(const struct analysis_rank *rank, enum interest interest)
{
	switch (interest) {
	case MOST_FILES:
		return rank->storage[ANALYSIS_MAIN];
	case MOST_MPI:
		return rank->messages[ANALYSIS_MAIN];
	case LEAST_MPI: /* mostly the one that others wait for */
		return -rank->messages[ANALYSIS_MAIN];
	default:
		return analysis_rank_wall(rank);
	}
}

struct choice {
	const struct analysis *analysis;
	enum interest interest;
	const bool *chosen;
};

static int64_t interesting(const void *data, unsigned number)
{
	const struct choice *choice = data;

	return weight_of(analysis_rank(choice->analysis, number), choice->interest);
}

static int64_t not_chosen(const void *data, unsigned number)
{
	const struct choice *choice = data;

	return choice->chosen[number] ? REPORT_NEVER
				      : analysis_rank(choice->analysis, number)->sums.self;
}

/* Of many ranks those that stand out; what is left of the rows goes to those with most time in calls. To be freed. */
static bool *choose_ranks(const struct analysis *analysis)
{
	unsigned count = analysis_rank_count(analysis), left = REPORT_ROWS;
	bool *marked = report_marks(count);
	struct choice choice = {.analysis = analysis, .chosen = marked};

	for (unsigned interest = 0; interest < INTERESTS; interest++) {
		choice.interest = (enum interest)interest;
		report_mark_largest(marked, count, REPORT_ROWS / INTERESTS, interesting, &choice);
	}
	for (unsigned i = 0; i < count; i++)
		left -= marked[i];
	report_mark_largest(marked, count, left, not_chosen, &choice);
	return marked;
}

/* ---- rows ---- */

const char *report_rank_name(const struct summary *summary, const struct analysis_rank *rank)
{
	struct reader_stream stream = {.sz = sizeof(stream), .exe = ""};
	const char *slash;

	if (!rank->beside)
		return "";
	reader_stream(summary->trace, rank->main_stream, &stream);
	slash = strrchr(stream.exe, '/');
	return slash ? slash + 1 : stream.exe;
}

static void put_rank(struct json *json, const struct summary *summary,
		     const struct analysis_rank *rank, unsigned used)
{
	struct reader_stream stream = {.sz = sizeof(stream), .host = ""};

	reader_stream(summary->trace, rank->main_stream, &stream);
	json_begin(json, NULL, '[');
	json_put_integer(json, NULL, rank->world);
	json_put_integer(json, NULL, rank->rank);
	report_text(json, NULL, report_rank_name(summary, rank));
	report_text(json, NULL, stream.host);
	json_put_unsigned(json, NULL, rank->streams);
	json_put_integer(json, NULL, rank->start);
	json_put_integer(json, NULL, analysis_rank_wall(rank));
	report_sums(json, &rank->sums);
	for (unsigned i = 0; i < ANALYSIS_PLACES; i++) {
		json_put_integer(json, NULL, rank->storage[i]);
		json_put_integer(json, NULL, rank->messages[i]);
		json_put_integer(json, NULL, rank->others[i]);
	}
	json_put_unsigned(json, NULL, used);
	json_end(json, ']');
}

static void put_rows(struct json *json, const struct summary *summary, const unsigned *used)
{
	bool *chosen = choose_ranks(summary->analysis);
	struct analysis_sums rest = {0};
	unsigned left = 0;

	report_table(json, "ranks",
		     "world rank name host streams start wall" REPORT_SUMS
		     " files mpi other files_elsewhere mpi_elsewhere other_elsewhere used");
	for (unsigned i = 0; i < analysis_rank_count(summary->analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(summary->analysis, i);

		if (rank->left_out)
			continue;
		if (chosen[i]) {
			put_rank(json, summary, rank, used[i]);
			continue;
		}
		add_sums(&rest, &rank->sums);
		left++;
	}
	report_rest(json, left, &rest);
	free(chosen);
}

/* ---- means ---- */

/* Of each group the mean of its ranks: where there are too many for a row each. */
static void put_groups(struct json *json, const struct analysis *analysis, const unsigned *used)
{
	unsigned first, end;

	report_table(json, "rank_groups",
		     "wall files mpi other bytes_read bytes_written calls used");
	for (unsigned g = 0; analysis_rank_count(analysis) > REPORT_ROWS &&
			     !analysis_group(analysis, g, &first, &end);
	     g++) {
		struct columns sums = {0};
		unsigned count = end - first;

		for (unsigned i = first; i < end; i++)
			add_columns(&sums, analysis_rank(analysis, i), used[i]);
		json_begin(json, NULL, '[');
		json_put_integer(json, NULL, sums.wall / count);
		json_put_integer(json, NULL, sums.files / count);
		json_put_integer(json, NULL, sums.mpi / count);
		json_put_integer(json, NULL, sums.other / count);
		json_put_integer(json, NULL, sums.bytes_read / count);
		json_put_integer(json, NULL, sums.bytes_written / count);
		json_put_unsigned(json, NULL, sums.calls / count);
		json_put_unsigned(json, NULL, sums.used / count);
		json_end(json, ']');
	}
	report_end_table(json);
}

/* Of all ranks who has most, and the mean. */
static void put_most(struct json *json, const struct summary *summary, const char *use,
		     enum interest interest)
{
	const struct analysis_rank *most = NULL;
	unsigned count = 0;
	int64_t sum = 0;

	for (unsigned i = 0; i < analysis_rank_count(summary->analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(summary->analysis, i);

		if (rank->left_out || rank->beside)
			continue;
		count++;
		add_to(&sum, weight_of(rank, interest));
		if (!most || weight_of(rank, interest) > weight_of(most, interest))
			most = rank;
	}
	if (!most)
		return;
	json_begin(json, NULL, '[');
	report_text(json, NULL, use);
	json_put_unsigned(json, NULL, count);
	json_put_integer(json, NULL, most->world);
	json_put_integer(json, NULL, most->rank);
	json_put_integer(json, NULL, weight_of(most, interest));
	json_put_integer(json, NULL, sum / count);
	json_end(json, ']');
}

/* ---- files ---- */

/* How many files of data each rank has calls on. To be freed. */
static unsigned *count_files(const struct analysis *analysis)
{
	unsigned *used = calloc((size_t)analysis_rank_count(analysis) + 1, sizeof(*used));
	const struct analysis_file_rank *share;

	if (!used)
		die("out of memory");
	for (unsigned i = 0; i < analysis_file_count(analysis); i++)
		if (analysis_file(analysis, i)->class_ == ANALYSIS_DATA)
			for (unsigned k = 0; (share = analysis_file_rank(analysis, i, k)); k++)
				used[share->rank]++;
	return used;
}

void report_ranks(struct json *json, const struct summary *summary)
{
	unsigned *used = count_files(summary->analysis);

	put_rows(json, summary, used);
	put_groups(json, summary->analysis, used);
	report_table(json, "rank_most", "use ranks world rank most mean");
	put_most(json, summary, "files", MOST_FILES);
	put_most(json, summary, "mpi", MOST_MPI);
	report_end_table(json);
	free(used);
}
