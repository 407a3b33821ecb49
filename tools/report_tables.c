/* SPDX-License-Identifier: MIT */
/* report_tables.c - the tables of libanalysis for the page of recorder report, see report_data.h */
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/pattern.h"
#include "message.h"
#include "metavalue.h"
#include "report_data.h"

/* Layers and sizes --------------------------------------------------------------------- */

static void put_size_counts(struct json *json, const uint64_t counts[ANALYSIS_SIZES])
{
	json_begin(json, NULL, '[');
	for (unsigned i = 0; i < ANALYSIS_SIZES; i++)
		json_put_unsigned(json, NULL, counts[i]);
	json_end(json, ']');
}

static void put_layers(struct json *json, const struct analysis *analysis)
{
	json_begin(json, "sizes", '[');
	for (unsigned i = 0; i < ANALYSIS_SIZES; i++)
		report_text(json, NULL, analysis_size_name(i));
	json_end(json, ']');
	report_table(json, "layers",
		     "layer use" REPORT_SUMS " main elsewhere read_sizes write_sizes");
	for (unsigned i = 0; i < analysis_layer_count(analysis); i++) {
		const struct analysis_layer *layer = analysis_layer(analysis, i);

		if (!layer->sums.calls)
			continue;
		json_begin(json, NULL, '[');
		report_text(json, NULL, layer->name);
		report_text(json, NULL,
			    layer->is_storage    ? "files"
			    : layer->is_messages ? "mpi"
			    : layer->is_program  ? "program"
						 : "other");
		report_sums(json, &layer->sums);
		json_put_integer(json, NULL, layer->self[ANALYSIS_MAIN]);
		json_put_integer(json, NULL, layer->self[ANALYSIS_ELSEWHERE]);
		put_size_counts(json, analysis_layer_sizes(analysis, i)->reads);
		put_size_counts(json, analysis_layer_sizes(analysis, i)->writes);
		json_end(json, ']');
	}
	report_end_table(json);
}

/* The most frequent ones. */
static void put_common_sizes(struct json *json, const struct analysis *analysis)
{
	report_table(json, "common_sizes", "layer direction size last calls");
	for (unsigned i = 0; i < analysis_layer_count(analysis) * ANALYSIS_DIRECTIONS; i++) {
		unsigned layer = i / ANALYSIS_DIRECTIONS, direction = i % ANALYSIS_DIRECTIONS;
		unsigned count = analysis_layer_size_count(analysis, layer,
							   (enum analysis_direction)direction);

		for (unsigned k = 0; k < count && k < SUMMARY_COMMON_SIZES; k++) {
			const struct analysis_size *size =
				analysis_layer_size(analysis, layer,
						    (enum analysis_direction)direction, k);

			json_begin(json, NULL, '[');
			report_text(json, NULL, analysis_layer(analysis, layer)->name);
			report_text(json, NULL, direction == ANALYSIS_READS ? "read" : "written");
			json_put_integer(json, NULL, size->size);
			json_put_integer(json, NULL, size->last);
			json_put_unsigned(json, NULL, size->calls);
			json_end(json, ']');
		}
	}
	report_end_table(json);
	report_table(json, "different_sizes", "layer exact read written");
	for (unsigned i = 0; i < analysis_layer_count(analysis); i++) {
		json_begin(json, NULL, '[');
		report_text(json, NULL, analysis_layer(analysis, i)->name);
		json_put_unsigned(json, NULL, analysis_layer_sizes_are_exact(analysis, i) != 0);
		json_put_unsigned(json, NULL,
				  analysis_layer_size_count(analysis, i, ANALYSIS_READS));
		json_put_unsigned(json, NULL,
				  analysis_layer_size_count(analysis, i, ANALYSIS_WRITES));
		json_end(json, ']');
	}
	report_end_table(json);
}

/* Functions and errors ------------------------------------------------------------------ */

static void put_functions(struct json *json, const struct analysis *analysis)
{
	unsigned count = analysis_function_count(analysis), i;
	struct analysis_sums rest = {0};

	report_table(json, "functions",
		     "layer function operation" REPORT_SUMS " least p50 p95 p99 most");
	for (i = 0; i < count && i < REPORT_ROWS; i++) {
		const struct analysis_function *function = analysis_function(analysis, i);

		json_begin(json, NULL, '[');
		report_text(json, NULL, function->function->layer);
		report_text(json, NULL, function->function->name);
		report_text(json, NULL, analysis_operation_name(function->operation));
		report_sums(json, &function->sums);
		json_put_integer(json, NULL, function->least);
		json_put_integer(json, NULL, analysis_function_quantile(analysis, i, 0.5));
		json_put_integer(json, NULL, analysis_function_quantile(analysis, i, 0.95));
		json_put_integer(json, NULL, analysis_function_quantile(analysis, i, 0.99));
		json_put_integer(json, NULL, function->most);
		json_end(json, ']');
	}
	for (unsigned k = i; k < count; k++)
		add_sums(&rest, &analysis_function(analysis, k)->sums);
	report_rest(json, count - i, &rest);
}

/* By operation, with all functions. */
static void put_operations(struct json *json, const struct analysis *analysis)
{
	struct analysis_sums sums[ANALYSIS_OPERATIONS] = {0};

	for (unsigned i = 0; i < analysis_function_count(analysis); i++) {
		const struct analysis_function *function = analysis_function(analysis, i);

		add_sums(&sums[function->operation], &function->sums);
	}
	report_table(json, "operations", "operation" REPORT_SUMS);
	for (unsigned i = 0; i < ANALYSIS_OPERATIONS; i++) {
		if (!sums[i].calls)
			continue;
		json_begin(json, NULL, '[');
		report_text(json, NULL, analysis_operation_name((enum analysis_operation)i));
		report_sums(json, &sums[i]);
		json_end(json, ']');
	}
	report_end_table(json);
}

static void put_errors(struct json *json, const struct analysis *analysis)
{
	unsigned count = analysis_error_count(analysis), i;
	struct analysis_sums rest = {0};

	report_table(json, "errors", "layer function error calls time");
	for (i = 0; i < count && i < REPORT_ROWS; i++) {
		const struct analysis_error *error = analysis_error(analysis, i);

		json_begin(json, NULL, '[');
		report_text(json, NULL, error->function->layer);
		report_text(json, NULL, error->function->name);
		report_text(json, NULL, error->name);
		json_put_unsigned(json, NULL, error->calls);
		json_put_integer(json, NULL, error->time);
		json_end(json, ']');
	}
	for (unsigned k = i; k < count; k++) {
		rest.calls += analysis_error(analysis, k)->calls;
		rest.time += analysis_error(analysis, k)->time;
	}
	report_rest(json, count - i, &rest);
}

/* Files --------------------------------------------------------------------------------- */

static void put_file_layers(struct json *json, const struct analysis *analysis, unsigned index)
{
	const struct analysis_access *access;
	unsigned layer;

	json_begin(json, NULL, '[');
	for (unsigned i = 0; (access = analysis_file_layer(analysis, index, i, &layer)); i++) {
		json_begin(json, NULL, '[');
		report_text(json, NULL, analysis_layer(analysis, layer)->name);
		json_put_unsigned(json, NULL, access->sums.calls);
		json_put_integer(json, NULL, access->sums.time);
		json_put_integer(json, NULL, access->sums.bytes_read);
		json_put_integer(json, NULL, access->sums.bytes_written);
		json_end(json, ']');
	}
	json_end(json, ']');
}

static void put_file(struct json *json, const struct analysis *analysis, unsigned index)
{
	const struct analysis_file *file = analysis_file(analysis, index);

	json_begin(json, NULL, '[');
	report_text(json, NULL, file->path);
	report_text(json, NULL, analysis_file_class_name(file->class_));
	json_put_unsigned(json, NULL, file->ranks);
	json_put_unsigned(json, NULL, file->moving_ranks);
	json_put_integer(json, NULL, file->first);
	json_put_integer(json, NULL, file->last);
	report_sums(json, &file->access.sums);
	json_put_unsigned(json, NULL, file->access.opens);
	json_put_unsigned(json, NULL, file->access.reads);
	json_put_unsigned(json, NULL, file->access.writes);
	json_put_unsigned(json, NULL, file->access.metadata);
	json_put_integer(json, NULL, file->access.read_time);
	json_put_integer(json, NULL, file->access.write_time);
	json_put_integer(json, NULL, file->access.metadata_time);
	put_file_layers(json, analysis, index);
	json_end(json, ']');
}

/* Files of data first: rows are for them, and for the others what they leave. */
static void put_files(struct json *json, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;
	unsigned count = analysis_file_count(analysis), given = 0, rest_count = 0;
	struct analysis_sums rest = {0};

	report_table(json, "files",
		     "path class ranks moving_ranks first last" REPORT_SUMS
		     " opens reads writes metadata read_time write_time metadata_time layers");
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < count; i++) {
			const struct analysis_file *file = analysis_file(analysis, i);

			if ((file->class_ == ANALYSIS_DATA) != (pass == 0))
				continue;
			if (given < REPORT_ROWS) {
				put_file(json, analysis, i);
				given++;
			} else {
				add_sums(&rest, &file->access.sums);
				rest_count++;
			}
		}
	report_rest(json, rest_count, &rest);
}

/* By class, with all files. */
static void put_file_classes(struct json *json, const struct analysis *analysis)
{
	struct analysis_sums sums[ANALYSIS_FILE_CLASSES] = {0};
	unsigned counts[ANALYSIS_FILE_CLASSES] = {0};

	for (unsigned i = 0; i < analysis_file_count(analysis); i++) {
		const struct analysis_file *file = analysis_file(analysis, i);

		add_sums(&sums[file->class_], &file->access.sums);
		counts[file->class_]++;
	}
	report_table(json, "file_classes", "class files" REPORT_SUMS);
	for (unsigned i = 0; i < ANALYSIS_FILE_CLASSES; i++) {
		if (!counts[i])
			continue;
		json_begin(json, NULL, '[');
		report_text(json, NULL, analysis_file_class_name((enum analysis_file_class)i));
		json_put_unsigned(json, NULL, counts[i]);
		report_sums(json, &sums[i]);
		json_end(json, ']');
	}
	report_end_table(json);
}

/* Patterns ------------------------------------------------------------------------------ */

static void put_pattern(struct json *json, const char *name, const struct analysis_pattern *pattern)
{
	json_begin(json, NULL, '[');
	report_text(json, NULL, name);
	json_put_unsigned(json, NULL, pattern->consecutive);
	json_put_unsigned(json, NULL, pattern->strided);
	json_put_unsigned(json, NULL, pattern->forward);
	json_put_unsigned(json, NULL, pattern->backward);
	json_put_unsigned(json, NULL, pattern->first);
	json_put_unsigned(json, NULL, pattern->unknown);
	json_put_unsigned(json, NULL, pattern->unaligned);
	json_end(json, ']');
}

/* Of files of data, in the lowest layer that moves bytes of each. */
static void put_patterns(struct json *json, const struct analysis *analysis)
{
	struct analysis_pattern reads = {0}, writes = {0};

	for (unsigned i = 0; i < analysis_file_count(analysis); i++) {
		const struct analysis_file *file = analysis_file(analysis, i);

		if (file->class_ != ANALYSIS_DATA)
			continue;
		pattern_add(&reads, &file->access.read_pattern);
		pattern_add(&writes, &file->access.write_pattern);
	}
	report_table(json, "patterns",
		     "direction consecutive strided forward backward first unknown unaligned");
	put_pattern(json, "reads", &reads);
	put_pattern(json, "writes", &writes);
	report_end_table(json);
}

/* Findings ------------------------------------------------------------------------------ */

static void put_findings(struct json *json, const struct analysis *analysis)
{
	unsigned count = analysis_finding_count(analysis);

	json_put_unsigned(json, "rules", analysis_rule_count());
	report_table(json, "findings", "rule when text advice panel at_stake wall");
	for (unsigned i = 0; i < count && i < REPORT_ROWS; i++) {
		const struct analysis_finding *finding = analysis_finding(analysis, i);

		json_begin(json, NULL, '[');
		report_text(json, NULL, finding->rule->name);
		report_text(json, NULL, finding->rule->when);
		report_text(json, NULL, finding->text);
		report_text(json, NULL, finding->rule->advice);
		report_text(json, NULL, finding->rule->panel);
		json_put_integer(json, NULL, finding->at_stake);
		json_put_integer(json, NULL, finding->wall);
		json_end(json, ']');
	}
	report_end_table(json);
}

void report_tables(struct json *json, const struct summary *summary)
{
	put_findings(json, summary->analysis);
	put_layers(json, summary->analysis);
	put_common_sizes(json, summary->analysis);
	put_functions(json, summary->analysis);
	put_operations(json, summary->analysis);
	put_errors(json, summary->analysis);
	put_files(json, summary);
	put_file_classes(json, summary->analysis);
	put_patterns(json, summary->analysis);
}
