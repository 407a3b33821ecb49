/* SPDX-License-Identifier: MIT */
/*
 * pyregions.c - see pyregions.h
 *
 * `with` makes a region of a Region, a call with a function gives that function in one, as a Traced (pytraced.h). Functions that yield are wrapped in Python
 * (python/recorder/regions.py).
 */
#define PY_SSIZE_T_CLEAN
#include "pyregions.h"

#include <errno.h>

#include "pyprofile.h"
#include "pysite.h"
#include "pytraced.h"
#include "pyvalues.h"

struct region {
	PyObject_HEAD struct recorder_site
		*site; /* NULL: of the function that it will be called with */
	PyObject *category, *arguments;
	PyObject *profile; /* as of Traced */
};

static PyObject *
	finish; /* of regions.py: makes a Traced look like its function, or wraps one that yields */

PyObject *pyregion_set_finish(PyObject *module, PyObject *function)
{
	(void)module;
	Py_INCREF(function);
	Py_XSETREF(finish, function);
	Py_RETURN_NONE;
}

/* Arguments of the region: all keywords but `category`, which goes there. 0 or -1 with an exception. */
static int take_keywords(struct region *self, PyObject *keywords)
{
	PyObject *category;

	if (!keywords || PyDict_GET_SIZE(keywords) == 0)
		return 0;
	self->arguments = PyDict_Copy(keywords);
	category = self->arguments ? PyDict_GetItemString(self->arguments, "category") : NULL;
	if (category) {
		Py_INCREF(category);
		Py_SETREF(self->category, category);
		PyDict_DelItemString(self->arguments, "category");
	}
	return self->arguments ? 0 : -1;
}

static PyObject *decorate(struct region *self, PyObject *function);

/* region("name", "category", epoch=3), or a function as the only argument. */
static PyObject *region_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
	PyObject *name = Py_None, *category = Py_None, *made;
	struct region *self;

	if (!PyArg_ParseTuple(args, "|OO:region", &name, &category))
		return NULL;
	self = PyObject_GC_New(struct region, type);
	if (!self)
		return NULL;
	Py_INCREF(category);
	self->category = category;
	self->arguments = self->profile = NULL;
	self->site = NULL;
	PyObject_GC_Track(self);
	if (take_keywords(self, keywords) ||
	    (PyUnicode_Check(name) && !(self->site = pysite_of(name, self->category)))) {
		Py_DECREF(self);
		return NULL;
	}
	if (name == Py_None || PyUnicode_Check(name))
		return (PyObject *)self;
	made = decorate(self, name);
	Py_DECREF(self);
	return made;
}

static int region_traverse(struct region *self, visitproc visit, void *arg)
{
	Py_VISIT(self->category);
	Py_VISIT(self->arguments);
	Py_VISIT(self->profile);
	return 0;
}

static int region_clear(struct region *self)
{
	Py_CLEAR(self->category);
	Py_CLEAR(self->arguments);
	Py_CLEAR(self->profile);
	return 0;
}

static void region_free(struct region *self)
{
	PyObject_GC_UnTrack(self);
	region_clear(self);
	PyObject_GC_Del(self);
}

PyObject *pyregion_of(PyObject *profile, struct recorder_site *site, PyObject *arguments)
{
	struct region *self = PyObject_GC_New(struct region, &region_type);

	if (!self)
		return NULL;
	Py_INCREF(Py_None);
	Py_INCREF(profile);
	Py_XINCREF(arguments);
	self->category = Py_None;
	self->profile = profile;
	self->arguments = arguments;
	self->site = site;
	PyObject_GC_Track(self);
	return (PyObject *)self;
}

static int region_begin(const struct region *self)
{
	recorder_begin(self->site);
	if ((!self->profile || !profile_describe(self->profile, self->site)) &&
	    (!self->arguments || !pyset_all(self->site, self->arguments)))
		return 0;
	recorder_end(self->site);
	return -1;
}

static PyObject *region_enter(struct region *self, PyObject *unused)
{
	(void)unused;
	if (!self->site) {
		PyErr_SetString(PyExc_TypeError, "a region without a name");
		return NULL;
	}
	if ((!self->profile || profile_is_on(self->profile)) && region_begin(self))
		return NULL;
	Py_INCREF(self);
	return (PyObject *)self;
}

/* That of a profile may have been off, or be ended by hand. */
static bool is_to_be_ended(const struct region *self)
{
	return !self->profile || recorder_inside(self->site) != -ENOENT;
}

static PyObject *region_exit(struct region *self, PyObject *const *args, Py_ssize_t count)
{
	if (!is_to_be_ended(self))
		Py_RETURN_FALSE;
	if (count > 0 && args[0] != Py_None)
		pyset_exception(self->site, args[0]);
	recorder_end(self->site);
	Py_RETURN_FALSE;
}

static PyObject *region_cancel(struct region *self, PyObject *unused)
{
	(void)unused;
	if (self->site && is_to_be_ended(self))
		recorder_cancel(self->site);
	Py_RETURN_NONE;
}

/* The same with these arguments. */
static PyObject *region_with(struct region *self, PyObject *arguments)
{
	if (!PyDict_Check(arguments) || !self->site || !self->profile) {
		PyErr_SetString(PyExc_TypeError, "_with(arguments) of a profile's region");
		return NULL;
	}
	return pyregion_of(self->profile, self->site, arguments);
}

/* What goes on from the begin to the end of a function that yields. */
static PyObject *region_span(struct region *self, PyObject *const *args, Py_ssize_t count)
{
	unsigned long long id = count == 2 ? PyLong_AsUnsignedLongLongMask(args[0]) : 0;

	if (count != 2 || !self->site) {
		PyErr_SetString(PyExc_TypeError, "_span(id, ends)");
		return NULL;
	}
	if (PyErr_Occurred())
		return NULL;
	if (self->profile && !profile_is_on(self->profile))
		Py_RETURN_NONE;
	if (args[1] == Py_True)
		recorder_span_end(self->site, id);
	else
		recorder_span_begin(self->site, id);
	Py_RETURN_NONE;
}

/* The same of another name. */
static struct region *region_like(const struct region *self, struct recorder_site *site)
{
	struct region *made = PyObject_GC_New(struct region, &region_type);

	if (!made)
		return NULL;
	Py_INCREF(self->category);
	Py_XINCREF(self->arguments);
	Py_XINCREF(self->profile);
	made->category = self->category;
	made->arguments = self->arguments;
	made->profile = self->profile;
	made->site = site;
	PyObject_GC_Track(made);
	return made;
}

static struct recorder_site *site_of_function(const struct region *self, PyObject *function)
{
	struct recorder_site *site;
	PyObject *name;

	if (!PyCallable_Check(function)) {
		PyErr_SetString(PyExc_TypeError, "region() takes a name or a function");
		return NULL;
	}
	if (self->site)
		return self->site;
	name = PyObject_GetAttrString(function, "__qualname__");
	site = name ? pysite_of(name, self->category) : NULL;
	Py_XDECREF(name);
	return site;
}

PyObject *pyregion_around(PyObject *region, PyObject *function, PyObject *taken)
{
	const struct region *self = (struct region *)region;
	PyObject *traced =
		pytraced_new(function, self->site, self->arguments, self->profile, taken);
	PyObject *made;

	if (!traced)
		return NULL;
	made = PyObject_CallFunction(finish, "OOO", traced, region, taken ? taken : Py_None);
	Py_DECREF(traced);
	return made;
}

/* Functions that yield are wrapped by `finish`, others here; `finish` makes them look like their function. */
static PyObject *decorate(struct region *self, PyObject *function)
{
	struct recorder_site *site = site_of_function(self, function);
	PyObject *region, *made;

	if (!site)
		return NULL;
	if (site == self->site)
		return pyregion_around((PyObject *)self, function, NULL);
	region = (PyObject *)region_like(self, site);
	made = region ? pyregion_around(region, function, NULL) : NULL;
	Py_XDECREF(region);
	return made;
}

static PyObject *region_call(PyObject *self, PyObject *args, PyObject *keywords)
{
	PyObject *function;

	if (keywords || !PyArg_ParseTuple(args, "O:region", &function))
		return NULL;
	return decorate((struct region *)self, function);
}

static PyObject *region_set(struct region *self, PyObject *const *args, Py_ssize_t count)
{
	return pyset_pair(self->site, args, count);
}

static PyMethodDef region_methods[] = {
	{"__enter__", (PyCFunction)region_enter, METH_NOARGS, NULL},
	{"__exit__", (PyCFunction)(void (*)(void))region_exit, METH_FASTCALL, NULL},
	{"set", (PyCFunction)(void (*)(void))region_set, METH_FASTCALL,
	 "set(key, value): an argument of the region"},
	{"cancel", (PyCFunction)region_cancel, METH_NOARGS,
	 "cancel(): it ends now and is not recorded; what was called in it is"},
	{"_with", (PyCFunction)region_with, METH_O, NULL},
	{"_span", (PyCFunction)(void (*)(void))region_span, METH_FASTCALL, NULL},
	{NULL, NULL, 0, NULL}};

PyTypeObject region_type = {
	PyVarObject_HEAD_INIT(NULL, 0).tp_name = "recorder.regions.region",
	.tp_basicsize = sizeof(struct region),
	.tp_dealloc = (destructor)region_free,
	.tp_call = region_call,
	.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
	.tp_doc = "region(name, category=None, **arguments): for `with`, or before a function",
	.tp_traverse = (traverseproc)region_traverse,
	.tp_clear = (inquiry)region_clear,
	.tp_methods = region_methods,
	.tp_new = region_new,
};
