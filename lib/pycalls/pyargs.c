/* SPDX-License-Identifier: MIT */
/* pyargs.c - see pyargs.h */
#include "pycalls/pyargs.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "pycalls/pycall.h"
#include "pycalls/pymatch.h"
#include "pycalls/pysource.h"
#include "record/args.h"
#include "record/config.h"
#include "record/critical.h"
#include "record/growing.h"
#include "record/note.h"
#include "record/sys.h"
#include "record/text.h"

#define SHAPES_MAX 24u
#define RESUMES 0x2a0    /* flags of generators, coroutines, asynchronous generators */
#define LOCALS_ASKED 12u /* from 3.12 on Python tells variables */

/* One argument and where it is. */
struct place {
	char name[NAMED_OTHER_MAX + 1];
	uint16_t slot; /* among the frame's variables */
	bool in_cell;
};

/* The function of the trace for arguments of these kinds. */
struct shape {
	uint32_t number;
	uint8_t kinds[NAMED_ARGS_MAX];
};

struct pyrequest {
	uint32_t base;
	bool has_result, resumes;
	uint8_t count, usage; /* arguments asked for; those of usage behind them */
	uint16_t slots;       /* of the frame */
	struct place places[NAMED_ARGS_MAX];
	_Atomic bool busy;
	_Atomic uint32_t shape_count;
	struct shape shapes[SHAPES_MAX + 1]; /* the last one is that of texts */
};

/* ---- what is asked for ---- */

bool pyargs_is_list(const char *list)
{
	return !list || !strchr(list, '/');
}

static struct pyrequest *new_request(PyObject *code)
{
	struct pyrequest *request = calloc(1, sizeof(*request));

	if (request) {
		request->resumes = (pyapi_number(code, "co_flags") & RESUMES) != 0;
		request->usage = config.usage ? PYCALL_USAGE : 0;
	}
	return request;
}

/* The place of a name in a tuple of them, -1: it is not there. */
static long index_of(PyObject *names, const char *name)
{
	char buffer[PYNAME_MAX];

	for (long i = 0; names && i < (long)py.PyTuple_Size(names); i++) {
		pyapi_text(py.PyTuple_GetItem(names, i), buffer, sizeof(buffer));
		if (!strcmp(buffer, name))
			return i;
	}
	return -1;
}

static long size_of(PyObject *names)
{
	return names ? (long)py.PyTuple_Size(names) : 0;
}

/* What is captured by inner functions is in a cell: to 3.10 in one behind the variables, later in the variable's own place, once the code has begun. */
static void find_place(struct pyrequest *request, PyObject *code, PyObject *variables, long index,
		       struct place *place)
{
	PyObject *cells = pyapi_get(code, "co_cellvars"), *outer = pyapi_get(code, "co_freevars");
	long cell = index_of(cells, place->name), slots = size_of(variables) + size_of(outer);
	char name[PYNAME_MAX];

	for (long i = 0; i < size_of(cells); i++) {
		pyapi_text(py.PyTuple_GetItem(cells, i), name, sizeof(name));
		slots += py.minor < 11 || index_of(variables, name) < 0;
	}
	if (cell >= 0 && py.minor < 11)
		index = size_of(variables) + cell;
	place->slot = (uint16_t)index;
	place->in_cell = cell >= 0 && (py.minor < 11 || request->resumes);
	request->slots = slots < UINT16_MAX ? (uint16_t)slots : 0;
	pyapi_release(cells);
	pyapi_release(outer);
}

static bool has_place(const struct pyrequest *request, const char *name)
{
	for (unsigned i = 0; i < request->count; i++)
		if (!strcmp(request->places[i].name, name))
			return true;
	return false;
}

/* As many as a record has room for, with what else is put into it. */
static bool has_room(const struct pyrequest *request)
{
	return request->count + request->usage + 1u < NAMED_ARGS_MAX;
}

static void add_place(struct pyrequest *request, PyObject *code, PyObject *variables, long index)
{
	struct place *place = &request->places[request->count];

	if (!has_room(request) || index >= UINT16_MAX)
		return;
	pyapi_text(py.PyTuple_GetItem(variables, index), place->name, sizeof(place->name));
	if (has_place(request, place->name))
		return;
	find_place(request, code, variables, index, place);
	request->count++;
}

static void complain(const char *path, const char *name)
{
	note("'", name, "' is no argument of ", path, NULL);
}

/* The next name of "n,*args". */
static bool next_name(const char **list, char name[PYNAME_MAX])
{
	struct textbuf text = text_in(name, PYNAME_MAX);
	size_t length;

	*list += strspn(*list, ", *");
	length = strcspn(*list, ", ");
	text_add_bytes(&text, *list, length);
	*list += length;
	return length > 0;
}

void pyargs_ask(struct pyrequest **request, PyObject *code, const char *path, const char *list)
{
	PyObject *variables = pyapi_get(code, "co_varnames");
	long count = pysource_args(code);
	char name[PYNAME_MAX];

	if (!*request)
		*request = new_request(code);
	if (!*request || !variables || size_of(variables) < count) {
		pyapi_release(variables);
		return;
	}
	for (long i = 0; !list && i < count; i++)
		add_place(*request, code, variables, i);
	while (list && next_name(&list, name)) {
		long index = index_of(variables, name);

		if (index >= 0 && index < count)
			add_place(*request, code, variables, index);
		else
			complain(path, name);
	}
	py.PyErr_Clear();
	pyapi_release(variables);
}

void pyargs_ask_result(struct pyrequest **request, PyObject *code)
{
	if (!*request)
		*request = new_request(code);
	if (*request)
		(*request)->has_result = true;
}

void pyargs_set_number(struct pyrequest *request, uint32_t base)
{
	request->base = base;
}

bool pyargs_are_same(const struct pyrequest *a, const struct pyrequest *b)
{
	if (!a || !b)
		return a == b;
	return a->has_result == b->has_result && a->resumes == b->resumes && a->count == b->count &&
	       a->slots == b->slots && !memcmp(a->places, b->places, sizeof(a->places));
}

void pyargs_free(struct pyrequest *request)
{
	free(request);
}

/* ---- where variables are ---- */

/* Fields of PyFrameObject, and of 3.11's struct _PyInterpreterFrame. */
static const struct {
	uint16_t variables;
	uint16_t
		values; /* to 3.10: where the values of expressions begin, which is behind all variables; 3.11: how many variables there are */
} layouts[] = {[8] = {360, 64}, [9] = {360, 64}, [10] = {352, 64}, [11] = {72, 64}};

static bool is_as_expected(const struct pyrequest *request, const char *frame)
{
	const char *variables = frame + layouts[py.minor].variables;
	const void *field = frame + layouts[py.minor].values;

	if (py.minor < 11)
		return *(const char *const *)field ==
		       variables + (size_t)request->slots * sizeof(void *);
	return *(const int *)field == request->slots ||
	       (request->resumes && *(const int *)field == request->slots + 1);
}

/* To be released; NULL: it is not set. */
static PyObject *variable_of(const struct pyrequest *request, const struct place *place,
			     const void *frame)
{
	PyObject *object, *type;

	if (py.minor >= LOCALS_ASKED) {
		object = py.PyFrame_GetVarString((PyObject *)(uintptr_t)frame, place->name);
		if (!object)
			py.PyErr_Clear();
		return object;
	}
	(void)request;
	object = *(PyObject *const *)((const char *)frame + layouts[py.minor].variables +
				      place->slot * sizeof(void *));
	if (!object)
		return NULL;
	if (!place->in_cell) {
		py.Py_IncRef(object);
		return object;
	}
	type = py.PyObject_Type(object);
	pyapi_release(type);
	return type == py.CellType ? py.PyCell_Get(object) : NULL;
}

static bool can_be_read(const struct pyrequest *request, const void *frame)
{
	static _Atomic bool said;

	if (!frame || !request->count)
		return false;
	if (py.minor >= LOCALS_ASKED ? py.PyFrame_GetVarString != NULL
				     : is_as_expected(request, frame))
		return true;
	if (!atomic_exchange(&said, true))
		note("arguments of functions of Python are not recorded: its frames are not as "
		     "expected",
		     NULL);
	return false;
}

/* ---- which function of the trace ---- */

static uint32_t known_shape(const struct pyrequest *request, const uint8_t *kinds)
{
	uint32_t count = atomic_load_explicit(&request->shape_count, memory_order_acquire);

	for (uint32_t i = 0; i < count; i++)
		if (!memcmp(request->shapes[i].kinds, kinds, request->count))
			return request->shapes[i].number;
	return NAMED_NONE;
}

static uint32_t number_with(const struct pyrequest *request, const uint8_t *kinds)
{
	uint32_t number = request->base;

	for (unsigned i = 0; i < request->count && number != NAMED_NONE; i++)
		number = named_with(number, request->places[i].name, (enum kind)kinds[i]);
	return request->usage ? pycall_with_usage(number) : number;
}

/* `last`: texts alone, for which there is always room. Interpreters may have a lock each. */
static uint32_t add_shape(struct pyrequest *request, const uint8_t *kinds, bool last)
{
	uint32_t number, count;

	critical_enter();
	while (atomic_exchange_explicit(&request->busy, true, memory_order_acquire))
		sys_sched_yield();
	number = known_shape(request, kinds);
	count = atomic_load_explicit(&request->shape_count, memory_order_relaxed);
	if (number == NAMED_NONE && count < SHAPES_MAX + last) {
		number = number_with(request, kinds);
		memcpy(request->shapes[count].kinds, kinds, request->count);
		request->shapes[count].number = number;
		if (number != NAMED_NONE)
			atomic_store_explicit(&request->shape_count, count + 1,
					      memory_order_release);
	}
	atomic_store_explicit(&request->busy, false, memory_order_release);
	critical_leave();
	return number;
}

static uint32_t shape_of(struct pyrequest *request, const struct pyvalue *values, bool last)
{
	uint8_t kinds[NAMED_ARGS_MAX];
	uint32_t number;

	for (unsigned i = 0; i < request->count; i++)
		kinds[i] = values[i].kind;
	number = known_shape(request, kinds);
	return number != NAMED_NONE ? number : add_shape(request, kinds, last);
}

/* ---- calls ---- */

static void take_all(const struct pyrequest *request, const void *frame, struct pyvalue *values,
		     bool as_text)
{
	for (unsigned i = 0; i < request->count; i++) {
		PyObject *object = variable_of(request, &request->places[i], frame);

		pyvalue_take(&values[i], object, as_text);
		pyapi_release(object);
	}
}

static void release_all(const struct pyrequest *request, struct pyvalue *values)
{
	for (unsigned i = 0; i < request->count; i++)
		pyvalue_release(&values[i]);
}

/* errno is the program's. */
static uint32_t take(struct pyrequest *request, const void *frame, struct pyvalue *values)
{
	struct thread *thread = pyvalue_quiet();
	int saved = errno;
	uint32_t number;

	take_all(request, frame, values, false);
	number = shape_of(request, values, false);
	if (number == NAMED_NONE) {
		release_all(request, values);
		take_all(request, frame, values, true);
		number = shape_of(request, values, true);
	}
	errno = saved;
	pyvalue_loud(thread);
	return number;
}

static void let_go(const struct pyrequest *request, struct pyvalue *values)
{
	int saved = errno;

	runtime_enter(); /* and the thread is busy */
	release_all(request, values);
	runtime_leave();
	errno = saved;
}

static __attribute__((noinline)) bool enter_with(struct call *call, const struct pycode *code,
						 const void *frame)
{
	struct pyrequest *request = code->request;
	struct pyvalue values[NAMED_ARGS_MAX];
	uint32_t number = take(request, frame, values);
	unsigned count = request->count + request->usage;
	bool entered;

	if (number == NAMED_NONE) {
		let_go(request, values);
		return pushed_enter(call, code->number, request->usage, 0);
	}
	entered = pushed_enter(call, number, count, 0);
	for (unsigned i = 0; entered && i < count; i++)
		call->record->args[i] = 0;
	for (unsigned i = 0; entered && i < request->count; i++)
		pyvalue_put(call, i, &values[i]);
	let_go(request, values);
	return entered;
}

bool pyargs_enter(struct call *call, const struct pycode *code, const void *frame)
{
	if (can_be_read(code->request, frame))
		return enter_with(call, code, frame);
	return pushed_enter(call, code->number, code->request->usage, 0);
}

void pyargs_result(struct call *call, const struct pyrequest *request, const char *name,
		   PyObject *object)
{
	struct pyvalue value;
	int saved = errno, index;

	if (!request->has_result || !object)
		return;
	runtime_enter(); /* and the thread is busy */
	pyvalue_take(&value, object, false);
	index = growing_add(call->thread, call->record, name, (enum kind)value.kind);
	if (index >= 0)
		pyvalue_put(call, (unsigned)index, &value);
	pyvalue_release(&value);
	runtime_leave();
	errno = saved;
}
