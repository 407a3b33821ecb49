/* SPDX-License-Identifier: MIT */
/* pyapi.c - see pyapi.h */
#include "pycalls/pyapi.h"

#include <dlfcn.h>
#include <string.h>

#include "record/text.h"
#include "record/thread.h"

#define OLDEST 8u

struct pyapi py;

/* dlsym() is one of those that are recorded. */
static void *find(const char *name)
{
	void *found;

	thread_tls.in_runtime++;
	found = dlsym(RTLD_DEFAULT, name);
	thread_tls.in_runtime--;
	return found;
}

bool pyapi_is_here(void)
{
	return find("Py_IsInitialized") != NULL;
}

/* "3.11.2 (main, ...": needs no interpreter. */
static bool read_version(unsigned *minor)
{
	const char *(*get)(void) = (const char *(*)(void))find("Py_GetVersion");
	const char *text = get ? get() : "";
	uint64_t number;

	if (strncmp(text, "3.", 2) != 0)
		return false;
	text += 2;
	if (!text_read_u64(&text, &number) || number > 99)
		return false;
	*minor = (unsigned)number;
	return true;
}

static bool find_needed(const char **why)
{
#define FIND(result, name, parameters)                                                             \
	*(void **)(void *)&py.name = find(#name);                                                  \
	if (!py.name) {                                                                            \
		*why = #name;                                                                      \
		return false;                                                                      \
	}
	PYAPI_NEEDED(FIND)
#undef FIND
	return true;
}

static bool find_objects(const char **why)
{
#define FIND(name, symbol)                                                                         \
	py.name = find(#symbol);                                                                   \
	if (!py.name) {                                                                            \
		*why = #symbol;                                                                    \
		return false;                                                                      \
	}
	PYAPI_OBJECTS(FIND)
#undef FIND
	return true;
}

bool pyapi_find(const char **why)
{
	*why = "version 3.8 or later";
	if (!read_version(&py.minor) || py.minor < OLDEST || !find_needed(why) ||
	    !find_objects(why))
		return false;
#define FIND(result, name, parameters) *(void **)(void *)&py.name = find(#name);
	PYAPI_OPTIONAL(FIND)
#undef FIND
	return true;
}

void *pyapi_interpreter(void)
{
	if (py.PyInterpreterState_Get)
		return py.PyInterpreterState_Get();
	return py._PyInterpreterState_Get ? py._PyInterpreterState_Get() : NULL;
}

PyObject *pyapi_get(PyObject *object, const char *attribute)
{
	PyObject *value = object ? py.PyObject_GetAttrString(object, attribute) : NULL;

	if (!value)
		py.PyErr_Clear();
	return value;
}

void pyapi_release(PyObject *object)
{
	if (object)
		py.Py_DecRef(object);
}

long pyapi_number(PyObject *object, const char *attribute)
{
	PyObject *value = pyapi_get(object, attribute);
	long number = value ? py.PyLong_AsLong(value) : -1;

	if (number == -1)
		py.PyErr_Clear();
	pyapi_release(value);
	return number;
}

/* Names of files need not be of the encoding: what is none comes as it came. */
void pyapi_text(PyObject *text, char *buffer, size_t size)
{
	PyObject *bytes =
		text ? py.PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape") : NULL;
	const char *string = bytes ? py.PyBytes_AsString(bytes) : NULL;
	struct textbuf copy = text_in(buffer, size);

	if (string)
		text_add(&copy, string);
	else
		py.PyErr_Clear();
	pyapi_release(bytes);
}

void pyapi_text_of(PyObject *object, const char *attribute, char *buffer, size_t size)
{
	PyObject *text = pyapi_get(object, attribute);

	pyapi_text(text, buffer, size);
	pyapi_release(text);
}
