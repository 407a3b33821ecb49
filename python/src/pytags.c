/* SPDX-License-Identifier: MIT */
/* pytags.c - Record.tags: which epoch, step and sample a call belongs to. */
#include <stdlib.h>

#include "face.h"

/* Of a stream, which are read when they are first asked for; NULL with an exception. */
static struct reader_tags *tags_of(struct py_trace *trace, uint32_t stream)
{
	struct reader_info info = {.sz = sizeof(info)};

	if (!trace->tags) {
		reader_info(trace->trace, &info);
		trace->tags = calloc((size_t)info.streams + 1, sizeof(struct reader_tags *));
		trace->tags_count = trace->tags ? info.streams : 0;
	}
	if (stream < trace->tags_count && !trace->tags[stream])
		trace->tags[stream] = reader_tags_new(trace->trace, stream);
	if (stream < trace->tags_count && trace->tags[stream])
		return trace->tags[stream];
	PyErr_NoMemory();
	return NULL;
}

void tags_release(struct py_trace *trace)
{
	for (unsigned i = 0; i < trace->tags_count; i++)
		reader_tags_free(trace->tags[i]);
	free(trace->tags);
	trace->tags = NULL;
	trace->tags_count = 0;
}

static int put_tag(PyObject *dict, enum reader_tag tag, int64_t value)
{
	PyObject *number = PyLong_FromLongLong(value);
	int error = number ? PyDict_SetItemString(dict, reader_tag_name(tag), number) : -1;

	Py_XDECREF(number);
	return error;
}

PyObject *tags_dict(struct py_trace *trace, const struct recorder_record *record)
{
	struct reader_tag_values values = {0};
	PyObject *dict = PyDict_New();

	if (dict && reader_has_tags(trace->trace)) {
		struct reader_tags *tags = tags_of(trace, record->stream);

		if (!tags)
			Py_CLEAR(dict);
		else
			reader_tags_of(tags, record, &values);
	}
	for (unsigned tag = 0; dict && tag < READER_TAGS; tag++)
		if ((values.has & 1u << tag) &&
		    put_tag(dict, (enum reader_tag)tag, values.values[tag]))
			Py_CLEAR(dict);
	return dict;
}
