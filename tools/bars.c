/* SPDX-License-Identifier: MIT */
/* bars.c - see bars.h */
#include "bars.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "chrome.h"
#include "names.h"
#include "options.h"

#define BARS_MAX                                                                                   \
	512u /* threads that a process gets for requests of a kind; more overlap on the last */

/* Where requests of a process stand. */
struct rows {
	int64_t *ends; /* of the last request on each */
	unsigned count;
};

struct bars {
	struct out_events *events;
	struct rows *rows; /* by first stream of the process: requests of MPI, and of I/O */
	unsigned streams;
};

struct bars *bars_new(struct out_events *events)
{
	struct bars *bars = calloc(1, sizeof(*bars));

	if (!bars)
		return NULL;
	bars->events = events;
	bars->streams = events->info.streams;
	bars->rows = calloc(2 * (size_t)bars->streams + 1, sizeof(*bars->rows));
	if (bars->rows)
		return bars;
	free(bars);
	return NULL;
}

void bars_next_file(struct bars *bars)
{
	for (size_t i = 0; i < 2 * (size_t)bars->streams; i++) {
		free(bars->rows[i].ends);
		bars->rows[i] = (struct rows){NULL, 0};
	}
}

void bars_free(struct bars *bars)
{
	if (!bars)
		return;
	bars_next_file(bars);
	free(bars->rows);
	free(bars);
}

/* The row whose last request ended last before one begins: so as few are needed as can be. */
static unsigned choose_row(const struct rows *rows, int64_t begin)
{
	unsigned best = rows->count;

	for (unsigned i = 0; i < rows->count; i++)
		if (rows->ends[i] <= begin &&
		    (best == rows->count || rows->ends[i] > rows->ends[best]))
			best = i;
	return best < BARS_MAX ? best : BARS_MAX - 1;
}

static int add_row(struct bars *bars, struct rows *rows, unsigned stream, uint32_t tid, bool io)
{
	int64_t *ends = realloc(rows->ends, (rows->count + 1) * sizeof(*ends));
	char name[64];

	if (!ends)
		return -ENOMEM;
	rows->ends = ends;
	ends[rows->count++] = INT64_MIN;
	chrome_name_process(bars->events, stream);
	snprintf(name, sizeof(name), "%s %u", io ? "asynchronous I/O" : "requests", rows->count);
	chrome_name_thread(bars->events, names_key('R', tid),
			   lanes_pid(bars->events->lanes, stream), tid, name);
	return 0;
}

/* {"name":"MPI_Irecv","cat":"request","ph":"b","id":"3.0.127.5","pid":7,"tid":4194400,"ts":1.250,"args":{"request":5}} */
static void put_phase(struct bars *bars, const struct operation *operation, const char *phase,
		      uint32_t tid, int64_t at)
{
	struct out_events *events = bars->events;
	const char *name = reader_function_by_id(events->trace, operation->func_id)->name;

	chrome_open(events);
	event_string(events, "\"name\":", name, strlen(name));
	output_text(events->output, operation->io ? ",\"cat\":\"asynchronous I/O\",\"ph\":\""
						  : ",\"cat\":\"request\",\"ph\":\"");
	output_text(events->output, phase);
	event_number(events, "\",\"id\":\"", operation->start.stream);
	event_number(events, ".", operation->start.thread);
	event_number(events, ".", (int64_t)operation->start.sequence);
	event_number(events, ".", operation->number);
	output_char(events->output, '"');
	chrome_place(events, lanes_pid(events->lanes, operation->start.stream), tid, at);
}

int bars_put(void *data, const struct operation *operation)
{
	struct bars *bars = data;
	struct out_events *events = bars->events;
	size_t process = lanes_first_stream(events->lanes, operation->start.stream);
	struct rows *rows = &bars->rows[2 * process + operation->io];
	int64_t begin = operation->start.begin, end = operation->end;
	int64_t until = options.filter.before;
	unsigned row = choose_row(rows, begin);
	uint32_t tid = lanes_behind_all(events->lanes) +
		       (uint32_t)(2 * process + operation->io) * BARS_MAX + row;

	if (!operation->start.shown)
		return 0;
	if (!operation->ended && until && end > until)
		end = until;
	end = end > begin ? end : begin;
	if (row == rows->count && add_row(bars, rows, operation->start.stream, tid, operation->io))
		return -ENOMEM;
	rows->ends[row] = end;
	put_phase(bars, operation, "b", tid, begin);
	event_number(events, ",\"args\":{\"request\":", operation->number);
	output_text(events->output, operation->ended ? "}}" : ",\"completed\":false}}");
	put_phase(bars, operation, "e", tid, end);
	output_char(events->output, '}');
	return events->output->error;
}
