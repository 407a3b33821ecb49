/* SPDX-License-Identifier: MIT */
/* pysource.c - see pysource.h */
#include "pycalls/pysource.h"

#include "record/sources.h"
#include "record/text.h"

#define CO_VARARGS 0x4
#define CO_VARKEYWORDS 0x8
#define CO_GENERATOR 0x20
#define CO_COROUTINE 0x80
#define CO_ASYNC_GENERATOR 0x200
#define NAMES_SIZE 1024u
#define NESTING_MAX 16u

/* ---- lines ---- */

static ptrdiff_t code_size(PyObject *code)
{
	PyObject *bytes = pyapi_get(code, "co_code");
	PyObject *length = bytes ? py.PyObject_CallMethod(bytes, "__len__", NULL) : NULL;
	long size = length ? py.PyLong_AsLong(length) : 0;

	py.PyErr_Clear();
	pyapi_release(length);
	pyapi_release(bytes);
	return size;
}

/* Between its first and its last. */
static bool spans_line(PyObject *code, uint32_t line)
{
	long first = pyapi_number(code, "co_firstlineno");
	ptrdiff_t size;

	if (first <= 0 || line < (uint32_t)first)
		return false;
	if (line == (uint32_t)first)
		return true;
	size = code_size(code);
	for (ptrdiff_t at = 0; at < size; at += 2)
		if (py.PyCode_Addr2Line(code, (int)at) >= (int)line)
			return true;
	return false;
}

static bool inner_spans_line(PyObject *code, uint32_t line)
{
	PyObject *constants = pyapi_get(code, "co_consts");
	bool spans = false;

	for (ptrdiff_t i = 0; constants && !spans && i < py.PyTuple_Size(constants); i++) {
		PyObject *inner = py.PyTuple_GetItem(constants, i);

		spans = inner && py.PyObject_IsInstance(inner, py.CodeType) == 1 &&
			spans_line(inner, line);
	}
	py.PyErr_Clear();
	pyapi_release(constants);
	return spans;
}

bool pysource_holds_line(PyObject *code, uint32_t line)
{
	return spans_line(code, line) && !inner_spans_line(code, line);
}

/* ---- names ---- */

static void add_name(struct textbuf *text, PyObject *name)
{
	char buffer[PYNAME_MAX];

	pyapi_text(name, buffer, sizeof(buffer));
	text_add(text, text->length ? "," : "");
	text_add(text, buffer);
}

/* Names number `from` to `to` - 1 of a tuple. */
static void add_names(struct textbuf *text, PyObject *names, long from, long to)
{
	long count = names ? (long)py.PyTuple_Size(names) : 0;

	for (long i = from; i < to && i < count && !text->cut; i++)
		add_name(text, py.PyTuple_GetItem(names, i));
	py.PyErr_Clear();
}

long pysource_args(PyObject *code)
{
	long args = pyapi_number(code, "co_argcount"), named;
	long flags = pyapi_number(code, "co_flags");

	named = pyapi_number(code, "co_kwonlyargcount");
	return (args > 0 ? args : 0) + (named > 0 ? named : 0) + !!(flags & CO_VARARGS) +
	       !!(flags & CO_VARKEYWORDS);
}

static uint32_t source_flags(long flags)
{
	return (flags & CO_GENERATOR ? SOURCE_GENERATOR : 0u) |
	       (flags & CO_ASYNC_GENERATOR ? SOURCE_GENERATOR | SOURCE_COROUTINE : 0u) |
	       (flags & CO_COROUTINE ? SOURCE_COROUTINE : 0u) |
	       (flags & CO_VARARGS ? SOURCE_VARARGS : 0u) |
	       (flags & CO_VARKEYWORDS ? SOURCE_KEYWORDS : 0u);
}

void pysource_tell(uint32_t number, PyObject *code, const struct pyname *name, const char *path,
		   uint32_t line)
{
	char arguments[NAMES_SIZE], variables[NAMES_SIZE];
	struct textbuf args = text_in(arguments, sizeof(arguments));
	struct textbuf locals = text_in(variables, sizeof(variables));
	PyObject *names = pyapi_get(code, "co_varnames");
	long flags = pyapi_number(code, "co_flags"), stack = pyapi_number(code, "co_stacksize");
	long count = pysource_args(code);
	struct def_source source = {.flags = source_flags(flags), .line = line};

	add_names(&args, names, 0, count);
	add_names(&locals, names, count, INT32_MAX);
	source.stack = stack > 0 ? (uint32_t)stack : 0;
	source.module = text_of(name->module);
	source.path = text_of(path);
	source.file = text_of(name->file);
	source.args = text_of(arguments);
	source.locals = text_of(variables);
	source_set(number, &source);
	pyapi_release(names);
}
