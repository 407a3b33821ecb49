/* SPDX-License-Identifier: MIT */
/*
 * pyregions.c - the module recorder._regions: recorder.h for Python.
 *
 * A Region is a place of the program with a name: `with` makes a region of it, a call with a function gives that function in one, as a Traced. Functions that
 * yield are wrapped in Python (python/recorder/regions.py). Places are kept for good, by name and category: their
 * number is what programs bound, and the recorder knows them by their address.
 */
#define PY_SSIZE_T_CLEAN
#include "pyregions.h"

#include <structmember.h>

#include <string.h>

/* ---- places ---- */

static PyObject *places; /* name, or (name, category): capsules of struct recorder_site */

static void *copy_of(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = PyMem_RawMalloc(size);

	return copy ? memcpy(copy, text, size) : NULL;
}

static struct recorder_site *make_site(PyObject *name, PyObject *category)
{
	const char *text = PyUnicode_AsUTF8(name);
	const char *kind = category == Py_None ? NULL : PyUnicode_AsUTF8(category);
	struct recorder_site *site;

	if (!text || (!kind && category != Py_None))
		return NULL;
	site = PyMem_RawCalloc(1, sizeof(*site));
	if (site) {
		site->name = copy_of(text);
		site->category = kind ? copy_of(kind) : NULL;
	}
	if (!site || !site->name || (kind && !site->category)) {
		PyErr_NoMemory();
		return NULL;
	}
	return site;
}

static struct recorder_site *add_site(PyObject *key, PyObject *name, PyObject *category)
{
	struct recorder_site *site = make_site(name, category);
	PyObject *capsule = site ? PyCapsule_New(site, NULL, NULL) : NULL;
	int error = capsule ? PyDict_SetItem(places, key, capsule) : -1;

	Py_XDECREF(capsule);
	return error ? NULL : site;
}

struct recorder_site *pysite_of(PyObject *name, PyObject *category)
{
	struct recorder_site *site;
	PyObject *key, *found;

	if (!PyUnicode_Check(name) || (category != Py_None && !PyUnicode_Check(category))) {
		PyErr_SetString(PyExc_TypeError, "name and category must be texts");
		return NULL;
	}
	if (category == Py_None) {
		Py_INCREF(name);
		key = name;
	} else {
		key = PyTuple_Pack(2, name, category);
	}
	if (!key)
		return NULL;
	found = PyDict_GetItemWithError(places, key);
	site = found              ? PyCapsule_GetPointer(found, NULL)
	       : PyErr_Occurred() ? NULL
				  : add_site(key, name, category);
	Py_DECREF(key);
	return site;
}

/* ---- functions in a region ---- */

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

static PyTypeObject traced_type = {
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

/* ---- regions ---- */

struct region {
	PyObject_HEAD struct recorder_site
		*site; /* NULL: of the function that it will be called with */
	PyObject *category, *arguments;
	PyObject *profile; /* as of Traced */
};

static PyObject *
	finish; /* of regions.py: makes a Traced look like its function, or wraps one that yields */

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

static PyTypeObject region_type;
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

static struct traced *traced_new(const struct region *self, PyObject *function, PyObject *taken)
{
	struct traced *traced = PyObject_GC_New(struct traced, &traced_type);

	if (!traced)
		return NULL;
	Py_INCREF(function);
	Py_XINCREF(self->arguments);
	Py_XINCREF(self->profile);
	Py_XINCREF(taken);
	traced->vectorcall = traced_call;
	traced->function = function;
	traced->arguments = self->arguments;
	traced->profile = self->profile;
	traced->taken = taken;
	traced->dict = traced->weak = NULL;
	traced->site = self->site;
	PyObject_GC_Track(traced);
	return traced;
}

PyObject *pyregion_around(PyObject *region, PyObject *function, PyObject *taken)
{
	struct traced *traced = traced_new((struct region *)region, function, taken);
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

static PyObject *set_of(struct recorder_site *site, PyObject *const *args, Py_ssize_t count)
{
	if (count != 2 || !PyUnicode_Check(args[0])) {
		PyErr_SetString(PyExc_TypeError, "set(key, value)");
		return NULL;
	}
	if (pyset_value(site, args[0], args[1]))
		return NULL;
	Py_RETURN_NONE;
}

static PyObject *region_set(struct region *self, PyObject *const *args, Py_ssize_t count)
{
	return set_of(self->site, args, count);
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

static PyTypeObject region_type = {
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

/* ---- what has no duration ---- */

/* name, category=None behind `more` arguments of which the first is the name. NULL with an exception. */
static struct recorder_site *named_by(PyObject *const *args, Py_ssize_t count, Py_ssize_t more)
{
	if (count < 1 + more || count > 2 + more) {
		PyErr_SetString(PyExc_TypeError, "wrong number of arguments");
		return NULL;
	}
	return pysite_of(args[0], count > 1 + more ? args[1 + more] : Py_None);
}

static PyObject *instant(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
	struct recorder_site *site = named_by(args, count, 0);

	(void)module;
	if (!site)
		return NULL;
	recorder_instant(site);
	Py_RETURN_NONE;
}

static PyObject *counter(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
	struct recorder_site *site = named_by(args, count, 1);
	double value = site ? PyFloat_AsDouble(args[1]) : -1;

	(void)module;
	if (!site || (value == -1 && PyErr_Occurred()))
		return NULL;
	recorder_counter(site, value);
	Py_RETURN_NONE;
}

static PyObject *span(PyObject *const *args, Py_ssize_t count,
		      int (*mark)(struct recorder_site *site, uint64_t id))
{
	struct recorder_site *site = named_by(args, count, 1);
	unsigned long long id = site ? PyLong_AsUnsignedLongLongMask(args[1]) : 0;

	if (!site || PyErr_Occurred())
		return NULL;
	mark(site, id);
	Py_RETURN_NONE;
}

static PyObject *span_begin(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
	(void)module;
	return span(args, count, recorder_span_begin);
}

static PyObject *span_end(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
	(void)module;
	return span(args, count, recorder_span_end);
}

static PyObject *note(PyObject *module, PyObject *args)
{
	const char *key, *value;

	(void)module;
	if (!PyArg_ParseTuple(args, "ss:note", &key, &value))
		return NULL;
	recorder_note(key, value);
	Py_RETURN_NONE;
}

static PyObject *pause_all(PyObject *module, PyObject *unused)
{
	(void)module, (void)unused;
	recorder_pause();
	Py_RETURN_NONE;
}

static PyObject *resume_all(PyObject *module, PyObject *unused)
{
	(void)module, (void)unused;
	recorder_resume();
	Py_RETURN_NONE;
}

static PyObject *flush_all(PyObject *module, PyObject *unused)
{
	(void)module, (void)unused;
	recorder_flush();
	Py_RETURN_NONE;
}

static PyObject *is_recording(PyObject *module, PyObject *unused)
{
	(void)module, (void)unused;
	return PyBool_FromLong(recorder_site_begin != NULL);
}

static PyObject *set_innermost(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
	(void)module;
	return set_of(NULL, args, count);
}

/* Set by regions.py. */
static PyObject *set_finish(PyObject *module, PyObject *function)
{
	(void)module;
	Py_INCREF(function);
	Py_XSETREF(finish, function);
	Py_RETURN_NONE;
}

#define FAST(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL

static PyMethodDef functions[] = {
	{"instant", FAST(instant), "instant(name, category=None): something happens now"},
	{"counter", FAST(counter),
	 "counter(name, value, category=None): it has a value from now on"},
	{"span_begin", FAST(span_begin),
	 "span_begin(name, id, category=None): something begins that may end in another thread"},
	{"span_end", FAST(span_end), "span_end(name, id, category=None): and ends"},
	{"set", FAST(set_innermost),
	 "set(key, value): an argument of the innermost region of the thread"},
	{"note", note, METH_VARARGS, "note(key, value): what is true of the whole process"},
	{"pause", pause_all, METH_NOARGS, "pause(): no call is recorded until resume()"},
	{"resume", resume_all, METH_NOARGS, "resume(): calls are recorded again"},
	{"flush", flush_all, METH_NOARGS, "flush(): what is recorded goes to the trace directory"},
	{"is_recording", is_recording, METH_NOARGS,
	 "is_recording(): whether the recorder is there"},
	{"_set_finish", set_finish, METH_O, NULL},
	{"_event", FAST(pyevent), NULL},
	{NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "recorder._regions",
					.m_size = -1, .m_methods = functions};

static int add_type(PyObject *module, const char *name, PyTypeObject *type)
{
	int error;

	Py_INCREF(type);
	error = PyModule_AddObject(module, name, (PyObject *)type);
	if (error)
		Py_DECREF(type);
	return error;
}

PyMODINIT_FUNC PyInit__regions(void); /* what the interpreter calls */

PyMODINIT_FUNC PyInit__regions(void)
{
	PyObject *module;

	if (PyType_Ready(&traced_type) || PyType_Ready(&region_type) || PyType_Ready(&profile_type))
		return NULL;
	places = PyDict_New();
	module = places ? PyModule_Create(&definition) : NULL;
	if (!module)
		return NULL;
	if (add_type(module, "region", &region_type) ||
	    add_type(module, "_Profile", &profile_type)) {
		Py_DECREF(module);
		return NULL;
	}
	return module;
}
