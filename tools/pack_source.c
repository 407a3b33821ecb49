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
#include <unistd.h>

#include "message.h"
#include "read/packed.h"
#include "read/tracefiles.h"
#include "unpack.h"

#define GLOBAL_NAME "recorder.gm"
#define NAME_SET "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
#define NAME_MOST 200u

static void *need(void *memory)
{
	if (!memory)
		die("out of memory");
	return memory;
}

static bool ends_in(const char *name, const char *suffix)
{
	size_t length = strlen(name), tail = strlen(suffix);

	return length >= tail && strcmp(name + length - tail, suffix) == 0;
}

/* The length of a stream's name in that of a file of it; 0: it is none. */
static size_t stream_length(const char *name)
{
	size_t length = strlen(name);
	size_t tail = ends_in(name, ".lm") ? 3 : ends_in(name, ".rec") ? 4 : length;

	if (tail == length || name[0] == '.' || length - tail > NAME_MOST ||
	    strspn(name, NAME_SET) != length)
		return 0;
	return length - tail;
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

static void take_name(struct pack_source *source, const char *name)
{
	if (strcmp(name, GLOBAL_NAME) == 0 || stream_length(name) > 0)
		add_file(source, name);
	else if (ends_in(name, ".lm") || ends_in(name, ".rec"))
		die("'%s/%s' has no name of a stream: it would be left out", source->path, name);
	else if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
		note_other(source, name);
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
	if (source->dir_fd >= 0) {
		list_directory(source);
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
	if (source->dir_fd >= 0)
		close(source->dir_fd);
	packed_close(source->packed);
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

int pack_source_file(const struct pack_source *source, const char *name)
{
	int fd;

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
