/* SPDX-License-Identifier: MIT */
/* pytraced.c - see pytraced.h */
#define PY_SSIZE_T_CLEAN
#include "pytraced.h"

#include <structmember.h>

#include "pyprofile.h"
#include "pyvalues.h"

#if PY_VERSION_HEX < 0x03090000 /* names of 3.8 */
#define PyObject_Vectorcall _PyObject_Vectorcall
#define Py_TPFLAGS_HAVE_VECTORCALL _Py_TPFLAGS_HAVE_VECTORCALL
#endif

struct traced {
	PyObject_HEAD vectorcallfunc vectorcall;
	PyObject *function, *arguments, *dict, *weak;
	PyObject *profile; /* NULL, or whose function it is */
	PyObject
		*taken; /* NULL, or which of the call's arguments are the region's: pytaken_set() */
	struct recorder_site *site;
};

/* What is said of a call before it is made: 0 or -1 with an exception. */
static int describe_call(const struct traced *self, PyObject *const *args, size_t count,
			 PyObject *names)
{
	if (self->profile && profile_describe(self->profile, self->site))
		return -1;
	if (self->arguments && pyset_all(NULL, self->arguments))
		return -1;
	return self->taken ? pytaken_set(self->site, self->taken, args, PyVectorcall_NARGS(count),
					 names)
			   : 0;
}

static PyObject *traced_call(PyObject *object, PyObject *const *args, size_t count, PyObject *names)
{
	struct traced *self = (struct traced *)object;
	PyObject *result;

	if (self->profile && !profile_is_on(self->profile))
		return PyObject_Vectorcall(self->function, args, count, names);
	recorder_begin(self->site);
	if (describe_call(self, args, count, names)) {
		recorder_end(self->site);
		return NULL;
	}
	result = PyObject_Vectorcall(self->function, args, count, names);
	if (!result)
		pyset_exception(self->site, PyErr_Occurred());
	recorder_end(self->site);
	return result;
}

static PyObject *traced_get(PyObject *self, PyObject *object, PyObject *type)
{
	(void)type;
	if (object && object != Py_None)
		return PyMethod_New(self, object);
	Py_INCREF(self);
	return self;
}

static int traced_traverse(struct traced *self, visitproc visit, void *arg)
{
	Py_VISIT(self->function);
	Py_VISIT(self->arguments);
	Py_VISIT(self->dict);
	Py_VISIT(self->profile);
	Py_VISIT(self->taken);
	return 0;
}

static int traced_clear(struct traced *self)
{
	Py_CLEAR(self->function);
	Py_CLEAR(self->arguments);
	Py_CLEAR(self->dict);
	Py_CLEAR(self->profile);
	Py_CLEAR(self->taken);
	return 0;
}

static void traced_free(struct traced *self)
{
	PyObject_GC_UnTrack(self);
	if (self->weak)
		PyObject_ClearWeakRefs((PyObject *)self);
	traced_clear(self);
	PyObject_GC_Del(self);
}

/* As functions are: by the name under which they are found again. */
static PyObject *traced_reduce(PyObject *self, PyObject *unused)
{
	(void)unused;
	return PyObject_GetAttrString(self, "__qualname__");
}

static PyObject *traced_repr(PyObject *self)
{
	return PyUnicode_FromFormat("<%R in a region>", ((struct traced *)self)->function);
}

static PyMethodDef traced_methods[] = {{"__reduce__", traced_reduce, METH_NOARGS, NULL},
				       {NULL, NULL, 0, NULL}};

static PyMemberDef traced_members[] = {{"__wrapped__", T_OBJECT_EX,
					offsetof(struct traced, function), READONLY, NULL},
				       {NULL, 0, 0, 0, NULL}};

static PyGetSetDef traced_getset[] = {{"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict,
				       NULL, NULL},
				      {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject traced_type = {
	PyVarObject_HEAD_INIT(NULL, 0).tp_name = "recorder._regions.Traced",
	.tp_basicsize = sizeof(struct traced),
	.tp_dealloc = (destructor)traced_free,
	.tp_vectorcall_offset = offsetof(struct traced, vectorcall),
	.tp_repr = traced_repr,
	.tp_call = PyVectorcall_Call,
	.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
		    Py_TPFLAGS_METHOD_DESCRIPTOR,
	.tp_doc = "A function in a region.",
	.tp_traverse = (traverseproc)traced_traverse,
	.tp_clear = (inquiry)traced_clear,
	.tp_weaklistoffset = offsetof(struct traced, weak),
	.tp_methods = traced_methods,
	.tp_members = traced_members,
	.tp_getset = traced_getset,
	.tp_descr_get = traced_get,
	.tp_dictoffset = offsetof(struct traced, dict),
};

PyObject *pytraced_new(PyObject *function, struct recorder_site *site, PyObject *arguments,
		       PyObject *profile, PyObject *taken)
{
	struct traced *traced = PyObject_GC_New(struct traced, &traced_type);

	if (!traced)
		return NULL;
	Py_INCREF(function);
	Py_XINCREF(arguments);
	Py_XINCREF(profile);
	Py_XINCREF(taken);
	traced->vectorcall = traced_call;
	traced->function = function;
	traced->arguments = arguments;
	traced->profile = profile;
	traced->taken = taken;
	traced->dict = traced->weak = NULL;
	traced->site = site;
	PyObject_GC_Track(traced);
	return (PyObject *)traced;
}
