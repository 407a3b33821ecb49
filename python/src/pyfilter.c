/* SPDX-License-Identifier: MIT */
/* pyfilter.c - conditions on records, from Python's keywords to libreader's filter. */
#include <errno.h>
#include <string.h>

#include "face.h"

/* A list in the syntax of the command line. */
static int take_text(struct py_filter *filter, const char *name, PyObject *value, const char **to)
{
	PyObject *bytes = NULL;

	if (value == Py_None)
		return 0;
	if (!PyUnicode_Check(value) && !PyBytes_Check(value)) {
		PyErr_Format(error_filter, "%s: a string, not %.100s", name,
			     Py_TYPE(value)->tp_name);
		return -1;
	}
	if (!PyUnicode_FSConverter(value, &bytes))
		return -1;
	*to = PyBytes_AS_STRING(bytes);
	filter->chooses = true;
	if (PyList_Append(filter->kept, bytes)) {
		Py_DECREF(bytes);
		return -1;
	}
	Py_DECREF(bytes);
	return 0;
}

static int take_number(const char *name, PyObject *value, int64_t *to)
{
	long long number;

	if (value == Py_None)
		return 0;
	number = PyLong_AsLongLong(value);
	if (number == -1 && PyErr_Occurred()) {
		PyErr_Clear();
		PyErr_Format(error_filter, "%s: a whole number of 64 bits", name);
		return -1;
	}
	*to = number;
	return 0;
}

static int take(struct py_filter *filter, const char *name, PyObject *value)
{
	struct reader_filter *to = &filter->filter;
	const struct {
		const char *name;
		const char **text;
	} texts[] = {{"ranks", &to->ranks},   {"worlds", &to->worlds},
		     {"tids", &to->tids},     {"streams", &to->streams},
		     {"levels", &to->levels}, {"layers", &to->layers},
		     {"files", &to->files},   {"functions", &to->functions}};
	int64_t order = to->order, in_flight = to->in_flight, part = to->part, parts = to->parts;
	const struct {
		const char *name;
		int64_t *number;
	} numbers[] = {{"after", &to->after},
		       {"before", &to->before},
		       {"min_duration", &to->min_duration},
		       {"in_flight", &in_flight},
		       {"by_end", &order},
		       {"part", &part},
		       {"parts", &parts}};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strcmp(texts[i].name, name) == 0)
			return take_text(filter, name, value, texts[i].text);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(numbers[i].name, name) != 0)
			continue;
		if (take_number(name, value, numbers[i].number))
			return -1;
		to->order = order ? READER_BY_END : READER_BY_TIME;
		to->in_flight = (int)(in_flight < 0 ? 0 : in_flight > 2 ? 2 : in_flight);
		if (part < 0 || parts < 0 || parts > 1 << 16 || (parts && part >= parts)) {
			PyErr_SetString(error_filter, "parts: at most 65,536, and one of them");
			return -1;
		}
		to->part = (unsigned)part;
		to->parts = (unsigned)parts;
		filter->chooses = filter->chooses || to->after || to->before || to->min_duration ||
				  in_flight == 2 || parts;
		return 0;
	}
	PyErr_Format(error_filter, "'%s' is no condition", name);
	return -1;
}

int py_filter_parse(struct py_filter *filter, PyObject *keywords)
{
	PyObject *key, *value;
	Py_ssize_t at = 0;

	*filter =
		(struct py_filter){.filter = {.sz = sizeof(filter->filter)}, .kept = PyList_New(0)};
	if (!filter->kept)
		return -1;
	while (keywords && PyDict_Next(keywords, &at, &key, &value)) {
		const char *name = PyUnicode_AsUTF8(key);

		if (!name || take(filter, name, value))
			return -1;
	}
	return 0;
}

void py_filter_release(struct py_filter *filter)
{
	Py_CLEAR(filter->kept);
}

struct reader_cursor *py_filter_cursor(struct py_trace *trace, const struct py_filter *filter)
{
	struct reader_cursor *cursor = reader_cursor_new(trace->trace, &filter->filter);

	if (!cursor && errno == EINVAL)
		PyErr_SetString(error_filter, reader_error(trace->trace));
	else if (!cursor)
		PyErr_NoMemory();
	return cursor;
}

void py_cursor_error(const struct py_trace *trace, int status)
{
	if (status == -ENOMEM)
		PyErr_NoMemory();
	else
		PyErr_Format(error_any, "%s", reader_error(trace->trace));
}
