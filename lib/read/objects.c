/* SPDX-License-Identifier: MIT */
/* objects.c - files, communicators and modules that records refer to; the bytes a call moved. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <recorder/reader.h>

#include "format/kinds.h"
#include "read/trace.h"

#define AT_FDCWD_VALUE (-100)
#define PATH_ROOM (3 * STRING_MAX)

int reader_file(const struct reader *trace, unsigned stream, uint32_t id, struct reader_file *file)
{
	const struct stream *from = stream_at(trace, stream);
	const struct def_file *def = from && id ? idmap_get(&from->defs.files, id) : NULL;

	if (!def)
		return -ENOENT;
	*file = (struct reader_file){
		.path = def->path.bytes,
		.type = def->type,
		.device = def->device,
		.inode = def->inode,
		.size = def->size,
		.fs_magic = def->fs_magic,
		.block_size = def->block_size,
		.mount = def->mount,
		.striping = def->striping.bytes,
		.striping_size = def->striping.length,
	};
	return 0;
}

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

static const struct recorder_arg *arg_at(const struct recorder_record *record, int8_t index)
{
	if (index == NO_ARG || index >= record->arg_count ||
	    record->args[index].state != RECORDER_ARG_PRESENT)
		return NULL;
	return &record->args[index];
}

/*
 * A relative path begins in the directory of its dirfd, or in the one the process was started
 * in.
 */
static const char *path_begin(const struct stream *stream, const struct recorder_arg *dirfd)
{
	const struct def_file *directory = NULL;

	if (dirfd && dirfd->id)
		directory = idmap_get(&stream->defs.files, dirfd->id);
	if (directory)
		return directory->path.bytes;
	return dirfd && dirfd->i64 != AT_FDCWD_VALUE ? "" : stream->cwd;
}

static int file_by_path(const struct stream *stream, const struct recorder_arg *path,
			const struct recorder_arg *dirfd, struct reader_file *file)
{
	static __thread char joined[PATH_ROOM];
	const char *begin;

	if (path->count == 0)
		return -ENOENT;
	memset(file, 0, sizeof(*file));
	file->path = path->bytes;
	if (path->bytes[0] == '/')
		return 0;
	begin = path_begin(stream, dirfd);
	if (!*begin)
		return 0;
	snprintf(joined, sizeof(joined), "%s/%s", begin, path->bytes);
	file->path = joined;
	return 0;
}

int reader_record_file(const struct reader *trace, const struct recorder_record *record,
		       struct reader_file *file)
{
	const struct stream *stream = stream_at(trace, record->stream);
	const struct recorder_arg *handle, *path, *dirfd, *object;
	const struct function *function;
	struct reader_object def;

	if (!stream || record->func_id >= trace->functions.count)
		return -ENOENT;
	function = trace->functions.items[record->func_id];
	handle = arg_at(record, function->handle_arg);
	if (handle && reader_file(trace, record->stream, handle->id, file) == 0)
		return 0;
	object = arg_at(record, function->object_arg);
	if (object && reader_object(trace, record->stream, object->id, &def) == 0 &&
	    reader_file(trace, record->stream, def.file, file) == 0)
		return 0;
	if (function->result_kind == KIND_hid) {
		if (reader_object(trace, record->stream, record->ret_id, &def) == 0 &&
		    reader_file(trace, record->stream, def.file, file) == 0)
			return 0;
	} else if (record->ret_id &&
		   reader_file(trace, record->stream, record->ret_id, file) == 0) {
		return 0;
	}
	path = arg_at(record, function->path_arg);
	dirfd = arg_at(record, function->dirfd_arg);
	if (path && file_by_path(stream, path, dirfd, file) == 0)
		return 0;
	return dirfd ? reader_file(trace, record->stream, dirfd->id, file) : -ENOENT;
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

static const struct def_comm *find_comm(const struct reader *trace, unsigned stream, uint32_t id)
{
	const struct stream *from = stream_at(trace, stream);

	return from ? idmap_get(&from->defs.comms, id) : NULL;
}

int reader_comm(const struct reader *trace, unsigned stream, uint32_t id, struct reader_comm *comm)
{
	const struct def_comm *def = find_comm(trace, stream, id);

	if (!def)
		return -ENOENT;
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

/* The rank in its world of a group's member, and in which of its ranges that is; -1: there is none. */
static int32_t member(struct bytes ranks, int32_t rank, uint32_t *range_at)
{
	struct def_ranks range;
	int64_t left = rank, world;

	for (*range_at = 0; rank >= 0 && def_ranks_next(&ranks, &range); ++*range_at) {
		if (range.count > 0 && left < range.count) {
			world = range.first + left * range.stride;
			return world >= 0 && world <= INT32_MAX ? (int32_t)world : -1;
		}
		left -= range.count > 0 ? range.count : 0;
	}
	return -1;
}

static struct reader_process process_of(const struct reader *trace, const struct stream *stream,
					const struct def_comm *def, bool remote, int32_t rank)
{
	struct reader_process process = {-1, -1};
	const char *name;
	uint32_t at, world;

	process.rank = member(remote ? def->remote_bytes : def->local_bytes, rank, &at);
	if (process.rank < 0)
		return process;
	world = def_comm_range_world(def, remote ? def->local_count + at : at);
	name = world ? definitions_name(&stream->defs, "world", world) : NULL;
	process.world = !world ? stream->world : name ? trace_world(trace, name) : -1;
	return process.world < 0 ? (struct reader_process){-1, -1} : process;
}

static int32_t own_rank(const struct stream *stream, struct reader_process process)
{
	return process.world == stream->world ? process.rank : -1;
}

struct reader_process reader_comm_process(const struct reader *trace, unsigned stream, uint32_t id,
					  int32_t rank)
{
	const struct def_comm *def = find_comm(trace, stream, id);

	if (!def)
		return (struct reader_process){-1, -1};
	return process_of(trace, trace->streams[stream], def, def->remote_size > 0, rank);
}

int32_t reader_comm_world_rank(const struct reader *trace, unsigned stream, uint32_t id,
			       int32_t rank)
{
	const struct stream *from = stream_at(trace, stream);

	return from ? own_rank(from, reader_comm_process(trace, stream, id, rank)) : -1;
}

int32_t reader_comm_member(const struct reader *trace, unsigned stream, uint32_t id, int32_t rank)
{
	const struct def_comm *def = find_comm(trace, stream, id);
	const struct stream *from = def ? trace->streams[stream] : NULL;

	return def ? own_rank(from, process_of(trace, from, def, false, rank)) : -1;
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

static int64_t traffic_sum(const struct reader_traffic *traffic)
{
	if (traffic->sent < 0)
		return traffic->received;
	return traffic->received < 0 ? traffic->sent : traffic->sent + traffic->received;
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
	if (function->result_kind == KIND_bytes)
		return record->ret >= 0 ? record->ret : -1;
	size = arg_at(record, function->transferred_arg);
	if (size)
		return size->i64;
	if (reader_traffic(trace, record, &traffic) == 0)
		return traffic_sum(&traffic);
	/* fread and its like: elements of a size. */
	size = arg_at(record, function->bytes_arg);
	if (function->result_kind == KIND_count && size && record->ret >= 0 && size->i64 >= 0 &&
	    !__builtin_mul_overflow(record->ret, size->i64, &bytes))
		return bytes;
	return -1;
}
