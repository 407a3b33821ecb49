/* SPDX-License-Identifier: MIT */
/* pysummary.c - what libanalysis tells of a trace, as Python's dictionaries, with the keys of recorder summary --json. */
#include <errno.h>

#include <recorder/analysis.h>

#include "face.h"
#include "putting.h"

#define COMMON_SIZES_GIVEN 100u

static int put_sums(PyObject *dict, const struct analysis_sums *sums)
{
	return put_uint(dict, "calls", sums->calls) || put_uint(dict, "errors", sums->errors) ||
	       put_seconds(dict, "time", sums->time) || put_seconds(dict, "self", sums->self) ||
	       put_int(dict, "bytes_read", sums->bytes_read) ||
	       put_int(dict, "bytes_written", sums->bytes_written);
}

static PyObject *counts_dict(const uint64_t counts[ANALYSIS_SIZES])
{
	PyObject *dict = PyDict_New();
	int error = 0;

	for (unsigned i = 0; dict && !error && i < ANALYSIS_SIZES; i++)
		if (counts[i])
			error = put_uint(dict, analysis_size_name(i), counts[i]);
	return put_done(dict, error);
}

static int put_sizes(PyObject *dict, const struct analysis_sizes *sizes)
{
	return put(dict, "read_sizes", counts_dict(sizes->reads)) ||
	       put(dict, "write_sizes", counts_dict(sizes->writes));
}

static PyObject *places_dict(const int64_t times[ANALYSIS_PLACES])
{
	PyObject *dict = PyDict_New();

	return dict ? put_done(dict,
			       put_seconds(dict, "main", times[ANALYSIS_MAIN]) ||
				       put_seconds(dict, "elsewhere", times[ANALYSIS_ELSEWHERE]))
		    : NULL;
}

static PyObject *size_dict(const struct analysis_size *size)
{
	PyObject *dict = PyDict_New();

	return dict ? put_done(dict, put_int(dict, "size", size->size) ||
					     (size->last != size->size &&
					      put_int(dict, "last", size->last)) ||
					     put_uint(dict, "calls", size->calls))
		    : NULL;
}

/* The most frequent ones, as many as recorder summary --json has. */
static PyObject *common_dict(const struct analysis *analysis, unsigned layer,
			     enum analysis_direction direction)
{
	unsigned count = analysis_layer_size_count(analysis, layer, direction);
	unsigned given = count < COMMON_SIZES_GIVEN ? count : COMMON_SIZES_GIVEN;
	PyObject *dict = PyDict_New(), *list = PyList_New(given);

	for (unsigned i = 0; dict && list && i < given; i++) {
		PyObject *size = size_dict(analysis_layer_size(analysis, layer, direction, i));

		if (size)
			PyList_SET_ITEM(list, i, size);
		else
			Py_CLEAR(list);
	}
	if (!dict || !list) {
		Py_XDECREF(dict);
		Py_XDECREF(list);
		return NULL;
	}
	return put_done(dict, put(dict, "most", list) || put_uint(dict, "different", count));
}

static PyObject *common_sizes_dict(const struct analysis *analysis, unsigned layer)
{
	PyObject *dict = PyDict_New();

	return dict ? put_done(dict, put_bool(dict, "exact",
					      analysis_layer_sizes_are_exact(analysis, layer)) ||
					     put(dict, "read",
						 common_dict(analysis, layer, ANALYSIS_READS)) ||
					     put(dict, "written",
						 common_dict(analysis, layer, ANALYSIS_WRITES)))
		    : NULL;
}

static PyObject *layer_dict(const struct analysis *analysis, unsigned index)
{
	const struct analysis_layer *layer = analysis_layer(analysis, index);
	PyObject *dict = PyDict_New();

	return dict ? put_done(dict,
			       put_text(dict, "layer", layer->name) ||
				       put_sums(dict, &layer->sums) ||
				       put(dict, "self_by_place", places_dict(layer->self)) ||
				       put_sizes(dict, analysis_layer_sizes(analysis, index)) ||
				       put(dict, "common_sizes",
					   common_sizes_dict(analysis, index)))
		    : NULL;
}

static PyObject *function_dict(const struct analysis *analysis, unsigned index)
{
	const struct analysis_function *function = analysis_function(analysis, index);
	static const struct {
		const char *name;
		double share;
	} shares[] = {{"p50", 0.5}, {"p95", 0.95}, {"p99", 0.99}};
	PyObject *dict = PyDict_New();
	int error;

	if (!dict)
		return NULL;
	error = put_text(dict, "layer", function->function->layer) ||
		put_text(dict, "function", function->function->name) ||
		put_text(dict, "operation", analysis_operation_name(function->operation)) ||
		put_sums(dict, &function->sums) || put_seconds(dict, "least", function->least) ||
		put_seconds(dict, "most", function->most);
	for (size_t i = 0; !error && i < sizeof(shares) / sizeof(shares[0]); i++)
		error = put_seconds(dict, shares[i].name,
				    analysis_function_quantile(analysis, index, shares[i].share));
	return put_done(dict, error);
}

static PyObject *operations_dict(const struct analysis_rank *rank)
{
	PyObject *dict = PyDict_New();
	int error = 0;

	for (unsigned i = 0; dict && !error && i < ANALYSIS_OPERATIONS; i++)
		if (rank->by_operation[i])
			error = put_seconds(dict,
					    analysis_operation_name((enum analysis_operation)i),
					    rank->by_operation[i]);
	return put_done(dict, error);
}

static PyObject *rank_dict(const struct analysis *analysis, unsigned index)
{
	const struct analysis_rank *rank = analysis_rank(analysis, index);
	PyObject *dict = PyDict_New();

	return dict ? put_done(dict, put_int(dict, "world", rank->world) ||
					     put_int(dict, "rank", rank->rank) ||
					     put_uint(dict, "streams", rank->streams) ||
					     put_seconds(dict, "wall", rank->end - rank->start) ||
					     put_sums(dict, &rank->sums) ||
					     put(dict, "files", places_dict(rank->storage)) ||
					     put(dict, "mpi", places_dict(rank->messages)) ||
					     put(dict, "other", places_dict(rank->others)) ||
					     put(dict, "by_operation", operations_dict(rank)))
		    : NULL;
}

static PyObject *file_layers(const struct analysis *analysis, unsigned file)
{
	PyObject *list = PyList_New(0);
	const struct analysis_access *access;
	unsigned layer;
	int error = 0;

	for (unsigned i = 0;
	     list && !error && (access = analysis_file_layer(analysis, file, i, &layer)); i++) {
		PyObject *dict = PyDict_New();

		error = !dict || put_text(dict, "layer", analysis_layer(analysis, layer)->name) ||
			put_sums(dict, &access->sums) || PyList_Append(list, dict);
		Py_XDECREF(dict);
	}
	return put_done(list, error);
}

static PyObject *pattern_dict(const struct analysis_pattern *pattern)
{
	PyObject *dict = PyDict_New();

	return dict ? put_done(dict, put_uint(dict, "consecutive", pattern->consecutive) ||
					     put_uint(dict, "strided", pattern->strided) ||
					     put_uint(dict, "forward", pattern->forward) ||
					     put_uint(dict, "backward", pattern->backward) ||
					     put_uint(dict, "first", pattern->first) ||
					     put_uint(dict, "unknown", pattern->unknown) ||
					     put_uint(dict, "unaligned", pattern->unaligned))
		    : NULL;
}

static int put_access(PyObject *dict, const struct analysis_access *access)
{
	return put_sums(dict, &access->sums) || put_uint(dict, "opens", access->opens) ||
	       put_uint(dict, "reads", access->reads) || put_uint(dict, "writes", access->writes) ||
	       put_uint(dict, "metadata", access->metadata) ||
	       put_seconds(dict, "read_time", access->read_time) ||
	       put_seconds(dict, "write_time", access->write_time) ||
	       put_seconds(dict, "metadata_time", access->metadata_time) ||
	       put_sizes(dict, &access->sizes) ||
	       put(dict, "read_pattern", pattern_dict(&access->read_pattern)) ||
	       put(dict, "write_pattern", pattern_dict(&access->write_pattern));
}

static PyObject *analysed_file_dict(const struct analysis *analysis, unsigned index)
{
	const struct analysis_file *file = analysis_file(analysis, index);
	PyObject *dict = PyDict_New();

	return dict ? put_done(dict, put_text(dict, "path", file->path) ||
					     put_text(dict, "class",
						      analysis_file_class_name(file->class_)) ||
					     put_uint(dict, "ranks", file->ranks) ||
					     put_uint(dict, "moving_ranks", file->moving_ranks) ||
					     put_seconds(dict, "first", file->first) ||
					     put_seconds(dict, "last", file->last) ||
					     put_access(dict, &file->access) ||
					     put(dict, "layers", file_layers(analysis, index)))
		    : NULL;
}

static PyObject *failure_dict(const struct analysis *analysis, unsigned index)
{
	const struct analysis_error *error = analysis_error(analysis, index);
	PyObject *dict = PyDict_New();

	return dict ? put_done(dict, put_text(dict, "layer", error->function->layer) ||
					     put_text(dict, "function", error->function->name) ||
					     put_int(dict, "errno", error->err) ||
					     put_text(dict, "error", error->name) ||
					     put_uint(dict, "calls", error->calls) ||
					     put_seconds(dict, "time", error->time))
		    : NULL;
}

static PyObject *rows(const struct analysis *analysis, unsigned count,
		      PyObject *(*give)(const struct analysis *, unsigned))
{
	PyObject *list = PyList_New(count);

	for (unsigned i = 0; list && i < count; i++) {
		PyObject *row = give(analysis, i);

		if (!row)
			Py_CLEAR(list);
		else
			PyList_SET_ITEM(list, i, row);
	}
	return list;
}

/* Those that were chosen. */
static PyObject *rank_rows(const struct analysis *analysis)
{
	PyObject *list = PyList_New(0);
	int error = 0;

	for (unsigned i = 0; list && !error && i < analysis_rank_count(analysis); i++) {
		PyObject *row;

		if (analysis_rank(analysis, i)->left_out)
			continue;
		row = rank_dict(analysis, i);
		error = !row || PyList_Append(list, row);
		Py_XDECREF(row);
	}
	if (error)
		Py_CLEAR(list);
	return list;
}

static PyObject *all_tables(const struct analysis *analysis)
{
	PyObject *dict = PyDict_New();

	if (!dict)
		return NULL;
	return put_done(
		dict,
		put(dict, "layers", rows(analysis, analysis_layer_count(analysis), layer_dict)) ||
			put(dict, "functions",
			    rows(analysis, analysis_function_count(analysis), function_dict)) ||
			put(dict, "ranks", rank_rows(analysis)) ||
			put(dict, "files",
			    rows(analysis, analysis_file_count(analysis), analysed_file_dict)) ||
			put(dict, "errors",
			    rows(analysis, analysis_error_count(analysis), failure_dict)));
}

PyObject *summary_dict(struct py_trace *trace, unsigned jobs, PyObject *keywords)
{
	struct analysis_options options = {.sz = sizeof(options), .jobs = jobs};
	struct analysis *analysis = NULL;
	struct py_filter filter;
	PyObject *result = NULL;
	int error;

	if (py_filter_parse(&filter, keywords))
		goto out;
	options.filter = &filter.filter;
	analysis = analysis_new(trace->trace, &options);
	if (!analysis) {
		PyErr_NoMemory();
		goto out;
	}
	trace_use(trace);
	trace->looping++;
	Py_BEGIN_ALLOW_THREADS error = analysis_run(analysis);
	Py_END_ALLOW_THREADS trace->looping--;
	if (error == -EINVAL)
		PyErr_SetString(error_filter, reader_error(trace->trace));
	else if (error)
		py_cursor_error(trace, error);
	else
		result = all_tables(analysis);
	analysis_free(analysis);
	trace_leave(trace);
out:
	py_filter_release(&filter);
	return result;
}
