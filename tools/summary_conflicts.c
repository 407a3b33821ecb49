/* SPDX-License-Identifier: MIT */
/* summary_conflicts.c - which ranks touch the same bytes of files, in all forms of recorder summary, see summaries.h */
#include <inttypes.h>

#include "analysis/quantities.h"
#include "json.h"
#include "summary_lines.h"

#define PATH_WIDTH 40

const char *summary_verdict(const struct analysis_shared_file *file, unsigned model)
{
	if (model == ANALYSIS_MODEL_MPIIO && !file->by_mpi)
		return "-";
	return analysis_verdict_name(file->verdicts[model]);
}

/* ---- text ---- */

/* Files without conflicts are counted alone. */
void summary_conflicts_text(struct output *output, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;
	unsigned count = analysis_shared_file_count(analysis), with = 0, rows = 0;
	char conflicts[QUANTITY_ROOM];

	for (unsigned i = 0; i < count; i++)
		with += analysis_shared_file(analysis, i)->pairs > 0;
	if (with == 0)
		return;
	summary_title(
		output, summary,
		"same bytes by several ranks   pairs of ranks    posix   commit  session   mpi-io");
	for (unsigned i = 0; i < count && rows < summary_rows(summary, with); i++) {
		const struct analysis_shared_file *file = analysis_shared_file(analysis, i);

		if (!file->pairs)
			continue;
		rows++;
		summary_line(output, "  %-*.*s %3s %8s %8s %8s %8s", PATH_WIDTH, PATH_WIDTH,
			     file->path, quantity_count(conflicts, file->pairs),
			     summary_verdict(file, ANALYSIS_MODEL_POSIX),
			     summary_verdict(file, ANALYSIS_MODEL_COMMIT),
			     summary_verdict(file, ANALYSIS_MODEL_SESSION),
			     summary_verdict(file, ANALYSIS_MODEL_MPIIO));
	}
	if (rows < with)
		summary_line(output, "  ... %u more files, see --top", with - rows);
}

/* ---- JSON ---- */

static void put_conflicts(struct json *json, const struct analysis_conflicts *conflicts)
{
	json_put_unsigned(json, "write_write", conflicts->write_write);
	json_put_unsigned(json, "write_read", conflicts->write_read);
	json_put_unsigned(json, "read_write", conflicts->read_write);
	json_put_unsigned(json, "together", conflicts->together);
	json_put_unsigned(json, "uncertain", conflicts->uncertain);
	json_begin(json, "violates", '{');
	for (unsigned model = 0; model < ANALYSIS_MODELS; model++)
		json_put_unsigned(json, analysis_model_name((enum analysis_model)model),
				  conflicts->violates[model]);
	json_end(json, '}');
}

static void put_files(struct json *json, const struct analysis *analysis)
{
	json_begin(json, "files", '[');
	for (unsigned i = 0; i < analysis_shared_file_count(analysis); i++) {
		const struct analysis_shared_file *file = analysis_shared_file(analysis, i);

		json_begin(json, NULL, '{');
		json_put_string(json, "path", file->path);
		json_put_unsigned(json, "ranks", file->ranks);
		json_put_unsigned(json, "pairs", file->pairs);
		json_put_bool(json, "mpi_io", file->by_mpi);
		json_put_unsigned(json, "unknown", file->unknown);
		json_put_bool(json, "exact", file->exact);
		put_conflicts(json, &file->conflicts);
		json_begin(json, "verdicts", '{');
		for (unsigned model = 0; model < ANALYSIS_MODELS; model++)
			json_put_string(json, analysis_model_name((enum analysis_model)model),
					summary_verdict(file, model));
		json_end(json, '}');
		json_end(json, '}');
	}
	json_end(json, ']');
}

void summary_conflicts_json(struct json *json, const char *key, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;

	json_begin(json, key, '{');
	json_put_bool(json, "conditions", analysis_conflicts_unknown(analysis));
	put_files(json, analysis);
	json_begin(json, "pairs", '[');
	for (unsigned i = 0; i < analysis_rank_conflict_count(analysis); i++) {
		const struct analysis_rank_conflict *pair = analysis_rank_conflict(analysis, i);

		json_begin(json, NULL, '{');
		json_put_string(json, "path", pair->path);
		json_put_integer(json, "world", analysis_rank(analysis, pair->one)->world);
		json_put_integer(json, "one", analysis_rank(analysis, pair->one)->rank);
		json_put_integer(json, "other_world", analysis_rank(analysis, pair->other)->world);
		json_put_integer(json, "other", analysis_rank(analysis, pair->other)->rank);
		json_put_integer(json, "begin", pair->begin);
		json_put_integer(json, "end", pair->end);
		put_conflicts(json, &pair->conflicts);
		json_end(json, '}');
	}
	json_end(json, ']');
	json_end(json, '}');
}

/* ---- CSV ---- */

static void put_count(struct output *output, uint64_t count)
{
	output_char(output, ',');
	output_u64(output, count);
}

static void put_number(struct output *output, int64_t number)
{
	output_char(output, ',');
	output_i64(output, number);
}

void summary_conflicts_csv(struct output *output, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;

	output_text(output, "path,world,one,other_world,other,begin,end,write_write,write_read,"
			    "read_write,together,uncertain,posix,commit,session,mpi_io\n");
	for (unsigned i = 0; i < analysis_rank_conflict_count(analysis); i++) {
		const struct analysis_rank_conflict *pair = analysis_rank_conflict(analysis, i);
		const struct analysis_conflicts *conflicts = &pair->conflicts;

		output_csv(output, pair->path);
		put_number(output, analysis_rank(analysis, pair->one)->world);
		put_number(output, analysis_rank(analysis, pair->one)->rank);
		put_number(output, analysis_rank(analysis, pair->other)->world);
		put_number(output, analysis_rank(analysis, pair->other)->rank);
		put_number(output, pair->begin);
		put_number(output, pair->end);
		put_count(output, conflicts->write_write);
		put_count(output, conflicts->write_read);
		put_count(output, conflicts->read_write);
		put_count(output, conflicts->together);
		put_count(output, conflicts->uncertain);
		for (unsigned model = 0; model < ANALYSIS_MODELS; model++)
			put_count(output, conflicts->violates[model]);
		output_char(output, '\n');
	}
}
