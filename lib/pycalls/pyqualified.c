/* SPDX-License-Identifier: MIT */
/* pyqualified.c - see pyqualified.h */
#include "pycalls/pyqualified.h"

#include <stdlib.h>
#include <string.h>

#include "pycalls/pyextra.h"
#include "pycalls/pymatch.h"
#include "record/text.h"

#define HAS_NAMES 11u     /* 3.11 */
#define REFERRERS_MAX 256 /* searches through all objects, which take milliseconds each */

/* A note is a string; the lowest bit tells it from what pycode.c puts there, which is aligned. */
static void *note_of(const char *name)
{
	size_t length = strlen(name);
	char *memory = malloc(length + 2);

	if (!memory)
		return NULL;
	memcpy(memory + 1, name, length + 1); /* at an odd address */
	return memory + 1;
}

void pyqualified_release(void *word)
{
	if (pyqualified_is_note(word))
		free((char *)word - 1);
}

/* Of the functions that have this code, if there are any. */
static bool ask_referrers(PyObject *code, char *buffer, size_t size)
{
	static unsigned asked;
	PyObject *gc, *list;

	if (asked == REFERRERS_MAX)
		return false;
	asked++;
	gc = py.PyImport_ImportModule("gc");
	list = gc ? py.PyObject_CallMethod(gc, "get_referrers", "O", code) : NULL;
	py.PyErr_Clear();
	*buffer = '\0';
	for (ptrdiff_t i = 0; list && !*buffer && i < py.PyList_Size(list); i++) {
		PyObject *function = py.PyList_GetItem(list, i);
		PyObject *its = function ? pyapi_get(function, "__code__") : NULL;

		if (its == code)
			pyapi_text_of(function, "__qualname__", buffer, size);
		pyapi_release(its);
	}
	py.PyErr_Clear();
	pyapi_release(list);
	pyapi_release(gc);
	return *buffer;
}

void pyqualified_name(PyObject *code, const void *word, char *buffer, size_t size)
{
	struct textbuf text = text_in(buffer, size);

	if (py.minor >= HAS_NAMES) {
		pyapi_text_of(code, "co_qualname", buffer, size);
		return;
	}
	if (pyqualified_is_note(word)) {
		text_add(&text, word);
		return;
	}
	if (pycode_is_function(pyapi_number(code, "co_flags")) && ask_referrers(code, buffer, size))
		return;
	pyapi_text_of(code, "co_name", buffer, size);
}

static void note(PyObject *code, const char *qualified, bool is_function)
{
	char inner[PYNAME_MAX], name[PYNAME_MAX];
	struct textbuf text = text_in(inner, sizeof(inner));

	pyapi_text_of(code, "co_name", name, sizeof(name));
	text_add(&text, qualified);
	text_add(&text, !*qualified ? "" : is_function ? ".<locals>." : ".");
	text_add(&text, name);
	pyextra_set(code, note_of(inner));
}

void pyqualified_note_inner(PyObject *code, const char *qualified, long flags)
{
	PyObject *constants;

	if (py.minor >= HAS_NAMES)
		return;
	constants = pyapi_get(code, "co_consts");
	for (ptrdiff_t i = 0; constants && i < py.PyTuple_Size(constants); i++) {
		PyObject *inner = py.PyTuple_GetItem(constants, i);

		if (inner && py.PyObject_IsInstance(inner, py.CodeType) == 1 && !pyextra_get(inner))
			note(inner, strcmp(qualified, "<module>") ? qualified : "",
			     pycode_is_function(flags));
	}
	py.PyErr_Clear();
	pyapi_release(constants);
}
