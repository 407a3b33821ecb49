/* SPDX-License-Identifier: MIT */
/* mounts.c - the files of a stream one by one, and where the file system of each is mounted. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <recorder/reader.h>

#include "read/mountinfo.h"
#include "read/trace.h"

#define MOUNT_FIELDS 5 /* up to the directory, which is the last of them */
#define MOUNT_TEXT_MAX 4096

unsigned reader_file_count(const struct reader *trace, unsigned stream)
{
	const struct stream *from = stream_at(trace, stream);

	return from ? from->defs.files.count : 0;
}

int reader_file_id(const struct reader *trace, unsigned stream, unsigned index, uint32_t *id)
{
	if (index >= reader_file_count(trace, stream))
		return -ERANGE;
	*id = trace->streams[stream]->defs.files.entries[index].id;
	return 0;
}

/* What only the rank's own process tells: that of the stream, or of another one on its machine. */
static const char *mounts_of(const struct reader *trace, const struct stream *stream)
{
	const char *text = metadata_text(&stream->lm, "mounts");

	for (unsigned i = 0; !*text && *stream->boot_id && i < trace->stream_count; i++)
		if (!strcmp(trace->streams[i]->boot_id, stream->boot_id))
			text = metadata_text(&trace->streams[i]->lm, "mounts");
	return text;
}

/* NUMBER PARENT MAJOR:MINOR ROOT DIRECTORY OPTIONS [WORDS] - TYPE SOURCE OPTIONS */
static bool parse_mount(const char *line, size_t length, struct reader_mount *mount)
{
	static __thread char texts[MOUNT_TEXT_MAX];
	const char *end = line + length, *rest;
	char *room = texts;

	if (length + MOUNT_FIELDS + 4 > sizeof(texts))
		return false;
	for (unsigned i = 0; i < MOUNT_FIELDS; i++)
		mount->directory = mountinfo_word(&line, &room);
	rest = memmem(line, (size_t)(end - line), " - ", 3);
	if (!rest)
		return false;
	line = rest + 3;
	mount->type = mountinfo_word(&line, &room);
	mount->source = mountinfo_word(&line, &room);
	return true;
}

int reader_mount(const struct reader *trace, unsigned stream, unsigned index,
		 struct reader_mount *mount)
{
	const char *line;

	if (stream >= trace->stream_count)
		return -ERANGE;
	line = metadata_text(&trace->streams[stream]->lm, "mounts");
	for (; *line && index > 0; index--) {
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	if (!*line)
		return -ERANGE;
	return parse_mount(line, strcspn(line, "\n"), mount) ? 0 : -ENOENT;
}

int reader_file_mount(const struct reader *trace, unsigned stream, uint32_t id,
		      struct reader_mount *mount)
{
	struct reader_file file;
	int error = reader_file(trace, stream, id, &file);
	const char *line;

	if (error)
		return error;
	line = file.mount ? mounts_of(trace, trace->streams[stream]) : "";
	while (*line) {
		size_t length = strcspn(line, "\n");

		if (strtoul(line, NULL, 10) == file.mount)
			return parse_mount(line, length, mount) ? 0 : -ENOENT;
		line += length + (line[length] == '\n');
	}
	return -ENOENT;
}
