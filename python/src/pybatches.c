/* SPDX-License-Identifier: MIT */
/* pybatches.c - recorder._reader.Batches: records as columns, so many at a time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "columns.h"
#include "categories.h"

#define ROWS_FIRST 4096
#define ROWS_FORESEEN (1u << 24) /* the number is the trace's word only */
#define HUGE_PAGE (2u << 20)
#define COLUMNS_MAX 256
#define GROUPS 6
#define BLOCK 64 /* records that are put into columns together */

struct column {
	char *next;        /* place of the next row in `data` */
	uint16_t at, size; /* of the kind */
	/* by function: COLUMN_ARG, COLUMN_KNOWN: index of the argument, -1 it has none; COLUMN_FUNCTION, COLUMN_LAYER: the number */
	int32_t *table;
	const struct column_kind *kind;
	char *data;
	unsigned position; /* among those that were asked for */
};

struct py_batches {
	PyObject_HEAD struct py_trace *trace;
	struct py_filter filter;
	struct reader_cursor *cursor;
	struct column *columns; /* by group */
	unsigned column_count;
	struct column *group_ends[GROUPS];
	struct categories files;
	bool busy; /* a thread fills rows */
	/* records that are in columns of the last group only */
	struct recorder_record block[BLOCK];
	size_t block_count;
};

/* ---- filling, without the interpreter's lock ---- */

static int64_t arg_value(const struct column *column, const struct recorder_record *record,
			 bool *known)
{
	int32_t index = column->table[record->func_id];
	const struct recorder_arg *arg;

	*known = index >= 0 && index < record->arg_count;
	if (!*known)
		return 0;
	arg = &record->args[index];
	*known = arg->state == RECORDER_ARG_PRESENT;
	return *known ? arg->i64 : 0;
}

static int32_t file_number(struct py_batches *self, const struct recorder_record *record,
			   int *error)
{
	struct reader_file file;
	int32_t number;

	if (reader_record_file(self->trace->trace, record, &file))
		return -1;
	number = categories_number(&self->files, file.path);
	if (number < 0)
		*error = -ENOMEM;
	return number;
}

/*
 * Groups of columns that are alike. Those of the last one ask the reader, so they take each record as it comes. Others take a block of records together, each column in a loop without a
 * question.
 */
enum group { COPIES_8, COPIES_4, COPIES_2, SECONDS, TABLES, OTHERS };

static enum group group_of(const struct column_kind *kind)
{
	switch (kind->how) {
	case COLUMN_COPY:
		return kind->size == 8 ? COPIES_8 : kind->size == 4 ? COPIES_4 : COPIES_2;
	case COLUMN_SECONDS:
		return SECONDS;
	case COLUMN_FUNCTION:
	case COLUMN_LAYER:
		return TABLES;
	default:
		return OTHERS;
	}
}

static int put_other(struct py_batches *self, struct column *column,
		     const struct recorder_record *record)
{
	int64_t value = 0;
	int32_t number;
	double seconds;
	bool known;
	int error = 0;

	switch (column->kind->how) {
	case COLUMN_DURATION:
		seconds = (double)(record->tend - record->tstart) / 1e9;
		memcpy(column->next, &seconds, sizeof(seconds));
		return 0;
	case COLUMN_BYTES:
		value = reader_bytes(self->trace->trace, record);
		break;
	case COLUMN_FILE:
		number = file_number(self, record, &error);
		memcpy(column->next, &number, sizeof(number));
		return error;
	case COLUMN_KNOWN:
		arg_value(column, record, &known);
		*column->next = known;
		return 0;
	default:
		value = arg_value(column, record, &known);
	}
	memcpy(column->next, &value, sizeof(value));
	return 0;
}

/* `size` is known where it is called, so that each size has a loop of its own. */
static inline __attribute__((always_inline)) void put_copies(char *to, const char *from,
							     size_t size, size_t count)
{
	for (size_t i = 0; i < count; i++, from += sizeof(struct recorder_record))
		memcpy(to + i * size, from, size);
}

static void put_seconds(char *to, const char *from, size_t count)
{
	for (size_t i = 0; i < count; i++, from += sizeof(struct recorder_record)) {
		int64_t ns;
		double seconds;

		memcpy(&ns, from, 8);
		seconds = (double)ns / 1e9;
		memcpy(to + i * 8, &seconds, 8);
	}
}

static void put_numbers(char *to, const int32_t *table, const struct recorder_record *records,
			size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint16_t number = (uint16_t)table[records[i].func_id];

		memcpy(to + i * 2, &number, 2);
	}
}

static void put_column(const struct column *column, const struct recorder_record *records,
		       size_t count)
{
	const char *from = (const char *)records + column->at;

	switch (group_of(column->kind)) {
	case COPIES_8:
		put_copies(column->next, from, 8, count);
		break;
	case COPIES_4:
		put_copies(column->next, from, 4, count);
		break;
	case COPIES_2:
		put_copies(column->next, from, 2, count);
		break;
	case SECONDS:
		put_seconds(column->next, from, count);
		break;
	case TABLES:
		put_numbers(column->next, column->table, records, count);
		break;
	case OTHERS:
		break;
	}
}

/* The block into all columns but those of the last group. */
static void put_block(struct py_batches *self)
{
	struct column *end = self->group_ends[TABLES];

	for (struct column *column = self->columns; column < end; column++) {
		put_column(column, self->block, self->block_count);
		column->next += self->block_count * column->size;
	}
	self->block_count = 0;
}

static int put_record(struct py_batches *self, const struct recorder_record *record)
{
	struct column *column = self->group_ends[TABLES];
	int error = 0;

	self->block[self->block_count++] = *record;
	for (; column < self->group_ends[OTHERS]; column->next += column->size, column++)
		error |= put_other(self, column, record);
	if (self->block_count == BLOCK)
		put_block(self);
	return error;
}

/*
 * Memory for an array. Touching large ones page by page would cost as much as decoding what is put there, so they are of huge pages where the system
 * has them.
 */
static void *allocate(size_t size)
{
	void *data;

	if (size < HUGE_PAGE)
		return malloc(size);
	data = aligned_alloc(HUGE_PAGE, (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
	if (data)
		madvise(data, size, MADV_HUGEPAGE);
	return data;
}

/* Room for so many rows, of which some are filled. */
static int make_room(struct py_batches *self, size_t rows, size_t filled)
{
	for (unsigned i = 0; i < self->column_count; i++) {
		struct column *column = &self->columns[i];
		size_t size = rows * column->kind->size;
		char *data = column->data ? realloc(column->data, size) : allocate(size);

		if (!data)
			return -ENOMEM;
		column->data = data;
		column->next = data + filled * column->kind->size;
	}
	return 0;
}

/* Rows to begin with: as many as there will be, if the filter leaves nothing out. */
static size_t first_room(const struct py_batches *self, size_t most)
{
	struct reader_info info = {.sz = sizeof(info)};
	size_t rows = ROWS_FIRST;

	if (!self->filter.chooses && !reader_info(self->trace->trace, &info) &&
	    info.stored + info.in_flight > rows)
		rows = info.stored + info.in_flight < ROWS_FORESEEN ? info.stored + info.in_flight
								    : ROWS_FORESEEN;
	return most < rows ? most : rows;
}

/* At most `most` rows; how many, or a negative errno. */
static int64_t fill(struct py_batches *self, size_t most)
{
	const struct recorder_record *record;
	size_t rows = 0, room = first_room(self, most);
	int error = make_room(self, room, 0);

	while (!error && rows < most && (record = reader_next(self->cursor))) {
		if (rows == room) {
			put_block(self);
			room = most / 2 < room ? most : 2 * room;
			error = make_room(self, room, rows);
		}
		if (!error)
			error = put_record(self, record);
		rows++;
	}
	put_block(self);
	if (!error)
		error = reader_cursor_status(self->cursor);
	if (!error && rows > 0 && rows < room)
		error = make_room(self, rows, rows);
	return error ? error : (int64_t)rows;
}

/* ---- for Python ---- */

/* Gives the arrays away. */
static PyObject *take_columns(struct py_batches *self, Py_ssize_t rows)
{
	PyObject *list = PyList_New(self->column_count);

	for (unsigned i = 0; list && i < self->column_count; i++) {
		PyObject *made;
		char *data = self->columns[i].data;

		self->columns[i].data = NULL;
		made = column_new(self->columns[i].kind, data, rows);
		if (!made)
			Py_CLEAR(list);
		else
			PyList_SET_ITEM(list, self->columns[i].position, made);
	}
	return list;
}

static PyObject *batches_next(struct py_batches *self, PyObject *most)
{
	Py_ssize_t rows = PyLong_AsSsize_t(most);
	int64_t filled;

	if (rows <= 0 || rows > PY_SSIZE_T_MAX / 16) {
		if (!PyErr_Occurred())
			PyErr_SetString(PyExc_ValueError, "so many rows cannot be");
		return NULL;
	}
	if (self->busy) {
		PyErr_SetString(PyExc_RuntimeError, "another thread is using these columns");
		return NULL;
	}
	self->busy = true;
	self->trace->looping++;
	Py_BEGIN_ALLOW_THREADS filled = fill(self, (size_t)rows);
	Py_END_ALLOW_THREADS self->trace->looping--;
	self->busy = false;
	if (filled == -ENOMEM)
		return PyErr_NoMemory();
	if (filled < 0) {
		py_cursor_error(self->trace, (int)filled);
		return NULL;
	}
	return take_columns(self, (Py_ssize_t)filled);
}

/* Paths from number `first` on. */
static PyObject *batches_files(struct py_batches *self, PyObject *first)
{
	long long from = PyLong_AsLongLong(first);
	PyObject *list;

	if (from == -1 && PyErr_Occurred())
		return NULL;
	if (self->busy) {
		PyErr_SetString(PyExc_RuntimeError, "another thread is using these columns");
		return NULL;
	}
	list = PyList_New(0);
	for (long long i = from < 0 ? 0 : from; list && i < self->files.count; i++) {
		PyObject *path = text_of(self->files.all[i]);

		if (!path || PyList_Append(list, path))
			Py_CLEAR(list);
		Py_XDECREF(path);
	}
	return list;
}

static void batches_dealloc(struct py_batches *self)
{
	reader_cursor_free(self->cursor);
	py_filter_release(&self->filter);
	for (unsigned i = 0; i < self->column_count; i++) {
		free(self->columns[i].data);
		free(self->columns[i].table);
	}
	free(self->columns);
	categories_release(&self->files);
	trace_leave(self->trace);
	PyObject_Free(self);
}

/* The index of the argument `name` of each function. */
static int32_t *find_args(const struct reader *trace, const char *name)
{
	unsigned count = reader_function_count(trace);
	int32_t *found = malloc((count + 1) * sizeof(*found));

	for (unsigned i = 0; found && i < count; i++) {
		const struct reader_function_info *function = reader_function_by_id(trace, i);

		found[i] = -1;
		for (unsigned k = 0; k < function->arg_count; k++)
			if (strcmp(function->args[k].name, name) == 0 &&
			    (function->args[k].class_ == READER_INT ||
			     function->args[k].class_ == READER_PAIR))
				found[i] = (int32_t)k;
	}
	return found;
}

/* The number of each function's name or layer. */
static int32_t *number_functions(const struct reader *trace, enum column_how how)
{
	unsigned count = reader_function_count(trace);
	int32_t *numbers = malloc((count + 1) * sizeof(*numbers));
	struct categories names = {0};

	for (unsigned i = 0; numbers && i < count; i++) {
		const struct reader_function_info *function = reader_function_by_id(trace, i);

		numbers[i] = categories_number(&names, how == COLUMN_LAYER ? function->layer
									   : function->name);
		if (numbers[i] < 0) {
			free(numbers);
			numbers = NULL;
		}
	}
	categories_release(&names);
	return numbers;
}

/* 0 or -1: no memory. */
static int make_table(const struct reader *trace, struct column *column, const char *name)
{
	switch (column->kind->how) {
	case COLUMN_ARG:
	case COLUMN_KNOWN:
		column->table = find_args(trace, strchr(name, ':') + 1);
		return column->table ? 0 : -1;
	case COLUMN_FUNCTION:
	case COLUMN_LAYER:
		column->table = number_functions(trace, column->kind->how);
		return column->table ? 0 : -1;
	default:
		return 0;
	}
}

static int add_column(struct py_batches *self, PyObject *object)
{
	const char *name = PyUnicode_Check(object) ? PyUnicode_AsUTF8(object) : NULL;
	const struct column_kind *kind = name ? column_kind(name) : NULL;
	struct column *column = &self->columns[self->column_count];

	if (!kind) {
		PyErr_Format(error_filter, "%R is no column", object);
		return -1;
	}
	*column = (struct column){
		.kind = kind, .at = kind->at, .size = kind->size, .position = self->column_count};
	if (make_table(self->trace->trace, column, name)) {
		PyErr_NoMemory();
		return -1;
	}
	self->column_count++;
	return 0;
}

static int compare_columns(const void *one, const void *other)
{
	const struct column *a = one, *b = other;
	int groups = (int)group_of(a->kind) - (int)group_of(b->kind);

	return groups ? groups : a->position < b->position ? -1 : 1;
}

static void group_columns(struct py_batches *self)
{
	unsigned count = 0;

	qsort(self->columns, self->column_count, sizeof(struct column), compare_columns);
	for (int group = 0; group < GROUPS; group++) {
		while (count < self->column_count &&
		       (int)group_of(self->columns[count].kind) == group)
			count++;
		self->group_ends[group] = self->columns + count;
	}
}

static int add_columns(struct py_batches *self, PyObject *names)
{
	Py_ssize_t count = PySequence_Size(names);

	if (count < 0)
		return -1;
	if (count > COLUMNS_MAX) {
		PyErr_SetString(error_filter, "too many columns");
		return -1;
	}
	self->columns = calloc((size_t)count + 1, sizeof(*self->columns));
	if (!self->columns) {
		PyErr_NoMemory();
		return -1;
	}
	for (Py_ssize_t i = 0; i < count; i++) {
		PyObject *name = PySequence_GetItem(names, i);
		int error = name ? add_column(self, name) : -1;

		Py_XDECREF(name);
		if (error)
			return -1;
	}
	group_columns(self);
	return 0;
}

PyObject *batches_new(struct py_trace *trace, PyObject *names, PyObject *keywords)
{
	struct py_batches *self = PyObject_New(struct py_batches, &batches_type);

	if (!self)
		return NULL;
	self->cursor = NULL;
	self->columns = NULL;
	self->column_count = 0;
	self->files = (struct categories){0};
	self->busy = false;
	self->block_count = 0;
	self->trace = trace;
	trace_use(trace);
	if (!py_filter_parse(&self->filter, keywords) && !add_columns(self, names))
		self->cursor = py_filter_cursor(trace, &self->filter);
	if (!self->cursor)
		Py_CLEAR(self);
	return (PyObject *)self;
}

static PyMethodDef batches_methods[] = {
	{"next", (PyCFunction)batches_next, METH_O,
	 "next(rows): [Column], of so many records or of what is left."},
	{"files", (PyCFunction)batches_files, METH_O,
	 "files(first): paths by number, from this one."},
	{NULL, NULL, 0, NULL}};

PyTypeObject batches_type = {
	PyVarObject_HEAD_INIT(NULL, 0).tp_name = "recorder._reader.Batches",
	.tp_basicsize = sizeof(struct py_batches),
	.tp_dealloc = (destructor)batches_dealloc,
	.tp_flags = Py_TPFLAGS_DEFAULT,
	.tp_doc = "Records as columns.",
	.tp_methods = batches_methods,
};
