/* SPDX-License-Identifier: MIT */
/* pyapi.c - see pyapi.h */
#include "pycalls/pyapi.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "record/text.h"
#include "record/thread.h"

#define OLDEST 8u

struct pyapi py;

static void *library; /* that of a Python that is not open to all; it stays */

static int find_library(struct dl_phdr_info *info, size_t size, void *found)
{
	const char *slash = strrchr(info->dlpi_name, '/');

	(void)size;
	if (strncmp(slash ? slash + 1 : info->dlpi_name, "libpython3.", 11) != 0)
		return 0;
	*(const char **)found = info->dlpi_name;
	return 1;
}

static void open_library(void)
{
	const char *name = NULL;

	library = NULL;
	if (!dlsym(RTLD_DEFAULT, "Py_IsInitialized") && dl_iterate_phdr(find_library, &name))
		library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
}

/* dlsym() is one of those that are recorded. */
void *pyapi_symbol(const char *name)
{
	void *found;

	runtime_enter();
	found = dlsym(library ? library : RTLD_DEFAULT, name);
	runtime_leave();
	return found;
}

bool pyapi_is_here(void)
{
	runtime_enter();
	open_library();
	runtime_leave();
	return pyapi_symbol("Py_IsInitialized") != NULL;
}

/* "3.11.2 (main, ...": needs no interpreter. */
static bool read_version(unsigned *minor, bool *locked)
{
	const char *(*get)(void) = (const char *(*)(void))pyapi_symbol("Py_GetVersion");
	const char *text = get ? get() : "";
	uint64_t number;

	*locked = !strstr(text, "free-threading build");

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
	*(void **)(void *)&py.name = pyapi_symbol(#name);                                          \
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
	py.name = pyapi_symbol(#symbol);                                                           \
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
	bool locked;

	*why = "version 3.8 or later";
	if (!read_version(&py.minor, &locked) || py.minor < OLDEST)
		return false;
	/* its objects are made otherwise, and what this keeps is guarded by that lock */
	*why = "its lock (GIL): it is a build without";
	if (!locked || !find_needed(why) || !find_objects(why))
		return false;
#define FIND(result, name, parameters) *(void **)(void *)&py.name = pyapi_symbol(#name);
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
