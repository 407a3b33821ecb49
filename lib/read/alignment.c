/* SPDX-License-Identifier: MIT */
/* alignment.c - see alignment.h */
#include "read/alignment.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/streams.h"
#include "read/trace.h"

#define HOPS_MAX 16
#define DRIFT_MAX 50e-6 /* of a clock of quartz */
#define RATE_MAX 1e-6   /* by which its rate changes */

static int by_boot(const void *a, const void *b)
{
	const struct stream *x = *(struct stream *const *)a, *y = *(struct stream *const *)b;
	int order = strcmp(x->boot_id, y->boot_id);

	if (order)
		return order;
	if (x->first_anchor.ticks == 0 || y->first_anchor.ticks == 0)
		return (x->first_anchor.ticks == 0) - (y->first_anchor.ticks == 0);
	if (x->first_anchor.mono != y->first_anchor.mono)
		return x->first_anchor.mono < y->first_anchor.mono ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int64_t subtract(int64_t a, int64_t b)
{
	int64_t difference;

	return __builtin_sub_overflow(a, b, &difference) ? 0 : difference;
}

/* Its ticks are those of the CPU, not ns already. */
static bool stream_has_counter(const struct stream *stream)
{
	return *stream->boot_id &&
	       strcmp(metadata_text(&stream->lm, "clock.kind"), "monotonic") != 0;
}

/* ---- machines and their points ---- */

/* Point `number` of a stream, as an anchor of its machine's line; `real` is its error. False: there is none. */
static bool point_of(const struct stream *stream, unsigned number, struct anchor *point)
{
	char key[48];
	int64_t mono, offset;
	uint64_t error;

	snprintf(key, sizeof(key), "clock.point.%u.mono", number);
	if (!metadata_get(&stream->lm, key))
		return false;
	mono = metadata_i64(&stream->lm, key, 0);
	snprintf(key, sizeof(key), "clock.point.%u.offset", number);
	offset = metadata_i64(&stream->lm, key, 0);
	snprintf(key, sizeof(key), "clock.point.%u.error", number);
	error = metadata_u64(&stream->lm, key, TIMELINE_MAX);
	*point = (struct anchor){
		.ticks = mono > 0 ? (uint64_t)mono : 0,
		.real = error < TIMELINE_MAX ? (int64_t)error : TIMELINE_MAX,
	};
	if (__builtin_add_overflow(mono, offset, &point->mono) || point->mono <= 0)
		point->ticks = 0;
	return true;
}

static int add_points(struct machine *machine, const struct stream *stream)
{
	const char *reference = metadata_text(&stream->lm, "clock.reference");
	struct anchor point;
	int error = 0;

	if (!*reference || !*stream->boot_id ||
	    (machine->reference && strcmp(machine->reference, reference) != 0))
		return 0;
	machine->reference = reference;
	for (unsigned number = 0; !error && point_of(stream, number, &point); number++)
		error = timeline_anchor(&machine->line, &point);
	return error;
}

/* `streams` by boot id, those of each the earliest first. */
static int make_machines(struct reader *trace, struct stream *const *streams)
{
	unsigned count = trace->stream_count;
	struct machine *machine = NULL;
	int error = 0;

	trace->machines = calloc(count + 1u, sizeof(*trace->machines));
	if (!trace->machines)
		return -ENOMEM;
	for (unsigned i = 0; i < count && !error; i++) {
		const struct anchor *anchor = &streams[i]->first_anchor;

		/* A stream without .lm does not say whose clock it has. */
		if (!machine || !*machine->boot_id ||
		    strcmp(machine->boot_id, streams[i]->boot_id) != 0) {
			machine = &trace->machines[trace->machine_count++];
			machine->boot_id = streams[i]->boot_id;
			machine->to_real = subtract(anchor->real, anchor->mono);
		}
		streams[i]->machine = machine;
		streams[i]->sibling = machine->streams;
		machine->streams = streams[i];
		error = add_points(machine, streams[i]);
		if (!error)
			error = readings_add(&machine->readings, &streams[i]->lm);
	}
	return error;
}

/* What machines have read on all their clocks is known to those that have the CPU's counter. */
static int refine_timelines(struct reader *trace)
{
	int error = 0;

	for (unsigned i = 0; i < trace->machine_count; i++)
		readings_sort(&trace->machines[i].readings);
	for (unsigned i = 0; i < trace->stream_count && !error; i++) {
		struct stream *stream = trace->streams[i];

		if (stream_has_counter(stream))
			error = readings_refine(&stream->machine->readings, &stream->timeline);
	}
	return error;
}

/* ---- which leads to which ---- */

static int by_boot_id(const void *key, const void *machine)
{
	return strcmp(key, ((const struct machine *)machine)->boot_id);
}

static const struct machine *root_of(const struct machine *machine)
{
	while (machine->onto)
		machine = machine->onto;
	return machine;
}

static bool has_root(const struct machine *machine)
{
	unsigned hops = 0;

	while (machine->onto && hops++ < HOPS_MAX)
		machine = machine->onto;
	return !machine->onto;
}

static int join_machines(struct reader *trace)
{
	for (unsigned i = 0; i < trace->machine_count; i++) {
		struct machine *machine = &trace->machines[i];
		int error = timeline_finish_points(&machine->line);

		if (error)
			return error;
		if (machine->line.anchor_count == 0)
			continue;
		machine->onto = bsearch(machine->reference, trace->machines, trace->machine_count,
					sizeof(*machine), by_boot_id);
		if (machine->onto == machine)
			machine->onto = NULL;
	}
	for (unsigned i = 0; i < trace->machine_count; i++)
		trace->machines[i].rootless = !has_root(&trace->machines[i]);
	for (unsigned i = 0; i < trace->machine_count; i++)
		if (trace->machines[i].rootless)
			trace->machines[i].onto = NULL;
	for (unsigned i = 0; i < trace->machine_count; i++) {
		const struct machine *onto = trace->machines[i].onto;

		trace->machines[i].line.onto = onto && onto->onto ? &onto->line : NULL;
	}
	return 0;
}

/* ---- the streams ---- */

/* The earliest is zero. */
static void set_offsets(struct reader *trace)
{
	const struct machine *root = NULL;
	int64_t zero = INT64_MAX;

	for (unsigned i = 0; i < trace->stream_count; i++) {
		struct stream *stream = trace->streams[i];
		struct timeline *timeline = &stream->timeline;
		const struct machine *its = root_of(stream->machine);
		int64_t start;

		timeline->onto = stream->machine->onto ? &stream->machine->line : NULL;
		timeline->offset = its->to_real;
		/* a stream that has no record has no times that could be wrong */
		if (stream->stored > 0) {
			trace->unverified_clock |= !timeline->verified || (root && root != its);
			root = its;
		}
		start = timeline_ns(timeline, stream->first_anchor.ticks);
		if (stream->first_anchor.ticks && start < zero)
			zero = start;
	}
	trace->start = zero == INT64_MAX ? 0 : zero;
	for (unsigned i = 0; i < trace->stream_count; i++)
		trace->streams[i]->timeline.offset =
			subtract(trace->streams[i]->timeline.offset, trace->start);
}

int alignment_make(struct reader *trace)
{
	unsigned count = trace->stream_count;
	struct stream **streams = count ? calloc(count, sizeof(*streams)) : NULL;
	int error;

	if (!streams)
		return count ? -ENOMEM : 0;
	memcpy(streams, trace->streams, count * sizeof(*streams));
	qsort(streams, count, sizeof(*streams), by_boot);
	error = make_machines(trace, streams);
	if (!error)
		error = refine_timelines(trace);
	if (!error)
		error = join_machines(trace);
	if (!error)
		set_offsets(trace);
	free(streams);
	return error;
}

void alignment_release(struct reader *trace)
{
	for (unsigned i = 0; i < trace->machine_count; i++) {
		timeline_release(&trace->machines[i].line);
		readings_release(&trace->machines[i].readings);
	}
	free(trace->machines);
}

/* ---- what is known ---- */

/* Bound of the error of one line between two times. */
static double error_of_line(const struct timeline *line, int64_t from, int64_t to)
{
	const struct anchor *first = line->anchors, *last = &first[line->anchor_count - 1];
	double distance = (double)(last->ticks - first->ticks), rate = DRIFT_MAX, outside,
	       error = 0;

	for (const struct anchor *point = first; point <= last; point++)
		if ((double)point->real > error)
			error = (double)point->real;
	if (distance >= TIMELINE_RATE)
		rate = RATE_MAX + ((double)first->real + (double)last->real) / distance;
	outside = (double)first->ticks - (double)from;
	if ((double)to - (double)last->ticks > outside)
		outside = (double)to - (double)last->ticks;
	return outside > 0 ? error + outside * rate : error;
}

struct alignment alignment_of(const struct stream *stream)
{
	const struct timeline *timeline = &stream->timeline;
	int64_t start = timeline_mono(timeline, stream->first_anchor.ticks), from = start;
	int64_t last = timeline_mono(timeline, stream->last_ticks),
		to = last > start ? last : start;
	struct alignment alignment = {.root = root_of(stream->machine)->boot_id};
	double before = (double)to - (double)start, error = 0;

	for (const struct timeline *line = timeline->onto; line; line = line->onto) {
		alignment.points += line->anchor_count;
		error += error_of_line(line, from, to);
		from = timeline_mono(line, from > 0 ? (uint64_t)from : 0);
		to = timeline_mono(line, to > 0 ? (uint64_t)to : 0);
	}
	alignment.offset = subtract(from, start);
	if (before > 0)
		alignment.drift = 1e9 * ((double)to - (double)from - before) / before;
	alignment.error =
		error < (double)TIMELINE_MAX ? (int64_t)error + (error > 0) : TIMELINE_MAX;
	if (stream->trace->unverified_clock)
		alignment.error = -1;
	return alignment;
}

/* ---- clocks of a machine ---- */

/* ns that are left of times where they are stored. */
static int64_t resolution_of(const struct stream *stream)
{
	uint64_t unit = metadata_u64(&stream->lm, "clock.resolution", 1);

	return unit < TIMELINE_MAX / 2 ? (int64_t)unit : TIMELINE_MAX / 2;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

struct machine_clocks machine_clocks(const struct reader *trace, unsigned index)
{
	const struct machine *machine = &trace->machines[index];
	struct machine_clocks clocks = {.readings = &machine->readings};
	int64_t error = 0, inside = 0, outside = 0;

	for (const struct stream *stream = machine->streams; stream; stream = stream->sibling) {
		int64_t own = 0;

		clocks.host = stream->host;
		if (!stream_is_from_inside(stream)) {
			clocks.outside++;
			outside = larger(outside, resolution_of(stream));
			continue;
		}
		inside = larger(inside, resolution_of(stream));
		if (stream_has_counter(stream))
			own = readings_error(&machine->readings, &stream->timeline);
		error = own < 0 || error < 0 ? -1 : larger(error, own);
	}
	/* too large is not known either */
	if (error < 0 || __builtin_add_overflow(error, inside + outside, &clocks.error))
		clocks.error = -1;
	return clocks;
}
