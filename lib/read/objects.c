/* SPDX-License-Identifier: MIT */
/* objects.c - communicators, modules and other things that records refer to; the bytes a call moved. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <recorder/reader.h>

#include "format/kinds.h"
#include "read/worlds.h"

#define LINUX_MSG_PEEK 2 /* on all machines */

static const struct def_object *object_def(const struct stream *stream, uint32_t id)
{
	return id ? idmap_get(&stream->defs.objects, id) : NULL;
}

int reader_object(const struct reader *trace, unsigned stream, uint32_t id,
		  struct reader_object *object)
{
	const struct stream *from = stream_at(trace, stream);
	const struct def_object *def = from ? object_def(from, id) : NULL;

	if (!def)
		return -ENOENT;
	*object = (struct reader_object){
		.kind = def->kind.bytes,
		.name = def->name.bytes,
		.file = def->file,
	};
	return 0;
}

int reader_source(const struct reader *trace, unsigned stream, unsigned function,
		  struct reader_source *source)
{
	const struct stream *from = stream_at(trace, stream);
	const struct def_source *def = NULL;

	for (uint32_t i = 0; from && !def && i < from->defs.function_count; i++)
		if (from->defs.functions[i] && from->defs.functions[i]->info.id == function)
			def = idmap_get(&from->defs.sources, i);
	if (!def)
		return -ENOENT;
	*source = (struct reader_source){
		.flags = def->flags,
		.line = def->line,
		.stack = def->stack,
		.module = def->module.bytes,
		.path = def->path.bytes,
		.file = def->file.bytes,
		.args = def->args.bytes,
		.locals = def->locals.bytes,
	};
	return 0;
}

static const char *comm_kind_name(uint32_t kind)
{
	static const char *const names[] = {
		"unknown",
		"world",
		"self",
		"dup",
		"split",
		"split_type",
		"create",
		"create_group",
		"cart",
		"graph",
		"dist_graph",
		"sub",
		"intercomm_create",
		"intercomm_merge",
		"spawn",
		"accept",
		"connect",
		"join",
		"parent",
	};

	return names[kind < sizeof(names) / sizeof(names[0]) ? kind : COMM_UNKNOWN];
}

static const struct known_comm *find_comm(const struct reader *trace, unsigned stream, uint32_t id)
{
	const struct stream *from = stream_at(trace, stream);

	return from ? idmap_get(&from->defs.comms, id) : NULL;
}

int reader_comm(const struct reader *trace, unsigned stream, uint32_t id, struct reader_comm *comm)
{
	const struct known_comm *known = find_comm(trace, stream, id);
	const struct def_comm *def;

	if (!known)
		return -ENOENT;
	def = &known->def;
	*comm = (struct reader_comm){
		.identity = def->identity,
		.parent = def->parent,
		.rank = def->rank,
		.size = def->size,
		.remote_size = def->remote_size,
		.kind = comm_kind_name(def->kind),
		.name = def->name.bytes,
		.indegree = def->indegree,
		.outdegree = def->outdegree,
	};
	return 0;
}

static struct reader_process process_of(const struct reader *trace, const struct stream *stream,
					const struct known_comm *comm, bool remote, int32_t rank)
{
	struct reader_process process = {-1, -1};
	const char *name;
	uint32_t at, world;

	process.rank = comm_group_member(remote ? &comm->remote : &comm->local, rank, &at);
	if (process.rank < 0)
		return process;
	world = def_comm_range_world(&comm->def, remote ? comm->def.local_count + at : at);
	name = world ? definitions_name(&stream->defs, "world", world) : NULL;
	process.world = !world ? stream->world : name ? worlds_find(trace, name) : -1;
	return process.world < 0 ? (struct reader_process){-1, -1} : process;
}

static int32_t own_rank(const struct stream *stream, struct reader_process process)
{
	return process.world == stream->world ? process.rank : -1;
}

struct reader_process reader_comm_process(const struct reader *trace, unsigned stream, uint32_t id,
					  int32_t rank)
{
	const struct known_comm *comm = find_comm(trace, stream, id);

	if (!comm)
		return (struct reader_process){-1, -1};
	return process_of(trace, trace->streams[stream], comm, comm->def.remote_size > 0, rank);
}

int32_t reader_comm_world_rank(const struct reader *trace, unsigned stream, uint32_t id,
			       int32_t rank)
{
	const struct stream *from = stream_at(trace, stream);

	return from ? own_rank(from, reader_comm_process(trace, stream, id, rank)) : -1;
}

int32_t reader_comm_member(const struct reader *trace, unsigned stream, uint32_t id, int32_t rank)
{
	const struct known_comm *comm = find_comm(trace, stream, id);
	const struct stream *from = comm ? trace->streams[stream] : NULL;

	return comm ? own_rank(from, process_of(trace, from, comm, false, rank)) : -1;
}

int reader_module(const struct reader *trace, unsigned stream, uint32_t id,
		  struct reader_module *module)
{
	const struct stream *from = stream_at(trace, stream);
	const struct def_module *def = from ? idmap_get(&from->defs.modules, id) : NULL;

	if (!def)
		return -ENOENT;
	*module = (struct reader_module){
		.path = def->path.bytes,
		.start = def->start,
		.end = def->end,
		.offset = def->offset,
		.build_id = def->build_id.bytes,
		.build_id_size = def->build_id.length,
	};
	return 0;
}

static const struct def_stack *find_stack(const struct reader *trace, unsigned stream, uint32_t id)
{
	const struct stream *from = stream_at(trace, stream);

	return from ? idmap_get(&from->defs.stacks, id) : NULL;
}

int reader_stack(const struct reader *trace, unsigned stream, uint32_t id,
		 struct reader_stack *stack)
{
	const struct def_stack *def = find_stack(trace, stream, id);

	if (!def)
		return -ENOENT;
	*stack = (struct reader_stack){.count = def->count, .cut = (def->flags & STACK_CUT) != 0};
	return 0;
}

int reader_frame(const struct reader *trace, unsigned stream, uint32_t id, unsigned index,
		 struct reader_frame *frame)
{
	const struct def_stack *def = find_stack(trace, stream, id);
	struct def_frame from;

	if (!def)
		return -ENOENT;
	if (!def_stack_frame(def, index, &from))
		return -ERANGE;
	*frame = (struct reader_frame){.module = from.module,
				       .offset = from.offset,
				       .interrupted = (from.flags & FRAME_INTERRUPTED) != 0};
	return 0;
}

static int64_t traffic_sum(const struct reader_traffic *traffic)
{
	if (traffic->sent < 0)
		return traffic->received;
	return traffic->received < 0 ? traffic->sent : traffic->sent + traffic->received;
}

/* What is only looked at is still there for the call that takes it. */
static bool only_looks(const struct function *function, const struct recorder_record *record)
{
	const struct recorder_arg *flags = function_arg(record, function->msg_flags_arg);

	return flags && (flags->i64 & LINUX_MSG_PEEK);
}

int64_t reader_bytes(const struct reader *trace, const struct recorder_record *record)
{
	const struct stream *stream = stream_at(trace, record->stream);
	const struct function *function;
	struct reader_traffic traffic;
	const struct recorder_arg *size;
	int64_t bytes;

	if (!stream || record->func_id >= trace->functions.count ||
	    (record->flags & RECORDER_IN_FLIGHT))
		return -1;
	function = trace->functions.items[record->func_id];
	if (function->msg_flags_arg != NO_ARG && only_looks(function, record))
		return -1;
	if (function->result_kind == KIND_bytes)
		return record->ret >= 0 ? record->ret : -1;
	if (function->result_kind == KIND_char)
		return record->ret >= 0 ? 1 : -1;
	size = function_arg(record, function->transferred_arg);
	if (size)
		return size->i64;
	size = function_arg(record, function->sizes_arg);
	if (size)
		return size->sum;
	if (reader_traffic(trace, record, &traffic) == 0)
		return traffic_sum(&traffic);
	/* fread and its like: elements of a size. */
	size = function_arg(record, function->bytes_arg);
	if (function->result_kind == KIND_count && size && record->ret >= 0 && size->i64 >= 0 &&
	    !__builtin_mul_overflow(record->ret, size->i64, &bytes))
		return bytes;
	return -1;
}
