/* SPDX-License-Identifier: MIT */
/* report_conflicts.c - which ranks touch the same bytes of files, for the page of recorder report, see report_data.h */
#include "report_data.h"

static void put_conflicts(struct json *json, const struct analysis_conflicts *conflicts)
{
	json_put_unsigned(json, NULL, conflicts->write_write);
	json_put_unsigned(json, NULL, conflicts->write_read);
	json_put_unsigned(json, NULL, conflicts->read_write);
	json_put_unsigned(json, NULL, conflicts->together);
	json_put_unsigned(json, NULL, conflicts->uncertain);
}

#define COUNTS " write_write write_read read_write together uncertain"

static void put_files(struct json *json, const struct analysis *analysis)
{
	unsigned count = analysis_shared_file_count(analysis);

	report_table(json, "shared_files",
		     "path ranks pairs mpi_io unknown exact" COUNTS " posix commit session mpi");
	for (unsigned i = 0; i < count && i < REPORT_ROWS; i++) {
		const struct analysis_shared_file *file = analysis_shared_file(analysis, i);

		json_begin(json, NULL, '[');
		report_text(json, NULL, file->path);
		json_put_unsigned(json, NULL, file->ranks);
		json_put_unsigned(json, NULL, file->pairs);
		json_put_unsigned(json, NULL, file->by_mpi != 0);
		json_put_unsigned(json, NULL, file->unknown);
		json_put_unsigned(json, NULL, file->exact != 0);
		put_conflicts(json, &file->conflicts);
		for (unsigned model = 0; model < ANALYSIS_MODELS; model++)
			json_put_unsigned(json, NULL, file->verdicts[model]);
		json_end(json, ']');
	}
	report_end_part(json, count);
}

static void put_pairs(struct json *json, const struct analysis *analysis)
{
	unsigned count = analysis_rank_conflict_count(analysis);

	report_table(json, "conflicts", "path world one other_world other begin end" COUNTS);
	for (unsigned i = 0; i < count && i < REPORT_ROWS; i++) {
		const struct analysis_rank_conflict *pair = analysis_rank_conflict(analysis, i);

		json_begin(json, NULL, '[');
		report_text(json, NULL, pair->path);
		json_put_integer(json, NULL, analysis_rank(analysis, pair->one)->world);
		json_put_integer(json, NULL, analysis_rank(analysis, pair->one)->rank);
		json_put_integer(json, NULL, analysis_rank(analysis, pair->other)->world);
		json_put_integer(json, NULL, analysis_rank(analysis, pair->other)->rank);
		json_put_integer(json, NULL, pair->begin);
		json_put_integer(json, NULL, pair->end);
		put_conflicts(json, &pair->conflicts);
		json_end(json, ']');
	}
	report_end_part(json, count);
}

void report_conflicts(struct json *json, const struct summary *summary)
{
	json_put_bool(json, "conflicts_unknown", analysis_conflicts_unknown(summary->analysis));
	put_files(json, summary->analysis);
	put_pairs(json, summary->analysis);
}
