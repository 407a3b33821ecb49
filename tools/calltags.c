/* SPDX-License-Identifier: MIT */
/* calltags.c - see calltags.h */
#include "calltags.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct calltags {
	struct reader *trace;
	bool mixed;
	struct reader_tags **streams; /* NULL: not needed yet */
	unsigned stream_count, recent;
	unsigned char *own; /* by function: the tags that its arguments are called like */
	struct reader_tag_values found;
};

static unsigned char own_names(const struct reader_function_info *function)
{
	unsigned char own = 0;

	for (unsigned i = 0; i < function->arg_count; i++)
		for (unsigned tag = 0; tag < READER_TAGS; tag++)
			if (!strcmp(function->args[i].name, reader_tag_name((enum reader_tag)tag)))
				own |= (unsigned char)(1u << tag);
	return own;
}

struct calltags *calltags_new(struct reader *trace, bool mixed)
{
	unsigned count = reader_function_count(trace);
	struct reader_info info = {.sz = sizeof(info)};
	struct calltags *tags;

	errno = 0;
	if (!reader_has_tags(trace))
		return NULL;
	reader_info(trace, &info);
	tags = calloc(1, sizeof(*tags));
	if (!tags)
		return NULL;
	tags->trace = trace;
	tags->mixed = mixed;
	tags->stream_count = info.streams;
	tags->streams = calloc((size_t)info.streams + 1, sizeof(*tags->streams));
	tags->own = calloc((size_t)count + 1, 1);
	if (!tags->streams || !tags->own) {
		calltags_free(tags);
		errno = ENOMEM;
		return NULL;
	}
	for (unsigned i = 0; i < count; i++)
		tags->own[i] = own_names(reader_function_by_id(trace, i));
	return tags;
}

void calltags_free(struct calltags *tags)
{
	if (!tags)
		return;
	for (unsigned i = 0; tags->streams && i < tags->stream_count; i++)
		reader_tags_free(tags->streams[i]);
	free(tags->streams);
	free(tags->own);
	free(tags);
}

/* NULL: errno tells. */
static struct reader_tags *tags_of(struct calltags *tags, unsigned stream)
{
	if (!tags->mixed && tags->recent != stream) {
		reader_tags_free(tags->streams[tags->recent]);
		tags->streams[tags->recent] = NULL;
	}
	tags->recent = stream;
	if (!tags->streams[stream])
		tags->streams[stream] = reader_tags_new(tags->trace, stream);
	return tags->streams[stream];
}

int calltags_find(struct calltags *tags, const struct recorder_record *record)
{
	struct reader_tags *stream = tags_of(tags, record->stream);

	if (!stream)
		return -errno;
	reader_tags_of(stream, record, &tags->found);
	tags->found.has &= ~(unsigned)tags->own[record->func_id];
	return tags->found.has != 0;
}

void calltags_each(const struct calltags *tags,
		   void (*put)(void *data, const char *name, int64_t value), void *data)
{
	for (unsigned tag = 0; tag < READER_TAGS; tag++)
		if (tags->found.has >> tag & 1)
			put(data, reader_tag_name((enum reader_tag)tag), tags->found.values[tag]);
}

static void put_json(void *data, const char *name, int64_t value)
{
	struct output *output = data;

	output_text(output, ",\"");
	output_text(output, name);
	output_text(output, "\":");
	output_i64(output, value);
}

void calltags_json(const struct calltags *tags, struct output *output)
{
	calltags_each(tags, put_json, output);
}
