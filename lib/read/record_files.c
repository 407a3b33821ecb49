/* SPDX-License-Identifier: MIT */
/* record_files.c - the files that records work on, by descriptor or by path. */
#include <errno.h>
#include <string.h>

#include <recorder/reader.h>

#include "format/kinds.h"
#include "read/trace.h"

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

/* The last DIRECTORY of a thread, or of all, at a time; NULL: there was none yet. */
static const struct def_directory *directory_at(const struct stream *stream, uint32_t thread,
						int64_t time)
{
	const struct def_directory *directories = stream->defs.directories;
	uint32_t low = 0, high = stream->defs.directory_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct def_directory *def = &directories[middle];

		if (def->thread < thread ||
		    (def->thread == thread && timeline_ns(&stream->timeline, def->ticks) <= time))
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && directories[low - 1].thread == thread ? &directories[low - 1] : NULL;
}

/* The path of a file, "" not known. */
static const char *path_of(const struct stream *stream, uint32_t id)
{
	const struct def_file *file = id ? idmap_get(&stream->defs.files, id) : NULL;

	return file ? file->path.bytes : "";
}

static const char *working_directory(const struct stream *stream,
				     const struct recorder_record *record)
{
	const struct def_directory *of_thread =
		directory_at(stream, record->thread, record->tstart);
	const struct def_directory *of_all = directory_at(stream, DIRECTORY_OF_ALL, record->tstart);

	if (of_thread && of_thread->file)
		return path_of(stream, of_thread->file);
	return of_all ? path_of(stream, of_all->file) : stream->cwd;
}

/*
 * `begin` and `path` without what stands for nothing: "//", "/./" and each ".." at the begin of the path, which goes up from a
 * directory that the kernel named. A ".." behind another name stays: the name may be a link. False: too long.
 */
static bool join(char *joined, const char *begin, const char *path)
{
	size_t length = strlen(begin), part;
	bool goes_up = true;

	if (length + strlen(path) + 2 > PATH_ROOM)
		return false;
	memcpy(joined, begin, length);
	while (length > 0 && joined[length - 1] == '/')
		length--;
	for (path += strspn(path, "/"); *path; path += part, path += strspn(path, "/")) {
		part = strcspn(path, "/");
		if (part == 1 && path[0] == '.')
			continue;
		goes_up = goes_up && part == 2 && path[0] == '.' && path[1] == '.';
		if (goes_up) {
			while (length > 0 && joined[--length] != '/')
				;
			continue;
		}
		joined[length++] = '/';
		memcpy(joined + length, path, part);
		length += part;
	}
	if (length == 0)
		joined[length++] = '/';
	joined[length] = '\0';
	return true;
}

/* Whether an absolute path is for sure what join() would make of it. */
static bool is_straight(const char *path)
{
	for (; *path; path++)
		if (*path == '/' && (path[1] == '/' || path[1] == '.' || path[1] == '\0'))
			return false;
	return true;
}

/* A relative path begins in the directory of its dirfd, or in the working directory. */
static int file_by_path(const struct stream *stream, const struct recorder_record *record,
			const struct recorder_arg *path, const struct recorder_arg *dirfd,
			struct reader_file *file)
{
	static __thread char joined[PATH_ROOM];
	const char *begin = "";

	if (path->count == 0)
		return -ENOENT;
	memset(file, 0, sizeof(*file));
	file->path = path->bytes;
	if (path->bytes[0] == '/') {
		if (is_straight(path->bytes))
			return 0;
	} else {
		begin = dirfd && dirfd->i64 != AT_FDCWD_VALUE ? path_of(stream, dirfd->id)
							      : working_directory(stream, record);
		if (begin[0] != '/')
			return 0;
	}
	if (join(joined, begin, path->bytes))
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
	handle = function_arg(record, function->handle_arg);
	if (handle && reader_file(trace, record->stream, handle->id, file) == 0)
		return 0;
	object = function_arg(record, function->object_arg);
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
	path = function_arg(record, function->path_arg);
	dirfd = function_arg(record, function->dirfd_arg);
	if (path && file_by_path(stream, record, path, dirfd, file) == 0)
		return 0;
	return dirfd ? reader_file(trace, record->stream, dirfd->id, file) : -ENOENT;
}

int reader_arg_file(const struct reader *trace, const struct recorder_record *record, unsigned arg,
		    struct reader_file *file)
{
	const struct stream *stream = stream_at(trace, record->stream);
	const int16_t *kinds;
	bool in_directory;

	if (!stream || record->func_id >= trace->functions.count || arg >= record->arg_count ||
	    record->args[arg].state != RECORDER_ARG_PRESENT)
		return -ENOENT;
	kinds = ((const struct function *)trace->functions.items[record->func_id])->kinds;
	if (kind_has_file(kinds[arg]))
		return reader_file(trace, record->stream, record->args[arg].id, file);
	if (kinds[arg] != KIND_path)
		return -ENOENT;
	in_directory = arg > 0 && kinds[arg - 1] == KIND_dirfd;
	return file_by_path(stream, record, &record->args[arg],
			    in_directory ? &record->args[arg - 1] : NULL, file);
}
