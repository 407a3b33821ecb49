/* SPDX-License-Identifier: MIT */
/* listing.c - see listing.h */
#include "read/listing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/trace_names.h"
#include "read/nodefile.h"
#include "read/packed.h"
#include "read/segments.h"
#include "read/streams.h"

static struct stream *add_stream(struct reader *trace, const char *name, size_t length)
{
	struct stream *stream, **streams;

	if (trace->stream_count == trace->stream_capacity) {
		unsigned capacity = trace->stream_capacity ? trace->stream_capacity * 2 : 16;

		streams = realloc(trace->streams, capacity * sizeof(*streams));
		if (!streams)
			return NULL;
		trace->streams = streams;
		trace->stream_capacity = capacity;
	}
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return NULL;
	trace->streams[trace->stream_count++] = stream;
	stream->trace = trace;
	stream->name = stream->newest.name = pool_copy(&trace->pool, name, length);
	return stream->name ? stream : NULL;
}

/* One stream for each file for now; the two of a stream are brought together when all are known. */
static int add_file(struct reader *trace, const char *name)
{
	size_t lm = name_stream_length(name, ".lm"), rec = name_stream_length(name, ".rec");
	struct stream *stream;
	const char *copy;

	if (strcmp(name, GLOBAL_NAME) == 0)
		trace->has_gm = true;
	if (lm == 0 && rec == 0) {
		if (name_ends_in(name, ".lm") || name_ends_in(name, ".rec"))
			problem(trace, "%s/%s: is skipped: not a name of a stream", trace->dir,
				name);
		return 0;
	}
	stream = add_stream(trace, name, lm ? lm : rec);
	copy = stream ? pool_copy(&trace->pool, name, strlen(name)) : NULL;
	if (!copy)
		return -ENOMEM;
	if (lm)
		stream->newest.lm_name = copy;
	else
		stream->newest.rec_name = copy;
	return 0;
}

uint64_t listing_size(const struct reader *trace, const char *name)
{
	struct stat status;

	if (trace->files.packed)
		return packed_file_size(trace->files.packed,
					packed_find(trace->files.packed, name));
	if (name && nodes_find(&trace->nodes, name))
		return nodes_find(&trace->nodes, name)->size;
	if (!name || fstatat(trace->dir_fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
		return 0;
	return (uint64_t)status.st_size;
}

static int by_name(const void *a, const void *b)
{
	const struct stream *x = *(struct stream *const *)a, *y = *(struct stream *const *)b;

	return strcmp(x->name, y->name);
}

static void pair_files(struct reader *trace)
{
	unsigned kept = 0;

	if (trace->stream_count == 0)
		return;
	qsort(trace->streams, trace->stream_count, sizeof(*trace->streams), by_name);
	for (unsigned i = 1; i < trace->stream_count; i++) {
		struct stream *stream = trace->streams[i], *last = trace->streams[kept];

		if (strcmp(stream->name, last->name) != 0) {
			trace->streams[++kept] = stream;
			continue;
		}
		if (stream->newest.lm_name)
			last->newest.lm_name = stream->newest.lm_name;
		else
			last->newest.rec_name = stream->newest.rec_name;
		free(stream);
	}
	trace->stream_count = kept + 1;
}

static bool is_there(const struct reader *trace, const char *name)
{
	struct stat status;

	return fstatat(trace->dir_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

static int look_for_lm(struct reader *trace, struct stream *stream)
{
	char name[STREAM_NAME_MAX + 8];

	if (stream->newest.lm_name ||
	    (size_t)snprintf(name, sizeof(name), "%s.lm", stream->name) >= sizeof(name) ||
	    !is_there(trace, name))
		return 0;
	stream->newest.lm_name = pool_copy(&trace->pool, name, strlen(name));
	return stream->newest.lm_name ? 0 : -ENOMEM;
}

/* A folder that is listed while files are made in it may be told to have some, and not one that was there before them: the GM, the .lm of a .rec. */
static int look_again(struct reader *trace)
{
	int error = 0;

	if (trace->files.packed)
		return 0;
	trace->has_gm = trace->has_gm || is_there(trace, GLOBAL_NAME);
	for (unsigned i = 0; i < trace->stream_count && !error; i++)
		error = look_for_lm(trace, trace->streams[i]);
	return error;
}

/* Its process was killed while it made its first file: there is nothing to tell of it. */
static bool never_began(const struct reader *trace, const struct segment *files)
{
	return files->lm_name &&
	       listing_size(trace, files->lm_name) <= sizeof(struct file_header) &&
	       listing_size(trace, files->rec_name) <= sizeof(struct file_header);
}

static void leave_out_unbegun(struct reader *trace)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < trace->stream_count; i++) {
		if (never_began(trace, &trace->streams[i]->newest))
			free(trace->streams[i]);
		else
			trace->streams[kept++] = trace->streams[i];
	}
	trace->stream_count = kept;
}

/* What the files of nodes hold is listed as if each stream had its own. */
static int list_nodes(struct reader *trace)
{
	struct nodes *nodes = &trace->nodes;
	char name[STREAM_NAME_MAX + 8];
	int error = 0;

	for (unsigned i = 0; i < trace->stream_count && !error && nodes->count > 0; i++)
		error = nodes_take_name(nodes, trace->streams[i]->name,
					strlen(trace->streams[i]->name));
	if (!error)
		error = nodes_load(nodes);
	for (uint32_t i = 0; i < nodes->named_count && !error; i++) {
		const struct node_stream *stream = nodes->named[i];

		if (!stream)
			continue;
		snprintf(name, sizeof(name), "%s.rec", stream->name);
		error = add_file(trace, name);
		snprintf(name, sizeof(name), "%s.lm", stream->name);
		if (!error && stream->parts[NODE_LM].count > 0)
			error = add_file(trace, name);
	}
	return error;
}

static int list_packed(struct reader *trace)
{
	struct packed *packed = trace->files.packed;
	int error = 0;

	for (uint32_t i = 0; i < packed_file_count(packed) && !error; i++)
		error = add_file(trace, packed_file_name(packed, i));
	return error;
}

static int list_directory(struct reader *trace)
{
	int fd = dup(trace->dir_fd), error = 0;
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!entries) {
		error = -errno;
		if (fd >= 0)
			close(fd);
		return error_set(error, "%s: cannot be read: %s", trace->dir, strerror(-error));
	}
	while (!error && (entry = readdir(entries)))
		error = node_is_name(entry->d_name) ? nodes_add(&trace->nodes, entry->d_name)
						    : add_file(trace, entry->d_name);
	closedir(entries);
	return error ? error : list_nodes(trace);
}

int listing_make(struct reader *trace)
{
	int error = trace->files.packed ? list_packed(trace) : list_directory(trace);

	pair_files(trace);
	if (!error)
		error = look_again(trace);
	leave_out_unbegun(trace);
	return error ? error : segments_join(trace);
}
