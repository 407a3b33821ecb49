/* SPDX-License-Identifier: MIT */
/* report_environment.c - processes and metadata for the page of recorder report, see report_data.h */
#include <stdio.h>

#include "report_data.h"

static const char *state_name(const struct reader_stream *stream)
{
	return stream->state == READER_CLEAN     ? "ended"
	       : stream->state == READER_RUNNING ? "running"
						 : "died";
}

static void put_process(struct json *json, const struct reader_stream *stream,
			const struct analysis_process *process, unsigned number)
{
	json_begin(json, NULL, '[');
	json_put_unsigned(json, NULL, number);
	json_put_integer(json, NULL, process->parent);
	json_put_integer(json, NULL, stream->world);
	json_put_integer(json, NULL, stream->rank);
	json_put_bool(json, NULL, stream->main);
	json_put_unsigned(json, NULL, stream->pid);
	report_text(json, NULL, stream->host);
	report_text(json, NULL, *stream->argv ? stream->argv : stream->exe);
	report_text(json, NULL, state_name(stream));
	report_text(json, NULL, stream->reason);
	json_put_integer(json, NULL, stream->start);
	json_put_integer(json, NULL, stream->end);
	json_put_unsigned(json, NULL, stream->threads);
	json_put_unsigned(json, NULL, stream->records);
	json_put_unsigned(json, NULL, stream->lost + stream->unreadable);
	report_text(json, NULL, process->parent < 0 ? "" : process->executed ? "exec" : "fork");
	json_put_integer(json, NULL, process->storage);
	json_put_integer(json, NULL, process->messages);
	json_put_integer(json, NULL, process->overlap.program);
	json_end(json, ']');
}

/* Own processes of ranks come first, should there be too many. */
static void put_processes(struct json *json, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;
	struct reader_stream stream = {.sz = sizeof(stream)};
	unsigned given = 0;

	report_table(json, "processes",
		     "id parent world rank main pid host program state reason start end threads "
		     "records missing started files mpi computing");
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; given < REPORT_ROWS && i < analysis_process_count(analysis);
		     i++) {
			const struct analysis_process *process = analysis_process(analysis, i);

			if (reader_stream(summary->trace, process->stream, &stream) ||
			    (stream.main != 0) != (pass == 0))
				continue;
			put_process(json, &stream, process, i);
			given++;
		}
	json_end(json, ']');
	json_put_unsigned(json, "rest", summary->info.streams - given);
	json_end(json, '}');
}

static void put_value(struct json *json, const struct reader_value *value)
{
	char text[40];

	switch (value->type) {
	case READER_U64:
		json_put_unsigned(json, NULL, value->u64);
		break;
	case READER_I64:
		json_put_integer(json, NULL, value->i64);
		break;
	case READER_F64:
		snprintf(text, sizeof(text), "%.9g", value->f64);
		report_text(json, NULL, text);
		break;
	default:
		report_text(json, NULL, value->bytes);
	}
}

static void put_metadata(struct json *json, const char *name, const struct reader *trace,
			 unsigned stream)
{
	struct reader_value value;
	const char *key;
	unsigned i;

	report_table(json, name, "key value");
	for (i = 0; i < REPORT_ROWS && (key = reader_meta_key(trace, stream, i)); i++) {
		if (reader_meta(trace, stream, key, &value))
			continue;
		json_begin(json, NULL, '[');
		report_text(json, NULL, key);
		put_value(json, &value);
		json_end(json, ']');
	}
	report_end_table(json);
}

void report_environment(struct json *json, const struct summary *summary)
{
	const struct analysis_rank *rank = analysis_rank(summary->analysis, 0);

	put_processes(json, summary);
	put_metadata(json, "global_metadata", summary->trace, READER_GLOBAL);
	if (rank)
		put_metadata(json, "process_metadata", summary->trace, rank->main_stream);
}
