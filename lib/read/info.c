/* SPDX-License-Identifier: MIT */
/* info.c - what the library tells of a trace, its streams and threads. */
#include <errno.h>
#include <string.h>

#include "read/alignment.h"
#include "read/streams.h"
#include "read/thread_table.h"
#include "read/trace.h"

#define CLOCK_ERROR 1000 /* ns: anchors further off their line are interpolated */

const char *reader_version(void)
{
	return "1.0.0";
}

/* Gives the caller as much of a structure as its version of it has. */
static int give(void *to, const void *from, size_t size)
{
	size_t sz;

	memcpy(&sz, to, sizeof(sz));
	if (sz < sizeof(sz))
		return -EINVAL;
	memcpy((char *)to + sizeof(sz), (const char *)from + sizeof(sz),
	       (sz < size ? sz : size) - sizeof(sz));
	return 0;
}

/* What is known to be unreadable by now counts no longer as stored. */
static uint64_t readable(uint64_t stored, uint64_t unreadable)
{
	return stored > unreadable ? stored - unreadable : 0;
}

static uint64_t damaged_records(const struct stream *stream)
{
	uint64_t unreadable = stream->unreadable;

	return unreadable > stream->torn ? unreadable - stream->torn : 0;
}

int reader_info(const struct reader *trace, struct reader_info *info)
{
	struct reader_info all = {
		.dir = trace->dir,
		.run_id = trace->run_id,
		.format_major = trace->format_major,
		.format_minor = trace->format_minor,
		.complete = trace->complete,
		.unverified_clock = trace->unverified_clock,
		.ranks = trace->ranks,
		.worlds = trace->worlds,
		.streams = trace->stream_count,
		.start = trace->start,
		.missing_streams = trace->missing_streams,
	};

	for (unsigned i = 0; i < trace->stream_count; i++) {
		const struct stream *stream = trace->streams[i];
		uint64_t damaged = damaged_records(stream);

		all.running |= stream->state == READER_RUNNING;
		all.records += readable(stream->calls, damaged);
		all.stored += readable(stream->stored, damaged);
		all.summed += stream->summed;
		all.in_flight += stream->in_flight;
		all.lost += stream->lost;
		all.unreadable += stream->unreadable;
		if (stream->last_ticks &&
		    timeline_ns(&stream->timeline, stream->last_ticks) > all.duration)
			all.duration = timeline_ns(&stream->timeline, stream->last_ticks);
	}
	/* the one judgement of whether a trace is: what is damaged may become known while it is read */
	all.complete = all.complete && all.unreadable == 0 && reader_problem_count(trace) == 0;
	return give(info, &all, sizeof(all));
}

static int64_t time_or_unknown(const struct stream *stream, uint64_t ticks, uint64_t unknown)
{
	return ticks == unknown ? INT64_MIN : timeline_ns(&stream->timeline, ticks);
}

int reader_stream(const struct reader *trace, unsigned index, struct reader_stream *stream)
{
	const struct stream *from = stream_at(trace, index);
	struct alignment alignment;
	struct reader_stream all;

	if (!from)
		return -ERANGE;
	alignment = alignment_of(from);
	all = (struct reader_stream){
		.name = from->name,
		.id = from->id,
		.parent = from->parent,
		.world = from->world,
		.rank = from->rank,
		.size = from->size,
		.rank_source = from->rank_source,
		.main = from->main,
		.pid = from->pid,
		.ppid = from->ppid,
		.image = from->image,
		.host = from->host,
		.boot_id = from->boot_id,
		.exe = from->exe,
		.argv = from->argv,
		.cwd = from->cwd,
		.state = from->state,
		.reason = from->reason,
		.exit_status = from->exit_status,
		.records = readable(from->calls, damaged_records(from)),
		.stored = readable(from->stored, damaged_records(from)),
		.in_flight = from->in_flight,
		.lost = from->lost,
		.unreadable = from->unreadable,
		.threads = from->thread_count,
		.chunks = from->chunk_count,
		.bytes = from->bytes,
		.start = from->start,
		.end = from->end,
		.clock_error = alignment.error < 0 ? -1 : alignment.error + CLOCK_ERROR,
		.died = from->state == READER_DIED || strcmp(from->reason, "repaired") == 0,
		.end_known = from->end_known,
		.main_begin = time_or_unknown(from, from->main_begin, 0),
		.main_end = time_or_unknown(from, from->main_end, UINT64_MAX),
		.clock_points = alignment.points,
		.clock_offset = alignment.offset,
		.clock_drift = alignment.drift,
		.clock_reference = alignment.root,
		.node_file = from->newest.rec.part ? from->newest.rec.part->stream->node->name : "",
		.summed = from->summed,
		.outer_pid = from->outer_pid,
		.pid_ns = from->pid_ns,
		.aside = from->aside,
		.beside = from->beside,
		.segments = from->closed_count + 1,
	};
	return give(stream, &all, sizeof(all));
}

int reader_machine(const struct reader *trace, unsigned index, struct reader_machine *machine)
{
	struct machine_clocks clocks;
	struct readings_events events;
	struct reader_machine all;

	if (index >= trace->machine_count)
		return -ERANGE;
	clocks = machine_clocks(trace, index);
	events = readings_events(clocks.readings);
	all = (struct reader_machine){
		.boot_id = trace->machines[index].boot_id,
		.host = clocks.host ? clocks.host : "",
		.outside = clocks.outside,
		.readings = clocks.readings->count,
		.kernel_error = clocks.error,
		.sleeps = events.sleeps,
		.slept = events.slept,
		.steps = events.steps,
		.stepped = events.stepped,
	};
	return give(machine, &all, sizeof(all));
}

unsigned reader_thread_count(const struct reader *trace, unsigned stream)
{
	const struct stream *from = stream_at(trace, stream);

	return from ? from->thread_count : 0;
}

int reader_thread(const struct reader *trace, unsigned stream, unsigned index,
		  struct reader_thread *thread)
{
	const struct def_module *module;
	const struct thread *from;
	struct reader_thread all;

	if (index >= reader_thread_count(trace, stream))
		return -ERANGE;
	from = &trace->streams[stream]->threads[index];
	module = idmap_get(&from->stream->defs.modules, from->start_module);
	all = (struct reader_thread){
		.index = from->index,
		.tid = from->tid,
		.main = (from->flags & THREAD_MAIN) != 0,
		.signal = (from->flags & THREAD_SIGNAL) != 0,
		.name = from->name,
		.records = from->calls,
		.lost = from->lost,
		.start = from->start_ticks ? timeline_ns(&from->stream->timeline, from->start_ticks)
					   : 0,
		.module = module ? module->path.bytes : "",
		.offset = from->start_offset,
	};
	return give(thread, &all, sizeof(all));
}

int reader_thread_of(const struct reader *trace, unsigned stream, uint32_t thread,
		     struct reader_thread *about)
{
	const struct stream *from = stream_at(trace, stream);
	const struct thread *found = from ? stream_find_thread(from, thread) : NULL;
	int number = found ? (int)(found - from->threads) : -ERANGE;
	int error = found ? reader_thread(trace, stream, (unsigned)number, about) : 0;

	return error ? error : number;
}

int reader_loss(const struct reader *trace, unsigned stream, unsigned index, const char **reason,
		uint64_t *count)
{
	const struct stream *from = stream_at(trace, stream);

	if (!from || index >= from->loss_count)
		return -ERANGE;
	*reason = from->losses[index].reason;
	*count = from->losses[index].count;
	return 0;
}

static const struct metadata *metadata_of(const struct reader *trace, unsigned stream)
{
	const struct stream *from = stream_at(trace, stream);

	if (stream == READER_GLOBAL)
		return &trace->gm;
	return from ? &from->lm : NULL;
}

int reader_meta(const struct reader *trace, unsigned stream, const char *key,
		struct reader_value *value)
{
	const struct metadata *metadata = metadata_of(trace, stream);
	const struct reader_value *found = metadata ? metadata_get(metadata, key) : NULL;

	if (!found)
		return -ENOENT;
	*value = *found;
	return 0;
}

const char *reader_meta_key(const struct reader *trace, unsigned stream, unsigned index)
{
	const struct metadata *metadata = metadata_of(trace, stream);

	return metadata && index < metadata->count ? metadata->items[index].key : NULL;
}
