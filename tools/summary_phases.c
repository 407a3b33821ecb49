/* SPDX-License-Identifier: MIT */
/* summary_phases.c - what each epoch and step did, in all forms of recorder summary, see summaries.h */
#include <inttypes.h>
#include <stdio.h>

#include "analysis/quantities.h"
#include "json.h"
#include "summaries.h"
#include "summary_lines.h"

#define EPOCH (1u << READER_EPOCH)
#define STEP (1u << READER_STEP)
#define NUMBERS_ROOM 48

static int64_t in_mpi(const struct analysis_overlap *overlap)
{
	return overlap->mpi + overlap->files_with_mpi;
}

/* ---- text ---- */

/* "3", "0-7" */
static const char *numbers(char text[NUMBERS_ROOM], int64_t first, int64_t last)
{
	if (first == last)
		snprintf(text, NUMBERS_ROOM, "%" PRId64, first);
	else
		snprintf(text, NUMBERS_ROOM, "%" PRId64 "-%" PRId64, first, last);
	return text;
}

const char *summary_phase_name(char text[SUMMARY_PHASE_ROOM], const struct analysis_phase *phase)
{
	char epoch[NUMBERS_ROOM], step[NUMBERS_ROOM];

	numbers(epoch, phase->epoch, phase->epoch_last);
	numbers(step, phase->step, phase->step_last);
	if (phase->has == (EPOCH | STEP))
		snprintf(text, SUMMARY_PHASE_ROOM, "epoch %s, step %s", epoch, step);
	else
		snprintf(text, SUMMARY_PHASE_ROOM, "%s %s", phase->has & EPOCH ? "epoch" : "step",
			 phase->has & EPOCH ? epoch : step);
	return text;
}

/* Time of the processes that wait for data: that workers beside them do not makes their share no smaller. */
static int64_t loading_processes(const struct analysis *analysis, unsigned index)
{
	int64_t time = 0;

	for (unsigned i = 0; i < analysis_phase_process_count(analysis, index); i++) {
		const struct analysis_phase *process = analysis_phase_process(analysis, index, i);

		if (process->loads)
			time += process->time;
	}
	return time;
}

static void put_phase(struct output *output, const struct analysis *analysis, unsigned index)
{
	const struct analysis_phase *phase = analysis_phase(analysis, index);
	char name[SUMMARY_PHASE_ROOM], wall[QUANTITY_ROOM], read[QUANTITY_ROOM],
		written[QUANTITY_ROOM];
	char shares[4][QUANTITY_ROOM];
	double time = (double)phase->time;

	summary_line(output, "  %-22s %10s %9s %9s %9s %9s %10s %10s",
		     summary_phase_name(name, phase), quantity_time(wall, phase->length),
		     quantity_share(shares[0], (double)summary_on_files(&phase->overlap), time),
		     quantity_share(shares[1], (double)phase->overlap.files_alone, time),
		     quantity_share(shares[2], (double)in_mpi(&phase->overlap), time),
		     quantity_share(shares[3], (double)phase->loading,
				    (double)loading_processes(analysis, index)),
		     quantity_bytes(read, phase->bytes_read),
		     quantity_bytes(written, phase->bytes_written));
}

/* Steps are too many to be shown: how long they were, and which one stands out. */
struct steps {
	unsigned count;
	int64_t wall, loading;
	const struct analysis_phase *longest, *waiting; /* for data */
};

static struct steps steps_of(const struct analysis *analysis)
{
	struct steps steps = {0};

	for (unsigned i = 0; i < analysis_phase_count(analysis); i++) {
		const struct analysis_phase *phase = analysis_phase(analysis, i);

		if (!(phase->has & STEP))
			continue;
		steps.count++;
		steps.wall += phase->length;
		steps.loading += phase->loading;
		if (!steps.longest || phase->length > steps.longest->length)
			steps.longest = phase;
		if (!steps.waiting || phase->loading > steps.waiting->loading)
			steps.waiting = phase;
	}
	return steps;
}

static void put_steps(struct output *output, const struct analysis *analysis)
{
	struct steps steps = steps_of(analysis);
	char mean[QUANTITY_ROOM], most[QUANTITY_ROOM], name[SUMMARY_PHASE_ROOM];

	if (steps.count == 0)
		return;
	summary_line(output, "  %u steps of %s on average, the longest %s (%s)", steps.count,
		     quantity_time(mean, steps.wall / steps.count),
		     quantity_time(most, steps.longest->length),
		     summary_phase_name(name, steps.longest));
	if (steps.loading > 0)
		summary_line(output, "  waiting for data %s a step, at most %s (%s)",
			     quantity_time(mean, steps.loading / steps.count),
			     quantity_time(most, steps.waiting->loading),
			     summary_phase_name(name, steps.waiting));
}

void summary_phases_text(struct output *output, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;
	unsigned epochs = 0, shown = 0;

	if (analysis_phase_count(analysis) == 0)
		return;
	summary_title(
		output, summary,
		"epochs and steps            lasts  on files     alone    in MPI  for data    "
		"   read    written");
	for (unsigned i = 0; i < analysis_phase_count(analysis); i++)
		epochs += !(analysis_phase(analysis, i)->has & STEP);
	for (unsigned i = 0; i < analysis_phase_count(analysis); i++)
		if (!(analysis_phase(analysis, i)->has & STEP) &&
		    shown < summary_rows(summary, epochs)) {
			put_phase(output, analysis, i);
			shown++;
		}
	if (shown < epochs)
		summary_line(output, "  ... %u more, see --top", epochs - shown);
	put_steps(output, analysis);
}

/* ---- JSON ---- */

static void put_numbers(struct json *json, const struct analysis_phase *phase)
{
	if (phase->has & EPOCH) {
		json_put_integer(json, "epoch", phase->epoch);
		json_put_integer(json, "epoch_last", phase->epoch_last);
	}
	if (phase->has & STEP) {
		json_put_integer(json, "step", phase->step);
		json_put_integer(json, "step_last", phase->step_last);
	}
}

/* Who waited longest for data in it. */
static void put_waiting(struct json *json, const struct summary *summary, unsigned index)
{
	const struct analysis_phase *most = NULL;
	struct reader_stream stream = {.sz = sizeof(stream)};

	for (unsigned i = 0; i < analysis_phase_process_count(summary->analysis, index); i++) {
		const struct analysis_phase *process =
			analysis_phase_process(summary->analysis, index, i);

		if (!most || process->loading > most->loading)
			most = process;
	}
	if (!most || most->loading <= 0 || reader_stream(summary->trace, most->stream, &stream))
		return;
	json_begin(json, "most_loading", '{');
	json_put_integer(json, "rank", stream.rank);
	json_put_unsigned(json, "pid", stream.pid);
	json_put_seconds(json, "loading", most->loading);
	json_end(json, '}');
}

void summary_phases_json(struct json *json, const char *key, const struct summary *summary)
{
	json_begin(json, key, '[');
	for (unsigned i = 0; i < analysis_phase_count(summary->analysis); i++) {
		const struct analysis_phase *phase = analysis_phase(summary->analysis, i);

		json_begin(json, NULL, '{');
		put_numbers(json, phase);
		json_put_unsigned(json, "processes", phase->processes);
		json_put_seconds(json, "begin", phase->begin);
		json_put_seconds(json, "end", phase->end);
		json_put_seconds(json, "length", phase->length);
		json_put_seconds(json, "time", phase->time);
		json_put_seconds(json, "files", summary_on_files(&phase->overlap));
		json_put_seconds(json, "files_alone", phase->overlap.files_alone);
		json_put_seconds(json, "mpi", in_mpi(&phase->overlap));
		json_put_seconds(json, "program", phase->overlap.program);
		json_put_seconds(json, "waiting", phase->overlap.waiting);
		json_put_unsigned(json, "loads", phase->loads);
		json_put_seconds(json, "loading", phase->loading);
		json_put_unsigned(json, "calls", phase->calls);
		json_put_unsigned(json, "errors", phase->errors);
		json_put_integer(json, "bytes_read", phase->bytes_read);
		json_put_integer(json, "bytes_written", phase->bytes_written);
		put_waiting(json, summary, i);
		json_end(json, '}');
	}
	json_end(json, ']');
}

/* ---- CSV ---- */

static void csv_number(struct output *output, int there, int64_t number)
{
	if (there)
		output_i64(output, number);
	output_char(output, ',');
}

static void csv_seconds(struct output *output, int64_t time)
{
	output_decimal(output, time, 9);
	output_char(output, ',');
}

/* NULL: of all its processes. */
static void csv_process(struct output *output, const struct summary *summary,
			const struct analysis_phase *process)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	if (!process || reader_stream(summary->trace, process->stream, &stream)) {
		output_text(output, ",,");
		return;
	}
	output_i64(output, stream.rank);
	output_char(output, ',');
	output_u64(output, stream.pid);
	output_char(output, ',');
}

static void csv_row(struct output *output, const struct summary *summary,
		    const struct analysis_phase *phase, const struct analysis_phase *process)
{
	csv_number(output, phase->has & EPOCH, phase->epoch);
	csv_number(output, phase->has & EPOCH, phase->epoch_last);
	csv_number(output, phase->has & STEP, phase->step);
	csv_number(output, phase->has & STEP, phase->step_last);
	csv_process(output, summary, process);
	output_u64(output, phase->processes);
	output_char(output, ',');
	csv_seconds(output, phase->begin);
	csv_seconds(output, phase->end);
	csv_seconds(output, phase->length);
	csv_seconds(output, phase->time);
	csv_seconds(output, summary_on_files(&phase->overlap));
	csv_seconds(output, phase->overlap.files_alone);
	csv_seconds(output, in_mpi(&phase->overlap));
	csv_seconds(output, phase->overlap.program);
	csv_seconds(output, phase->overlap.waiting);
	output_u64(output, phase->loads);
	output_char(output, ',');
	csv_seconds(output, phase->loading);
	output_u64(output, phase->calls);
	output_char(output, ',');
	output_u64(output, phase->errors);
	output_char(output, ',');
	output_i64(output, phase->bytes_read);
	output_char(output, ',');
	output_i64(output, phase->bytes_written);
	output_char(output, '\n');
}

void summary_phases_csv(struct output *output, const struct summary *summary)
{
	const struct analysis *analysis = summary->analysis;

	output_text(output,
		    "epoch,epoch_last,step,step_last,rank,pid,processes,begin,end,length,time,"
		    "files,files_alone,mpi,program,waiting,loads,loading,calls,errors,"
		    "bytes_read,bytes_written\n");
	for (unsigned i = 0; i < analysis_phase_count(analysis); i++) {
		csv_row(output, summary, analysis_phase(analysis, i), NULL);
		for (unsigned k = 0; k < analysis_phase_process_count(analysis, i); k++) {
			const struct analysis_phase *process =
				analysis_phase_process(analysis, i, k);

			csv_row(output, summary, process, process);
		}
	}
}
