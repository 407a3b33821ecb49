/* SPDX-License-Identifier: MIT */
/* pyprofile.c - see pyprofile.h */
#define PY_SSIZE_T_CLEAN
#include "pyprofile.h"

#include <errno.h>
#include <stddef.h>
#include <structmember.h>

#include "pyregions.h"
#include "pysite.h"
#include "pyvalues.h"

struct profile {
	PyObject_HEAD PyObject *name, *category;
	PyObject *arguments; /* a dict */
	PyObject *
		base; /* None, or the profile whose arguments come before and that is asked where `on` is -1 */
	signed char on;
	unsigned entered;             /* blocks of the profile itself, in whichever thread */
	struct recorder_site *own;    /* their place */
	struct recorder_site **sites; /* of all its regions */
	size_t site_count;
};

bool profile_is_on(PyObject *object)
{
	const struct profile *self = (struct profile *)object;

	while (self->on < 0 && self->base && self->base != Py_None)
		self = (struct profile *)self->base;
	return self->on != 0;
}

int profile_describe(PyObject *object, struct recorder_site *site)
{
	const struct profile *self = (struct profile *)object;

	if (self->base && self->base != Py_None && profile_describe(self->base, site))
		return -1;
	return pyset_all(site, self->arguments);
}

/* 0 or -1 with an exception. */
static int own(struct profile *self, struct recorder_site *site)
{
	struct recorder_site **more;

	for (size_t i = 0; i < self->site_count; i++)
		if (self->sites[i] == site)
			return 0;
	more = PyMem_Realloc(self->sites, (self->site_count + 1) * sizeof(struct recorder_site *));
	if (!more) {
		PyErr_NoMemory();
		return -1;
	}
	more[self->site_count++] = site;
	self->sites = more;
	return self->base && self->base != Py_None ? own((struct profile *)self->base, site) : 0;
}

static int profile_init(struct profile *self, PyObject *args, PyObject *keywords)
{
	PyObject *category, *name, *arguments = NULL, *base = Py_None;
	int on = -1;

	if (keywords && PyDict_GET_SIZE(keywords) > 0) {
		PyErr_SetString(PyExc_TypeError, "_Profile(category, name, arguments, base, on)");
		return -1;
	}
	if (!PyArg_ParseTuple(args, "UU|O!Oi", &category, &name, &PyDict_Type, &arguments, &base,
			      &on))
		return -1;
	if (base != Py_None && !PyObject_TypeCheck(base, &profile_type)) {
		PyErr_SetString(PyExc_TypeError, "base must be a profile");
		return -1;
	}
	arguments = arguments ? PyDict_Copy(arguments) : PyDict_New();
	if (!arguments)
		return -1;
	Py_INCREF(category);
	Py_INCREF(name);
	Py_INCREF(base);
	Py_XSETREF(self->category, category);
	Py_XSETREF(self->name, name);
	Py_XSETREF(self->arguments, arguments);
	Py_XSETREF(self->base, base);
	self->on = (signed char)on;
	return 0;
}

static int profile_traverse(struct profile *self, visitproc visit, void *arg)
{
#if PY_VERSION_HEX >= 0x03090000
	Py_VISIT(Py_TYPE(self));
#endif
	Py_VISIT(self->arguments);
	Py_VISIT(self->base);
	return 0;
}

static int profile_clear(struct profile *self)
{
	Py_CLEAR(self->arguments);
	Py_CLEAR(self->base);
	return 0;
}

static void profile_free(struct profile *self)
{
	PyObject_GC_UnTrack(self);
	profile_clear(self);
	Py_CLEAR(self->name);
	Py_CLEAR(self->category);
	PyMem_Free(self->sites);
	Py_TYPE(self)->tp_free((PyObject *)self);
}

static int has_begun(const struct profile *self)
{
	if (self->arguments && self->name)
		return 0;
	PyErr_SetString(PyExc_RuntimeError, "a profile without a name");
	return -1;
}

/* NULL with an exception. */
static struct recorder_site *site_named(struct profile *self, PyObject *name)
{
	struct recorder_site *site;

	if (has_begun(self))
		return NULL;
	site = pysite_of(name && name != Py_None ? name : self->name, self->category);
	return site && own(self, site) == 0 ? site : NULL;
}

/* region(name=None, arguments=None) */
static PyObject *profile_region(struct profile *self, PyObject *args)
{
	PyObject *name = Py_None, *arguments = Py_None;
	struct recorder_site *site;

	if (!PyArg_ParseTuple(args, "|OO:region", &name, &arguments))
		return NULL;
	if (arguments != Py_None && !PyDict_Check(arguments)) {
		PyErr_SetString(PyExc_TypeError, "arguments must be a dict");
		return NULL;
	}
	site = site_named(self, name);
	if (!site)
		return NULL;
	return pyregion_of((PyObject *)self, site, arguments == Py_None ? NULL : arguments);
}

/* around(function, name=None, taken=None) */
static PyObject *profile_around(struct profile *self, PyObject *args)
{
	PyObject *function, *name = Py_None, *taken = Py_None, *region, *made;
	struct recorder_site *site;

	if (!PyArg_ParseTuple(args, "O|OO:around", &function, &name, &taken))
		return NULL;
	if (taken != Py_None && !PyTuple_Check(taken)) {
		PyErr_SetString(PyExc_TypeError, "taken must be a tuple");
		return NULL;
	}
	site = site_named(self, name);
	region = site ? pyregion_of((PyObject *)self, site, NULL) : NULL;
	if (!region)
		return NULL;
	made = pyregion_around(region, function, taken == Py_None ? NULL : taken);
	Py_DECREF(region);
	return made;
}

/* Its region that has fewest others inside. NULL: none is open. */
static struct recorder_site *innermost(const struct profile *self)
{
	struct recorder_site *found = NULL;
	int fewest = 0;

	for (size_t i = 0; i < self->site_count; i++) {
		int inside = recorder_inside(self->sites[i]);

		if (inside >= 0 && (!found || inside < fewest)) {
			found = self->sites[i];
			fewest = inside;
		}
	}
	return found;
}

/* Whether there was one. */
static PyObject *profile_set(struct profile *self, PyObject *arguments)
{
	struct recorder_site *site = innermost(self);

	if (!PyDict_Check(arguments)) {
		PyErr_SetString(PyExc_TypeError, "arguments must be a dict");
		return NULL;
	}
	if (site && pyset_all(site, arguments))
		return NULL;
	return PyBool_FromLong(site != NULL);
}

/* ---- blocks ---- */

static struct recorder_site *own_site(struct profile *self)
{
	if (!self->own)
		self->own = site_named(self, NULL);
	return self->own;
}

/* 0 or -1 with an exception. */
static int begin(struct profile *self)
{
	struct recorder_site *site = own_site(self);

	if (!site)
		return -1;
	if (!profile_is_on((PyObject *)self))
		return 0;
	recorder_begin(site);
	if (!profile_describe((PyObject *)self, site))
		return 0;
	recorder_end(site);
	return -1;
}

static PyObject *profile_enter(PyObject *self, PyObject *unused)
{
	(void)unused;
	if (begin((struct profile *)self))
		return NULL;
	((struct profile *)self)->entered++;
	Py_INCREF(self);
	return self;
}

/* It may have been off, or be ended by _end(). */
static bool is_open(const struct profile *self)
{
	return self->own && recorder_inside(self->own) != -ENOENT;
}

static PyObject *profile_exit(struct profile *self, PyObject *const *args, Py_ssize_t count)
{
	self->entered -= self->entered > 0;
	if (is_open(self)) {
		if (count > 0 && args[0] != Py_None)
			pyset_exception(self->own, args[0]);
		recorder_end(self->own);
	}
	Py_RETURN_FALSE;
}

/* Its block is over. False: there is none. */
static PyObject *profile_end(struct profile *self, PyObject *unused)
{
	(void)unused;
	if (!self->entered)
		Py_RETURN_FALSE;
	if (is_open(self))
		recorder_end(self->own);
	Py_RETURN_TRUE;
}

/* Its block begins now. */
static PyObject *profile_again(struct profile *self, PyObject *unused)
{
	(void)unused;
	if (!self->entered)
		Py_RETURN_NONE;
	if (is_open(self))
		recorder_cancel(self->own);
	if (begin(self))
		return NULL;
	Py_RETURN_NONE;
}

static PyObject *profile_get_on(PyObject *self, void *unused)
{
	(void)unused;
	return PyBool_FromLong(profile_is_on(self));
}

static int profile_set_on(PyObject *self, PyObject *value, void *unused)
{
	int on = value ? PyObject_IsTrue(value) : -1;

	(void)unused;
	if (on < 0) {
		if (!value)
			PyErr_SetString(PyExc_TypeError, "_on stays");
		return -1;
	}
	((struct profile *)self)->on = (signed char)on;
	return 0;
}

static PyMethodDef profile_methods[] = {
	{"__enter__", profile_enter, METH_NOARGS, NULL},
	{"__exit__", (PyCFunction)(void (*)(void))profile_exit, METH_FASTCALL, NULL},
	{"_end", (PyCFunction)profile_end, METH_NOARGS, NULL},
	{"_again", (PyCFunction)profile_again, METH_NOARGS, NULL},
	{"_region", (PyCFunction)profile_region, METH_VARARGS, NULL},
	{"_around", (PyCFunction)profile_around, METH_VARARGS, NULL},
	{"_set", (PyCFunction)profile_set, METH_O, NULL},
	{NULL, NULL, 0, NULL}};

static PyMemberDef profile_members[] = {
	{"_name", T_OBJECT_EX, offsetof(struct profile, name), READONLY, NULL},
	{"_cat", T_OBJECT_EX, offsetof(struct profile, category), READONLY, NULL},
	{"_arguments", T_OBJECT_EX, offsetof(struct profile, arguments), READONLY, NULL},
	{"_base", T_OBJECT_EX, offsetof(struct profile, base), READONLY, NULL},
	{NULL, 0, 0, 0, NULL}};

static PyGetSetDef profile_getset[] = {{"_on", profile_get_on, profile_set_on, NULL, NULL},
				       {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject profile_type = {
	PyVarObject_HEAD_INIT(NULL, 0).tp_name = "recorder._regions._Profile",
	.tp_basicsize = sizeof(struct profile),
	.tp_dealloc = (destructor)profile_free,
	.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
	.tp_doc = "What decorators with arguments of their own are made of.",
	.tp_traverse = (traverseproc)profile_traverse,
	.tp_clear = (inquiry)profile_clear,
	.tp_methods = profile_methods,
	.tp_members = profile_members,
	.tp_getset = profile_getset,
	.tp_init = (initproc)profile_init,
	.tp_new = PyType_GenericNew,
};

/* ---- events of the past ---- */

PyObject *pyevent(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
	long long begin = count == 5 ? PyLong_AsLongLong(args[2]) : 0;
	long long end = count == 5 && !PyErr_Occurred() ? PyLong_AsLongLong(args[3]) : 0;
	struct recorder_site *site;

	(void)module;
	if (PyErr_Occurred())
		return NULL;
	if (count != 5 || !PyDict_Check(args[4])) {
		PyErr_SetString(PyExc_TypeError, "_event(name, category, begin, end, arguments)");
		return NULL;
	}
	site = pysite_of(args[0], args[1]);
	if (!site)
		return NULL;
	recorder_begin_at(site, begin);
	if (pyset_all(site, args[4])) {
		recorder_end(site);
		return NULL;
	}
	recorder_end_at(site, end);
	Py_RETURN_NONE;
}
