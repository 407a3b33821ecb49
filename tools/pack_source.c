/* SPDX-License-Identifier: MIT */
/* pack_source.c - see pack_source.h */
#include "pack_source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/trace_names.h"
#include "itself.h"
#include "message.h"
#include "read/packed.h"
#include "unpack.h"

#define GLOBAL_NAME "recorder.gm"
#define PRIVATE 0600 /* rights */

static void *need(void *memory)
{
	if (!memory)
		die("out of memory");
	return memory;
}

/* The length of a stream's name in that of a file of it; 0: it is none. */
static size_t stream_length(const char *name)
{
	size_t length = name_stream_length(name, ".lm");

	return length > 0 ? length : name_stream_length(name, ".rec");
}

static void add_file(struct pack_source *source, const char *name)
{
	struct source_part *part;

	if (source->count == source->capacity) {
		source->capacity = source->capacity ? source->capacity * 2 : 16;
		source->parts =
			need(realloc(source->parts, source->capacity * sizeof(*source->parts)));
	}
	part = &source->parts[source->count++];
	*part = (struct source_part){{need(strdup(name)), NULL}};
}

static void note_other(struct pack_source *source, const char *name)
{
	source->others++;
	if (!source->other)
		source->other = need(strdup(name));
}

/* Other tools pass it over too, whatever its name says. */
static bool is_no_file(const struct pack_source *source, const char *name)
{
	struct stat status;

	if (source->dir_fd < 0 || fstatat(source->dir_fd, name, &status, AT_SYMLINK_NOFOLLOW) ||
	    S_ISREG(status.st_mode))
		return false;
	message_warn("'%s/%s' is not a regular file: it is left out", source->path, name);
	return true;
}

static bool is_of_trace(const char *name)
{
	return strcmp(name, GLOBAL_NAME) == 0 || stream_length(name) > 0 || node_is_name(name);
}

static void take_name(struct pack_source *source, const char *name)
{
	if (is_of_trace(name) && is_no_file(source, name))
		return;
	if (node_is_name(name) && source->dir_fd >= 0) {
		if (nodes_add(&source->nodes, name))
			die("out of memory");
	} else if (strcmp(name, GLOBAL_NAME) == 0 || stream_length(name) > 0) {
		add_file(source, name);
	} else if (name_ends_in(name, ".lm") || name_ends_in(name, ".rec")) {
		die("'%s/%s' has no name of a stream: it would be left out", source->path, name);
	} else if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
		note_other(source, name);
	}
}

static void list_directory(struct pack_source *source)
{
	int fd = dup(source->dir_fd);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!entries)
		die("cannot read '%s': %s", source->path, strerror(errno));
	while ((entry = readdir(entries)))
		take_name(source, entry->d_name);
	closedir(entries);
}

static void tell_gap(void *data, const struct node_file *node, uint64_t offset, uint64_t bytes)
{
	struct pack_source *source = data;

	message_warn("%s/%s: offset %" PRIu64 ": %" PRIu64 " bytes are no chunk: they are left out",
		     source->path, node->name, offset, bytes);
}

/* Each stream becomes a part of its own, as if it had files of its own. */
static void list_nodes(struct pack_source *source)
{
	char name[STREAM_NAME_MAX + 64];
	int error = 0;

	for (uint32_t i = 0; i < source->count && !error; i++)
		error = nodes_take_name(&source->nodes, source->parts[i].files[0],
					stream_length(source->parts[i].files[0]));
	if (!error)
		error = nodes_load(&source->nodes);
	if (error)
		die("out of memory");
	for (uint32_t i = 0; i < source->nodes.count; i++)
		if (source->nodes.list[i]->error)
			die("cannot read '%s/%s': %s", source->path, source->nodes.list[i]->name,
			    strerror(-source->nodes.list[i]->error));
	nodes_each_gap(&source->nodes, tell_gap, source);
	for (uint32_t i = 0; i < source->nodes.named_count; i++) {
		const struct node_stream *stream = source->nodes.named[i];

		for (int half = 0; stream && half < NODE_HALVES; half++) {
			if (stream->parts[half].count == 0)
				continue;
			snprintf(name, sizeof(name), "%s%s", stream->name,
				 half == NODE_LM ? ".lm" : ".rec");
			add_file(source, name);
		}
	}
}

static void list_packed(struct pack_source *source)
{
	for (uint32_t i = 0; i < packed_file_count(source->packed); i++)
		take_name(source, packed_file_name(source->packed, i));
}

/* recorder.gm first; numbers in names count as such, so that ranks are in their order. */
static int by_name(const void *a, const void *b)
{
	const char *x = ((const struct source_part *)a)->files[0];
	const char *y = ((const struct source_part *)b)->files[0];
	bool x_global = strcmp(x, GLOBAL_NAME) == 0, y_global = strcmp(y, GLOBAL_NAME) == 0;

	return x_global || y_global ? y_global - x_global : strverscmp(x, y);
}

/* The .lm and the .rec of a stream stand side by side. */
static void pair_files(struct pack_source *source)
{
	uint32_t kept = 0;

	for (uint32_t i = 1; i < source->count; i++) {
		struct source_part *last = &source->parts[kept], *next = &source->parts[i];
		size_t length = stream_length(last->files[0]);

		if (length > 0 && !last->files[1] && length == stream_length(next->files[0]) &&
		    strncmp(last->files[0], next->files[0], length) == 0)
			last->files[1] = next->files[0];
		else
			source->parts[++kept] = *next;
	}
	source->count = source->count ? kept + 1 : 0;
}

static void tell_damage(void *data, uint64_t offset, const char *what)
{
	struct pack_source *source = data;

	source->damaged = true;
	message_error("%s: offset %" PRIu64 ": %s", source->path, offset, what);
}

static void open_packed(struct pack_source *source, int fd)
{
	const char *what = "";
	uint64_t offset = 0;
	int error = packed_is(fd)
			    ? packed_open(&source->packed, fd, tell_damage, source, &what, &offset)
			    : -EINVAL;

	if (error == -EINVAL)
		die("'%s' is no trace: neither a directory nor a packed trace", source->path);
	if (error == -EBADMSG)
		die("%s: offset %" PRIu64 ": %s", source->path, offset, what);
	if (error)
		die("cannot read '%s': %s", source->path, strerror(-error));
}

void pack_source_open(struct pack_source *source, const char *path)
{
	int fd;

	*source = (struct pack_source){.path = path};
	source->dir_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	tracefiles_init(&source->files, source->dir_fd);
	source->nodes.files = &source->files;
	if (source->dir_fd >= 0) {
		itself_set(path);
		list_directory(source);
		list_nodes(source);
	} else {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd < 0)
			die("cannot open '%s': %s", path, strerror(errno));
		open_packed(source, fd);
		if (source->damaged)
			die("'%s' is damaged", path);
		list_packed(source);
	}
	if (source->count > 0)
		qsort(source->parts, source->count, sizeof(*source->parts), by_name);
	pair_files(source);
}

void pack_source_close(struct pack_source *source)
{
	for (uint32_t i = 0; i < source->count; i++) {
		free(source->parts[i].files[0]);
		free(source->parts[i].files[1]);
	}
	free(source->parts);
	free(source->other);
	tracefiles_release(&source->files);
	nodes_release(&source->nodes);
	if (source->dir_fd >= 0)
		close(source->dir_fd);
	packed_close(source->packed);
}

mode_t pack_source_rights(const struct pack_source *source)
{
	struct stat status;
	const char *name = source->count > 0 ? source->parts[0].files[0] : NULL;
	int error;

	if (source->packed)
		error = stat(source->path, &status);
	else
		error = name ? fstatat(source->dir_fd, name, &status, 0) : -1;
	return error ? PRIVATE : status.st_mode & 0666;
}

int pack_source_nameless(void)
{
	FILE *file = tmpfile();
	int fd = file ? dup(fileno(file)) : -1;

	if (fd < 0)
		die("cannot make a temporary file: %s", strerror(errno));
	fclose(file);
	return fd;
}

/* The file that the stream would have had for itself. */
static int part_file(const struct pack_source *source, const struct node_part *part)
{
	static uint8_t buffer[64u << 10];
	int fd = pack_source_nameless();
	uint64_t at = 0;

	while (at < part->size) {
		ssize_t got = node_read(part, buffer, sizeof(buffer), at);

		if (got <= 0)
			die("cannot read '%s/%s': %s", source->path, part->stream->node->name,
			    strerror(got ? (int)-got : EIO));
		if (pwrite(fd, buffer, (size_t)got, (off_t)at) != got)
			die("cannot write to a temporary file: %s", strerror(errno));
		at += (uint64_t)got;
	}
	return fd;
}

int pack_source_file(const struct pack_source *source, const char *name)
{
	const struct node_part *part = nodes_find(&source->nodes, name);
	int fd;

	if (part)
		return part_file(source, part);

	if (source->packed) {
		fd = pack_source_nameless();
		unpack_file(source->packed, packed_find(source->packed, name), fd, name);
		return fd;
	}
	fd = file_open_regular(source->dir_fd, name);
	if (fd == -EINVAL)
		die("'%s/%s' is not a regular file", source->path, name);
	if (fd < 0)
		die("cannot open '%s/%s': %s", source->path, name, strerror(-fd));
	return fd;
}
