/* SPDX-License-Identifier: MIT */
/* usage_events.c - see usage_events.h */
#include "usage_events.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/forest.h"
#include "analysis/operation.h"
#include "analysis/sumvalues.h"
#include "metavalue.h"
#include "program.h"

#define FINE_MOST                                                                                  \
	480u /* least and most are those of so many parts of the time, if there are fewer bins */
#define KINDS 4u /* of a group, from USAGE_program_reads or USAGE_worker_reads on */
#define NO_NODE UINT32_MAX

enum role { ROLE_NONE, ROLE_READS, ROLE_WRITES, ROLE_BLOCK_READ, ROLE_BLOCK_WRITTEN };

/* One that the kernel has told of. */
struct watched_process {
	uint32_t node; /* NO_NODE: it is none */
	bool worker;
};

struct usage_events {
	struct usage *usage;
	const struct reader *trace;
	uint8_t *roles;                    /* by function id: enum role */
	bool *sums;                        /* the same: its records are sums */
	struct watched_process *processes; /* by stream */
	unsigned streams, fine;            /* parts of the time */
	int64_t duration;
	bool any;
	double **
		bins; /* by node and kind of either group: bytes in each part; NULL: nobody has told of it */
};

/* ---- functions ---- */

static enum role role_of(const struct reader_function_info *info)
{
	if (!strcmp(info->layer, "kernel"))
		switch (operation_of(info->layer, info->name)) {
		case ANALYSIS_READ:
			return ROLE_READS;
		case ANALYSIS_WRITE:
			return ROLE_WRITES;
		default:
			return ROLE_NONE;
		}
	if (strcmp(info->layer, "block") != 0)
		return ROLE_NONE;
	return !strcmp(info->name, "block_read")    ? ROLE_BLOCK_READ
	       : !strcmp(info->name, "block_write") ? ROLE_BLOCK_WRITTEN
						    : ROLE_NONE;
}

static int find_roles(struct usage_events *events)
{
	unsigned count = reader_function_count(events->trace);

	events->roles = calloc((size_t)count + 1, sizeof(*events->roles));
	events->sums = calloc((size_t)count + 1, sizeof(*events->sums));
	if (!events->roles || !events->sums)
		return -ENOMEM;
	for (unsigned id = 0; id < count; id++) {
		const struct reader_function_info *info = reader_function_by_id(events->trace, id);

		events->sums[id] = sum_is(info);
		/* a trace with both has the same bytes in the calls */
		if (!events->sums[id] || sum_is_alone(events->trace, info))
			events->roles[id] = (uint8_t)role_of(info);
		events->any |= events->roles[id] != ROLE_NONE;
	}
	return 0;
}

/* ---- processes ---- */

/* What made it, among what the kernel has told of; NULL: not known. */
static const struct watched_process *parent_of(const struct usage_events *events,
					       const struct forest *forest, unsigned number)
{
	uint32_t above = forest->nodes[number].above;

	return above == FOREST_NOBODY || events->processes[above].node == NO_NODE
		       ? NULL
		       : &events->processes[above];
}

/* Forked of a program, itself or what that has forked, and it executes no other one. */
static bool is_worker(const struct usage_events *events, const struct forest *forest,
		      unsigned number)
{
	struct reader_stream stream = {.sz = sizeof(stream)}, parent = stream;
	const struct watched_process *above = parent_of(events, forest, number);

	if (!above || reader_stream(events->trace, number, &stream))
		return false;
	for (unsigned depth = 0; above && depth < 64; depth++) {
		unsigned from = (unsigned)(above - events->processes);

		if (reader_stream(events->trace, from, &parent))
			return false;
		above = *parent.exe ? NULL : parent_of(events, forest, from);
	}
	if (!*parent.exe || usage_is_shell(program_base(parent.exe)))
		return false;
	return !*stream.exe || !strcmp(stream.exe, parent.exe);
}

/* The node that a stream is of; a new one if there is room. */
static uint32_t node_of(struct usage *usage, const struct reader_stream *stream, unsigned number,
			unsigned room)
{
	unsigned i = 0;

	while (i < usage->node_count && strcmp(usage->nodes[i].host, stream->host) != 0)
		i++;
	if (i == room)
		return NO_NODE;
	if (i == usage->node_count) {
		usage->nodes[usage->node_count++] = (struct usage_node){.stream = number};
		snprintf(usage->nodes[i].host, sizeof(usage->nodes[i].host), "%s", stream->host);
	}
	return i;
}

static int find_processes(struct usage_events *events, unsigned room)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	struct forest forest;
	int error;

	events->processes = calloc((size_t)events->streams + 1, sizeof(*events->processes));
	if (!events->processes)
		return -ENOMEM;
	for (unsigned i = 0; i < events->streams; i++) {
		events->processes[i].node = NO_NODE;
		if (!events->any || reader_stream(events->trace, i, &stream) ||
		    strcmp(meta_text(events->trace, i, "source"), "system") != 0)
			continue;
		events->processes[i].node = node_of(events->usage, &stream, i, room);
	}
	error = forest_build(&forest, events->trace, events->streams);
	for (unsigned i = 0; i < events->streams && !error; i++)
		events->processes[i].worker =
			events->processes[i].node != NO_NODE && is_worker(events, &forest, i);
	forest_release(&forest);
	return error;
}

/* Samples see a process if it lives for long enough; the kernel tells of all. */
static void count_processes(struct usage_events *events)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	for (unsigned i = 0; i < events->streams; i++)
		if (events->processes[i].node != NO_NODE) {
			struct usage_node *node = &events->usage->nodes[events->processes[i].node];

			node->programs = node->workers = 0;
		}
	for (unsigned i = 0; i < events->streams; i++) {
		struct usage_node *node;

		if (events->processes[i].node == NO_NODE ||
		    reader_stream(events->trace, i, &stream))
			continue;
		node = &events->usage->nodes[events->processes[i].node];
		node->workers += events->processes[i].worker;
		node->programs += !events->processes[i].worker && *stream.exe &&
				  !usage_is_shell(program_base(stream.exe));
	}
}

/* ---- records ---- */

int usage_events_begin(struct usage_events **made, struct usage *usage, const struct reader *trace,
		       unsigned room)
{
	struct usage_events *events = calloc(1, sizeof(*events));
	struct reader_info info = {.sz = sizeof(info)};

	*made = events;
	if (!events)
		return -ENOMEM;
	reader_info(trace, &info);
	events->usage = usage;
	events->trace = trace;
	events->streams = info.streams;
	events->duration = info.duration;
	events->fine =
		usage->bins < FINE_MOST ? FINE_MOST / usage->bins * usage->bins : usage->bins;
	if (find_roles(events) || find_processes(events, room))
		return -ENOMEM;
	events->bins = calloc((size_t)usage->node_count * 2 * KINDS + 1, sizeof(double *));
	return events->bins ? 0 : -ENOMEM;
}

void usage_events_free(struct usage_events *events)
{
	if (!events)
		return;
	for (size_t i = 0; events->bins && i < (size_t)events->usage->node_count * 2 * KINDS; i++)
		free(events->bins[i]);
	free(events->bins);
	free(events->processes);
	free(events->roles);
	free(events->sums);
	free(events);
}

bool usage_events_has_any(const struct usage_events *events)
{
	return events->any;
}

static double part_width(const struct usage_events *events)
{
	return (double)events->usage->width * events->usage->bins / events->fine;
}

/* Spread over the parts from one time to another. */
static void spread(const struct usage_events *events, double *bins, int64_t from, int64_t to,
		   double bytes)
{
	double width = part_width(events), begin = (double)(from - events->usage->begin),
	       end = (double)(to > from ? to : from + 1) - (double)events->usage->begin;
	double each = bytes / (end - begin);

	for (unsigned i = begin > 0 ? (unsigned)fmin(begin / width, events->fine) : 0;
	     i < events->fine && i * width < end; i++)
		bins[i] += each * fmax(0, fmin(end, (i + 1) * width) - fmax(begin, i * width));
}

/* Pipes, sockets and terminals are no files that anybody waits for a disk for. */
static bool is_of_file(const struct reader *trace, const struct recorder_record *record)
{
	struct reader_file file;

	return !reader_record_file(trace, record, &file) &&
	       (file.type == S_IFREG || file.type == S_IFBLK);
}

static int64_t bytes_arg(const struct reader *trace, const struct recorder_record *record)
{
	const struct reader_function_info *info = reader_function(trace, record);

	for (unsigned i = 0; i < info->arg_count && i < record->arg_count; i++)
		if (!strcmp(info->args[i].name, "bytes") &&
		    record->args[i].state == RECORDER_ARG_PRESENT)
			return record->args[i].i64;
	return 0;
}

int usage_events_take(struct usage_events *events, const struct recorder_record *record)
{
	enum role role = (enum role)events->roles[record->func_id];
	const struct watched_process *process = &events->processes[record->stream];
	int64_t from = record->tstart, to = record->tend, bytes;
	double **bins;

	if (role == ROLE_NONE || process->node == NO_NODE || record->flags & RECORDER_IN_FLIGHT)
		return 0;
	bins = &events->bins[(process->node * 2 + process->worker) * KINDS + role - ROLE_READS];
	if (!*bins)
		*bins = calloc(events->fine, sizeof(**bins));
	if (!*bins)
		return -ENOMEM;
	if (role < ROLE_BLOCK_READ && !is_of_file(events->trace, record))
		return 0;
	if (events->sums[record->func_id]) {
		struct sum_values sum = sum_values_of(events->trace, record);

		/* an interval may have begun before the trace, and end behind it: the calls did not */
		bytes = sum.bytes;
		from = sum.begin > 0 ? sum.begin : 0;
		to = sum.begin + sum.interval < events->duration ? sum.begin + sum.interval
								 : events->duration;
	} else if (role >= ROLE_BLOCK_READ) {
		bytes = record->err ? 0 : bytes_arg(events->trace, record);
	} else {
		bytes = record->ret;
	}
	if (bytes > 0)
		spread(events, *bins, from, to, (double)bytes);
	return 0;
}

/* ---- the end ---- */

/* Bytes in each part become a rate that is known all the time. */
static int set_value(const struct usage_events *events, struct usage_value *value,
		     const double *parts)
{
	const struct usage *usage = events->usage;
	unsigned of_bin = events->fine / usage->bins;
	double width = part_width(events);

	free(value->bins);
	free(value->known);
	*value = (struct usage_value){.bins = calloc(usage->bins, sizeof(*value->bins)),
				      .known = calloc(usage->bins, sizeof(*value->known)),
				      .least = INFINITY,
				      .time = usage->width * usage->bins};
	if (!value->bins || !value->known)
		return -ENOMEM;
	for (unsigned i = 0; i < events->fine; i++) {
		double is = parts ? parts[i] * 1e9 / width : 0;

		value->least = fmin(value->least, is);
		value->most = fmax(value->most, is);
		value->sum += is * width;
		value->bins[i / of_bin] += is * width;
		value->known[i / of_bin] += width;
	}
	return 0;
}

/* Either kind of calls, or of requests, was told: then what the other has not is nothing. */
static bool was_told(const struct usage_events *events, unsigned node, unsigned kind)
{
	unsigned first = kind < 2 ? 0 : 2;

	for (unsigned group = 0; group < 2; group++)
		for (unsigned i = first; i < first + 2; i++)
			if (events->bins[(node * 2 + group) * KINDS + i])
				return true;
	return false;
}

int usage_events_end(struct usage_events *events)
{
	int error = 0;

	if (events->any)
		count_processes(events);
	for (unsigned node = 0; node < events->usage->node_count; node++)
		for (unsigned i = 0; i < 2 * KINDS && !error; i++) {
			unsigned kind = i % KINDS,
				 first = i < KINDS ? USAGE_program_reads : USAGE_worker_reads;
			struct usage_node *to = &events->usage->nodes[node];

			if (!was_told(events, node, kind))
				continue;
			error = set_value(events, &to->values[first + kind],
					  events->bins[(size_t)node * 2 * KINDS + i]);
			if (kind < 2)
				to->calls_from_kernel = true;
			else
				to->blocks_from_kernel = true;
		}
	return error;
}
