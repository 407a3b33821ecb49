/* SPDX-License-Identifier: MIT */
/* summary_json.c - recorder summary for programs, see summaries.h */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/add.h"
#include "completeness.h"
#include "json.h"
#include "summaries.h"

static void put_sums(struct json *json, const struct analysis_sums *sums)
{
	json_put_unsigned(json, "calls", sums->calls);
	json_put_unsigned(json, "errors", sums->errors);
	json_put_seconds(json, "time", sums->time);
	json_put_seconds(json, "self", sums->self);
	json_put_integer(json, "bytes_read", sums->bytes_read);
	json_put_integer(json, "bytes_written", sums->bytes_written);
}

static void put_counts(struct json *json, const char *key, const uint64_t counts[ANALYSIS_SIZES])
{
	json_begin(json, key, '{');
	for (unsigned i = 0; i < ANALYSIS_SIZES; i++)
		if (counts[i])
			json_put_unsigned(json, analysis_size_name(i), counts[i]);
	json_end(json, '}');
}

static void put_sizes(struct json *json, const struct analysis_sizes *sizes)
{
	put_counts(json, "read_sizes", sizes->reads);
	put_counts(json, "write_sizes", sizes->writes);
}

/* The most frequent ones of those that are told apart. */
static void put_common(struct json *json, const char *key, const struct analysis *analysis,
		       unsigned layer, enum analysis_direction direction)
{
	unsigned count = analysis_layer_size_count(analysis, layer, direction);

	json_begin(json, key, '{');
	json_put_unsigned(json, "different", count);
	json_begin(json, "most", '[');
	for (unsigned i = 0; i < count && i < SUMMARY_COMMON_SIZES; i++) {
		const struct analysis_size *size =
			analysis_layer_size(analysis, layer, direction, i);

		json_begin(json, NULL, '{');
		json_put_integer(json, "size", size->size);
		if (size->last != size->size)
			json_put_integer(json, "last", size->last);
		json_put_unsigned(json, "calls", size->calls);
		json_end(json, '}');
	}
	json_end(json, ']');
	json_end(json, '}');
}

static void put_common_sizes(struct json *json, const struct analysis *analysis, unsigned layer)
{
	json_begin(json, "common_sizes", '{');
	json_put_bool(json, "exact", analysis_layer_sizes_are_exact(analysis, layer));
	put_common(json, "read", analysis, layer, ANALYSIS_READS);
	put_common(json, "written", analysis, layer, ANALYSIS_WRITES);
	json_end(json, '}');
}

static void put_places(struct json *json, const char *key, const int64_t times[ANALYSIS_PLACES])
{
	json_begin(json, key, '{');
	json_put_seconds(json, "main", times[ANALYSIS_MAIN]);
	json_put_seconds(json, "elsewhere", times[ANALYSIS_ELSEWHERE]);
	json_end(json, '}');
}

static void put_layers(struct json *json, const struct analysis *analysis)
{
	json_begin(json, "layers", '[');
	for (unsigned i = 0; i < analysis_layer_count(analysis); i++) {
		const struct analysis_layer *layer = analysis_layer(analysis, i);

		if (!layer->sums.calls)
			continue;
		json_begin(json, NULL, '{');
		json_put_string(json, "layer", layer->name);
		put_sums(json, &layer->sums);
		put_places(json, "self_by_place", layer->self);
		put_sizes(json, analysis_layer_sizes(analysis, i));
		put_common_sizes(json, analysis, i);
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void put_functions(struct json *json, const struct analysis *analysis)
{
	json_begin(json, "functions", '[');
	for (unsigned i = 0; i < analysis_function_count(analysis); i++) {
		const struct analysis_function *function = analysis_function(analysis, i);

		json_begin(json, NULL, '{');
		json_put_string(json, "layer", function->function->layer);
		json_put_string(json, "function", function->function->name);
		json_put_string(json, "operation", analysis_operation_name(function->operation));
		put_sums(json, &function->sums);
		json_put_seconds(json, "least", function->least);
		json_put_seconds(json, "p50", analysis_function_quantile(analysis, i, 0.5));
		json_put_seconds(json, "p95", analysis_function_quantile(analysis, i, 0.95));
		json_put_seconds(json, "p99", analysis_function_quantile(analysis, i, 0.99));
		json_put_seconds(json, "most", function->most);
		json_end(json, '}');
	}
	json_end(json, ']');
}

/* What each instant of processes was. */
static void put_overlap(struct json *json, const char *key, const struct analysis_overlap *overlap)
{
	json_begin(json, key, '{');
	json_put_seconds(json, "files_alone", overlap->files_alone);
	json_put_seconds(json, "files_with_program", overlap->files_with_program);
	json_put_seconds(json, "files_with_mpi", overlap->files_with_mpi);
	json_put_seconds(json, "program", overlap->program);
	json_put_seconds(json, "mpi", overlap->mpi);
	json_put_seconds(json, "waiting", overlap->waiting);
	json_end(json, '}');
}

static void put_overlap_total(struct json *json, const struct analysis *analysis)
{
	struct analysis_overlap own = analysis_overlap_total(analysis, ANALYSIS_MAIN);
	struct analysis_overlap children = analysis_overlap_total(analysis, ANALYSIS_ELSEWHERE);

	json_begin(json, "overlap", '{');
	put_overlap(json, "own", &own);
	put_overlap(json, "children", &children);
	json_end(json, '}');
}

static void put_ranks(struct json *json, const struct analysis *analysis)
{
	json_begin(json, "ranks", '[');
	for (unsigned i = 0; i < analysis_rank_count(analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(analysis, i);

		if (rank->left_out)
			continue;
		json_begin(json, NULL, '{');
		json_put_integer(json, "world", rank->world);
		json_put_integer(json, "rank", rank->rank);
		json_put_unsigned(json, "streams", rank->streams);
		json_put_seconds(json, "wall", analysis_rank_wall(rank));
		put_sums(json, &rank->sums);
		put_places(json, "files", rank->storage);
		put_places(json, "mpi", rank->messages);
		put_places(json, "other", rank->others);
		json_begin(json, "overlap", '{');
		put_overlap(json, "own", analysis_overlap(analysis, i, ANALYSIS_MAIN));
		put_overlap(json, "children", analysis_overlap(analysis, i, ANALYSIS_ELSEWHERE));
		json_end(json, '}');
		json_begin(json, "by_operation", '{');
		for (unsigned k = 0; k < ANALYSIS_OPERATIONS; k++)
			if (rank->by_operation[k])
				json_put_seconds(
					json, analysis_operation_name((enum analysis_operation)k),
					rank->by_operation[k]);
		json_end(json, '}');
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void put_pattern(struct json *json, const char *key, const struct analysis_pattern *pattern)
{
	json_begin(json, key, '{');
	json_put_unsigned(json, "consecutive", pattern->consecutive);
	json_put_unsigned(json, "strided", pattern->strided);
	json_put_unsigned(json, "forward", pattern->forward);
	json_put_unsigned(json, "backward", pattern->backward);
	json_put_unsigned(json, "first", pattern->first);
	json_put_unsigned(json, "unknown", pattern->unknown);
	json_put_unsigned(json, "unaligned", pattern->unaligned);
	json_end(json, '}');
}

static void put_access(struct json *json, const struct analysis_access *access)
{
	put_sums(json, &access->sums);
	json_put_unsigned(json, "opens", access->opens);
	json_put_unsigned(json, "reads", access->reads);
	json_put_unsigned(json, "writes", access->writes);
	json_put_unsigned(json, "seeks", access->seeks);
	json_put_unsigned(json, "syncs", access->syncs);
	json_put_unsigned(json, "asks", access->asks);
	json_put_unsigned(json, "metadata", access->metadata);
	json_put_seconds(json, "read_time", access->read_time);
	json_put_seconds(json, "write_time", access->write_time);
	json_put_seconds(json, "metadata_time", access->metadata_time);
	put_sizes(json, &access->sizes);
	put_pattern(json, "read_pattern", &access->read_pattern);
	put_pattern(json, "write_pattern", &access->write_pattern);
}

static void put_file(struct json *json, const struct analysis *analysis, unsigned index)
{
	const struct analysis_file *file = analysis_file(analysis, index);
	const struct analysis_access *access;
	unsigned layer;

	json_begin(json, NULL, '{');
	json_put_string(json, "path", file->path);
	json_put_string(json, "class", analysis_file_class_name(file->class_));
	json_put_unsigned(json, "ranks", file->ranks);
	json_put_unsigned(json, "moving_ranks", file->moving_ranks);
	json_put_seconds(json, "first", file->first);
	json_put_seconds(json, "last", file->last);
	put_access(json, &file->access);
	json_begin(json, "layers", '[');
	for (unsigned i = 0; (access = analysis_file_layer(analysis, index, i, &layer)); i++) {
		json_begin(json, NULL, '{');
		json_put_string(json, "layer", analysis_layer(analysis, layer)->name);
		put_sums(json, &access->sums);
		json_end(json, '}');
	}
	json_end(json, ']');
	json_end(json, '}');
}

static void put_files(struct json *json, const struct summary *summary)
{
	json_begin(json, "files", '[');
	for (unsigned i = 0; i < analysis_file_count(summary->analysis); i++)
		if (summary_shows(summary, analysis_file(summary->analysis, i)))
			put_file(json, summary->analysis, i);
	json_end(json, ']');
}

/* What is not shown, as one. */
static void put_other_files(struct json *json, const struct summary *summary)
{
	struct analysis_sums sums = {0};
	unsigned count = 0;

	for (unsigned i = 0; i < analysis_file_count(summary->analysis); i++) {
		const struct analysis_file *file = analysis_file(summary->analysis, i);

		if (summary_shows(summary, file))
			continue;
		add_sums(&sums, &file->access.sums);
		count++;
	}
	json_begin(json, "other_files", '{');
	json_put_unsigned(json, "files", count);
	put_sums(json, &sums);
	json_end(json, '}');
}

static void put_process(struct json *json, const struct summary *summary,
			const struct analysis_process *process)
{
	struct reader_stream stream = {.sz = sizeof(stream), .name = "", .exe = "", .argv = ""};

	reader_stream(summary->trace, process->stream, &stream);
	json_begin(json, NULL, '{');
	json_put_string(json, "stream", stream.name);
	json_put_integer(json, "parent", process->parent);
	json_put_unsigned(json, "depth", process->depth);
	json_put_string(json, "started",
			process->parent < 0 ? ""
			: process->executed ? "exec"
					    : "fork");
	json_put_integer(json, "world", stream.world);
	json_put_integer(json, "rank", stream.rank);
	json_put_unsigned(json, "pid", stream.pid);
	json_put_string(json, "program", *stream.argv ? stream.argv : stream.exe);
	json_put_seconds(json, "start", stream.start);
	json_put_seconds(json, "end", stream.end);
	json_put_unsigned(json, "calls", process->calls);
	json_put_unsigned(json, "errors", process->errors);
	json_put_seconds(json, "files", process->storage);
	json_put_seconds(json, "mpi", process->messages);
	json_put_seconds(json, "other", process->others);
	put_overlap(json, "overlap", &process->overlap);
	json_end(json, '}');
}

/* `parent` is the number of a process in this list, from 0. */
static void put_processes(struct json *json, const struct summary *summary)
{
	json_begin(json, "processes", '[');
	for (unsigned i = 0; i < analysis_process_count(summary->analysis); i++)
		put_process(json, summary, analysis_process(summary->analysis, i));
	json_end(json, ']');
}

static void put_filesystems(struct json *json, const struct analysis *analysis)
{
	json_begin(json, "filesystems", '[');
	for (unsigned i = 0; i < analysis_filesystem_count(analysis); i++) {
		const struct analysis_filesystem *row = analysis_filesystem(analysis, i);

		json_begin(json, NULL, '{');
		json_put_string(json, "directory", row->directory);
		json_put_string(json, "type", row->type);
		json_put_string(json, "source", row->source);
		json_put_integer(json, "calls", row->calls);
		json_put_integer(json, "metadata", row->metadata);
		json_put_integer(json, "bytes_read", row->bytes_read);
		json_put_integer(json, "bytes_written", row->bytes_written);
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void put_rhythm(struct json *json, const char *key, const struct analysis_rhythm *rhythm)
{
	json_begin(json, key, '{');
	json_put_unsigned(json, "bursts", rhythm->bursts);
	json_put_seconds(json, "time", rhythm->time);
	json_put_integer(json, "bytes", rhythm->bytes);
	json_put_seconds(json, "period", rhythm->period);
	json_put_seconds(json, "files", rhythm->files);
	json_put_seconds(json, "files_alone", rhythm->files_alone);
	json_end(json, '}');
}

static void put_bursts(struct json *json, const struct analysis *analysis)
{
	json_begin(json, "rhythms", '{');
	put_rhythm(json, "reads", analysis_rhythm(analysis, ANALYSIS_READS));
	put_rhythm(json, "writes", analysis_rhythm(analysis, ANALYSIS_WRITES));
	json_end(json, '}');
	json_begin(json, "bursts", '[');
	for (unsigned i = 0; i < analysis_burst_count(analysis); i++) {
		const struct analysis_burst *burst = analysis_burst(analysis, i);

		json_begin(json, NULL, '{');
		json_put_string(json, "direction",
				burst->direction == ANALYSIS_READS ? "reads" : "writes");
		json_put_seconds(json, "begin", burst->begin);
		json_put_seconds(json, "end", burst->end);
		json_put_integer(json, "bytes", burst->bytes);
		json_put_seconds(json, "files", burst->files);
		json_put_seconds(json, "files_alone", burst->files_alone);
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void put_errors(struct json *json, const struct analysis *analysis)
{
	json_begin(json, "errors", '[');
	for (unsigned i = 0; i < analysis_error_count(analysis); i++) {
		const struct analysis_error *error = analysis_error(analysis, i);

		json_begin(json, NULL, '{');
		json_put_string(json, "layer", error->function->layer);
		json_put_string(json, "function", error->function->name);
		json_put_integer(json, "errno", error->err);
		json_put_string(json, "error", error->name);
		json_put_unsigned(json, "calls", error->calls);
		json_put_seconds(json, "time", error->time);
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void put_comms(struct json *json, const struct analysis *analysis)
{
	char identity[24];

	json_begin(json, "communicators", '[');
	for (unsigned i = 0; i < analysis_comm_count(analysis); i++) {
		const struct analysis_comm *comm = analysis_comm(analysis, i);

		snprintf(identity, sizeof(identity), "%016" PRIx64, comm->identity);
		json_begin(json, NULL, '{');
		json_put_string(json, "identity", identity);
		json_put_string(json, "name", comm->name);
		json_put_integer(json, "size", comm->size);
		json_put_unsigned(json, "calls", comm->sums.calls);
		json_put_seconds(json, "time", comm->sums.time);
		json_put_seconds(json, "collective_time", comm->collective);
		json_put_integer(json, "sent", comm->sums.bytes_written);
		json_put_integer(json, "received", comm->sums.bytes_read);
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void put_rank(struct json *json, const char *key, const char *world_key,
		     const struct analysis_rank *rank)
{
	json_put_integer(json, world_key, rank->world);
	json_put_integer(json, key, rank->rank);
}

static void put_messages(struct json *json, const struct analysis *analysis)
{
	json_begin(json, "messages", '[');
	for (unsigned i = 0; i < analysis_message_count(analysis); i++) {
		const struct analysis_message *message = analysis_message(analysis, i);

		json_begin(json, NULL, '{');
		put_rank(json, "from", "from_world", analysis_rank(analysis, message->from));
		put_rank(json, "to", "to_world", analysis_rank(analysis, message->to));
		json_put_unsigned(json, "calls", message->calls);
		json_put_integer(json, "bytes", message->bytes);
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void put_trace(struct json *json, const struct summary *summary)
{
	const struct reader_info *info = &summary->info;

	json_put_string(json, "dir", info->dir);
	json_put_bool(json, "complete", info->complete);
	json_put_bool(json, "running", info->running);
	json_put_unsigned(json, "ranks_present", info->ranks);
	json_put_unsigned(json, "streams", info->streams);
	json_put_unsigned(json, "records", info->records);
	json_put_unsigned(json, "in_flight", info->in_flight);
	json_put_unsigned(json, "lost", info->lost);
	json_put_unsigned(json, "unreadable", info->unreadable);
	json_put_unsigned(json, "summed", info->summed);
	completeness_json(json, summary->trace);
	json_put_seconds(json, "start", info->start);
	json_put_seconds(json, "duration", info->duration);
	json_put_seconds(json, "wall", summary_wall(summary));
	json_put_seconds(json, "program", summary_program(summary));
}

void summary_json(struct output *output, const struct summary *summary)
{
	struct json json = {.output = output};

	json_begin(&json, NULL, '{');
	put_trace(&json, summary);
	put_layers(&json, summary->analysis);
	put_overlap_total(&json, summary->analysis);
	put_functions(&json, summary->analysis);
	put_ranks(&json, summary->analysis);
	put_files(&json, summary);
	put_other_files(&json, summary);
	put_processes(&json, summary);
	put_filesystems(&json, summary->analysis);
	put_bursts(&json, summary->analysis);
	summary_phases_json(&json, "phases", summary);
	put_comms(&json, summary->analysis);
	put_messages(&json, summary->analysis);
	summary_waits_json(&json, "mpi_waits", summary);
	summary_conflicts_json(&json, "conflicts", summary);
	summary_sites_json(&json, summary);
	put_errors(&json, summary->analysis);
	json_end(&json, '}');
}
