/* SPDX-License-Identifier: MIT */
/* summary_csv.c - the tables of recorder summary as CSV (RFC 4180), see summaries.h; times are seconds */
#include <string.h>

#include "summaries.h"

static void put_text(struct output *output, const char *text)
{
	output_csv(output, text);
	output_char(output, ',');
}

static void put_number(struct output *output, int64_t number)
{
	output_i64(output, number);
	output_char(output, ',');
}

static void put_count(struct output *output, uint64_t count)
{
	output_u64(output, count);
	output_char(output, ',');
}

static void put_seconds(struct output *output, int64_t ns)
{
	output_decimal(output, ns, 9);
	output_char(output, ',');
}

/* The comma behind the last field becomes the end of the line. */
static void end_line(struct output *output)
{
	output->next--;
	output_char(output, '\n');
}

#define SUMS_COLUMNS "calls,errors,time,self,bytes_read,bytes_written"

static void put_sums(struct output *output, const struct analysis_sums *sums)
{
	put_count(output, sums->calls);
	put_count(output, sums->errors);
	put_seconds(output, sums->time);
	put_seconds(output, sums->self);
	put_number(output, sums->bytes_read);
	put_number(output, sums->bytes_written);
}

static void csv_layers(struct output *output, const struct summary *summary)
{
	output_text(output, "layer," SUMS_COLUMNS ",self_main,self_elsewhere\n");
	for (unsigned i = 0; i < analysis_layer_count(summary->analysis); i++) {
		const struct analysis_layer *layer = analysis_layer(summary->analysis, i);

		if (!layer->sums.calls)
			continue;
		put_text(output, layer->name);
		put_sums(output, &layer->sums);
		put_seconds(output, layer->self[ANALYSIS_MAIN]);
		put_seconds(output, layer->self[ANALYSIS_ELSEWHERE]);
		end_line(output);
	}
}

static void csv_functions(struct output *output, const struct summary *summary)
{
	output_text(output, "layer,function,operation," SUMS_COLUMNS ",least,p50,p95,p99,most\n");
	for (unsigned i = 0; i < analysis_function_count(summary->analysis); i++) {
		const struct analysis_function *function = analysis_function(summary->analysis, i);

		put_text(output, function->function->layer);
		put_text(output, function->function->name);
		put_text(output, analysis_operation_name(function->operation));
		put_sums(output, &function->sums);
		put_seconds(output, function->least);
		put_seconds(output, analysis_function_quantile(summary->analysis, i, 0.5));
		put_seconds(output, analysis_function_quantile(summary->analysis, i, 0.95));
		put_seconds(output, analysis_function_quantile(summary->analysis, i, 0.99));
		put_seconds(output, function->most);
		end_line(output);
	}
}

static void csv_ranks(struct output *output, const struct summary *summary)
{
	output_text(output, "world,rank,streams,wall," SUMS_COLUMNS
			    ",files_main,files_elsewhere,mpi_main,mpi_elsewhere\n");
	for (unsigned i = 0; i < analysis_rank_count(summary->analysis); i++) {
		const struct analysis_rank *rank = analysis_rank(summary->analysis, i);

		if (rank->left_out)
			continue;
		put_number(output, rank->world);
		put_number(output, rank->rank);
		put_count(output, rank->streams);
		put_seconds(output, analysis_rank_wall(rank));
		put_sums(output, &rank->sums);
		put_seconds(output, rank->storage[ANALYSIS_MAIN]);
		put_seconds(output, rank->storage[ANALYSIS_ELSEWHERE]);
		put_seconds(output, rank->messages[ANALYSIS_MAIN]);
		put_seconds(output, rank->messages[ANALYSIS_ELSEWHERE]);
		end_line(output);
	}
}

static void csv_overlap(struct output *output, const struct summary *summary)
{
	static const char *const places[] = {"own", "children"};

	output_text(output, "world,rank,processes,files_alone,files_with_program,files_with_mpi,"
			    "program,mpi,waiting\n");
	for (unsigned i = 0; i < analysis_rank_count(summary->analysis); i++)
		for (unsigned place = 0; place < ANALYSIS_PLACES; place++) {
			const struct analysis_rank *rank = analysis_rank(summary->analysis, i);
			const struct analysis_overlap *overlap =
				analysis_overlap(summary->analysis, i, (enum analysis_where)place);

			if (rank->left_out)
				continue;
			put_number(output, rank->world);
			put_number(output, rank->rank);
			put_text(output, places[place]);
			put_seconds(output, overlap->files_alone);
			put_seconds(output, overlap->files_with_program);
			put_seconds(output, overlap->files_with_mpi);
			put_seconds(output, overlap->program);
			put_seconds(output, overlap->mpi);
			put_seconds(output, overlap->waiting);
			end_line(output);
		}
}

static void csv_files(struct output *output, const struct summary *summary)
{
	output_text(output, "path,class,ranks,moving_ranks,first,last," SUMS_COLUMNS
			    ",opens,reads,writes,metadata,read_time,write_time,metadata_time\n");
	for (unsigned i = 0; i < analysis_file_count(summary->analysis); i++) {
		const struct analysis_file *file = analysis_file(summary->analysis, i);

		if (!summary_shows(summary, file))
			continue;
		put_text(output, file->path);
		put_text(output, analysis_file_class_name(file->class_));
		put_count(output, file->ranks);
		put_count(output, file->moving_ranks);
		put_seconds(output, file->first);
		put_seconds(output, file->last);
		put_sums(output, &file->access.sums);
		put_count(output, file->access.opens);
		put_count(output, file->access.reads);
		put_count(output, file->access.writes);
		put_count(output, file->access.metadata);
		put_seconds(output, file->access.read_time);
		put_seconds(output, file->access.write_time);
		put_seconds(output, file->access.metadata_time);
		end_line(output);
	}
}

static void csv_filesystems(struct output *output, const struct summary *summary)
{
	output_text(output, "directory,type,source,calls,metadata,bytes_read,bytes_written\n");
	for (unsigned i = 0; i < analysis_filesystem_count(summary->analysis); i++) {
		const struct analysis_filesystem *row = analysis_filesystem(summary->analysis, i);

		put_text(output, row->directory);
		put_text(output, row->type);
		put_text(output, row->source);
		put_number(output, row->calls);
		put_number(output, row->metadata);
		put_number(output, row->bytes_read);
		put_number(output, row->bytes_written);
		end_line(output);
	}
}

static void csv_bursts(struct output *output, const struct summary *summary)
{
	output_text(output, "direction,begin,end,bytes,files,files_alone\n");
	for (unsigned i = 0; i < analysis_burst_count(summary->analysis); i++) {
		const struct analysis_burst *burst = analysis_burst(summary->analysis, i);

		put_text(output, burst->direction == ANALYSIS_READS ? "reads" : "writes");
		put_seconds(output, burst->begin);
		put_seconds(output, burst->end);
		put_number(output, burst->bytes);
		put_seconds(output, burst->files);
		put_seconds(output, burst->files_alone);
		end_line(output);
	}
}

static void csv_sizes(struct output *output, const struct summary *summary)
{
	output_text(output, "layer,least,reads,writes\n");
	for (unsigned i = 0; i < analysis_layer_count(summary->analysis); i++) {
		const struct analysis_sizes *sizes = analysis_layer_sizes(summary->analysis, i);

		for (unsigned k = 0; k < ANALYSIS_SIZES; k++) {
			if (!sizes->reads[k] && !sizes->writes[k])
				continue;
			put_text(output, analysis_layer(summary->analysis, i)->name);
			put_number(output, analysis_size_least(k));
			put_count(output, sizes->reads[k]);
			put_count(output, sizes->writes[k]);
			end_line(output);
		}
	}
}

static void csv_errors(struct output *output, const struct summary *summary)
{
	output_text(output, "layer,function,errno,error,calls,time\n");
	for (unsigned i = 0; i < analysis_error_count(summary->analysis); i++) {
		const struct analysis_error *error = analysis_error(summary->analysis, i);

		put_text(output, error->function->layer);
		put_text(output, error->function->name);
		put_number(output, error->err);
		put_text(output, error->name);
		put_count(output, error->calls);
		put_seconds(output, error->time);
		end_line(output);
	}
}

static const struct table {
	const char *name;
	void (*put)(struct output *output, const struct summary *summary);
} tables[] = {
	{"layers", csv_layers},
	{"functions", csv_functions},
	{"ranks", csv_ranks},
	{"files", csv_files},
	{"sizes", csv_sizes},
	{"errors", csv_errors},
	{"overlap", csv_overlap},
	{"filesystems", csv_filesystems},
	{"phases", summary_phases_csv},
	{"bursts", csv_bursts},
	{"waits", summary_waits_csv},
	{"conflicts", summary_conflicts_csv},
	{"callsites", summary_sites_csv},
};

static const struct table *find_table(const char *name)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!strcmp(tables[i].name, name))
			return &tables[i];
	return NULL;
}

bool summary_is_table(const char *name)
{
	return find_table(name) != NULL;
}

void summary_csv(struct output *output, const struct summary *summary, const char *table)
{
	find_table(table)->put(output, summary);
}
