/* SPDX-License-Identifier: MIT */
/* pymonitor.c - see pymonitor.h */
#include "pycalls/pymonitor.h"

#include <stdint.h>

#include "pycalls/pycode.h"
#include "pycalls/pyextra.h"
#include "pycalls/pylives.h"
#include "pycalls/pycall.h"
#include "record/note.h"
#include "record/paired.h"

#define TOOL_NAME "recorder"

enum { START, RESUME, RETURN, YIELD, UNWIND, THROW, EVENTS };

static PyObject *disable; /* is one object in all interpreters */
static long events[EVENTS];
static int tool; /* the newest interpreter's: they differ where another tool has ours in one */

/* ---- generators ---- */

/* The generator whose frame is running, to be released; NULL: none. */
static PyObject *running_generator(void)
{
	PyObject *frame = py.PyEval_GetFrame(), *generator;

	generator = frame ? py.PyFrame_GetGenerator(frame) : NULL;
	if (!generator)
		py.PyErr_Clear();
	return generator;
}

/* Soon after; if Python has no room for that, at the next one. */
static int bury(void *data)
{
	(void)data;
	pylives_bury();
	return 0;
}

static PyObject *on_gone(PyObject *self, PyObject *const *args, ptrdiff_t count)
{
	const void *key = py.PyLong_AsVoidPtr(self);

	if (count == 1 && key && pylives_orphan(key, args[0])) {
		py.Py_DecRef(args[0]);
		py.Py_AddPendingCall(bury, NULL);
	}
	return py.None;
}

/* One that is closed or dropped where no handler waits for it ends without an event. */
static void watch(PyObject *generator)
{
	static struct pymethod method = {"recorder_gone", on_gone, PY_METH_FASTCALL, NULL};
	PyObject *key = py.PyLong_FromVoidPtr(generator);
	PyObject *callback = key ? py.PyCFunction_NewEx(&method, key, NULL) : NULL;
	PyObject *reference = callback ? py.PyWeakref_NewRef(generator, callback) : NULL;

	pyapi_release(callback);
	pyapi_release(key);
	if (reference)
		pylives_set_reference(generator, reference);
	else
		py.PyErr_Clear();
}

/* True: it begins. */
static bool resume_life(const struct pycode *code, bool throwing)
{
	PyObject *generator = running_generator();
	bool begins = generator && pylives_resume(generator, code, throwing);

	if (begins)
		watch(generator);
	pyapi_release(generator);
	return begins;
}

static void end_life(void)
{
	PyObject *generator = running_generator();

	if (generator)
		pyapi_release(pylives_end(generator));
	pyapi_release(generator);
}

static bool has_life(void)
{
	PyObject *generator = running_generator();
	bool has = generator && pylives_has(generator);

	pyapi_release(generator);
	return has;
}

/* ---- calls ---- */

static void begin(const struct pycode *code, bool throwing)
{
	bool begins = !code->resumes || resume_life(code, throwing);
	const void *frame = code->request && begins ? py.PyEval_GetFrame() : NULL;
	struct call call;

	if (!pycall_begin_quick(code) && pycall_enter_paired(&call, code, frame))
		paired_start(&call);
}

static void end(const struct pycode *code, enum pyending ending, PyObject *value)
{
	struct call call;

	if (!pycall_end_quick(code, ending) && paired_stop(&call, code->number)) {
		pycall_end(&call, code, ending, value);
		pushed_leave(&call);
	}
	if (code->resumes && ending != PYENDING_YIELD)
		end_life();
}

static const struct pycode *target_of(PyObject *const *args)
{
	const void *word = pyextra_get(args[0]);

	return word == PYCODE_NO_TARGET ? NULL : word;
}

/* ---- events ---- */

/* The events that say how calls of this code end. */
static bool ask_local(PyObject *code)
{
	PyObject *sys = py.PyImport_ImportModule("sys");
	PyObject *monitoring = pyapi_get(sys, "monitoring");
	PyObject *result = NULL;

	if (monitoring)
		result = py.PyObject_CallMethod(monitoring, "set_local_events", "iOi", tool, code,
						(int)(events[RETURN] | events[YIELD] |
						      events[RESUME]));
	if (!result)
		py.PyErr_Clear();
	pyapi_release(monitoring);
	pyapi_release(sys);
	if (result)
		py.Py_DecRef(result);
	return result != NULL;
}

static const struct pycode *decide(PyObject *code)
{
	const struct pycode *target =
		pycode_decide(code, py.PyEval_GetGlobals ? py.PyEval_GetGlobals() : NULL);

	if (!target || ask_local(code))
		return target;
	pyextra_set(code, PYCODE_NO_TARGET);
	return NULL;
}

static PyObject *on_start(PyObject *self, PyObject *const *args, ptrdiff_t count)
{
	void *word = pyextra_get(args[0]);
	const struct pycode *code;

	(void)self;
	(void)count;
	code = word == PYCODE_NO_TARGET ? NULL : word ? word : decide(args[0]);
	if (!code) {
		py.Py_IncRef(disable);
		return disable;
	}
	begin(code, false);
	return py.None; /* which needs no count from 3.12 on */
}

static PyObject *on_resume(PyObject *self, PyObject *const *args, ptrdiff_t count)
{
	const struct pycode *code = target_of(args);

	(void)self;
	(void)count;
	if (code)
		begin(code, false);
	return py.None;
}

/* What is thrown into one that has not begun never gets to its code; the PY_UNWIND that follows finds no call of it. */
static PyObject *on_throw(PyObject *self, PyObject *const *args, ptrdiff_t count)
{
	const struct pycode *code = target_of(args);
	struct thread *thread = paired_thread();

	(void)self;
	(void)count;
	if (code && (!code->resumes || has_life()))
		begin(code, true);
	else if (code && thread)
		++*paired_skipped(thread);
	return py.None;
}

static PyObject *on_return(PyObject *self, PyObject *const *args, ptrdiff_t count)
{
	const struct pycode *code = target_of(args);

	(void)self;
	if (code)
		end(code, PYENDING_RETURN, count > 2 ? args[2] : NULL);
	return py.None;
}

static PyObject *on_yield(PyObject *self, PyObject *const *args, ptrdiff_t count)
{
	const struct pycode *code = target_of(args);

	(void)self;
	if (code)
		end(code, PYENDING_YIELD, count > 2 ? args[2] : NULL);
	return py.None;
}

static PyObject *on_unwind(PyObject *self, PyObject *const *args, ptrdiff_t count)
{
	const struct pycode *code = target_of(args);

	(void)self;
	(void)count;
	if (code)
		end(code, PYENDING_EXCEPTION, NULL);
	return py.None;
}

/* ---- taking part ---- */

static struct {
	const char *name;
	struct pymethod method;
} callbacks[EVENTS] = {
	[START] = {"PY_START", {"recorder_start", on_start, PY_METH_FASTCALL, NULL}},
	[RESUME] = {"PY_RESUME", {"recorder_resume", on_resume, PY_METH_FASTCALL, NULL}},
	[RETURN] = {"PY_RETURN", {"recorder_return", on_return, PY_METH_FASTCALL, NULL}},
	[YIELD] = {"PY_YIELD", {"recorder_yield", on_yield, PY_METH_FASTCALL, NULL}},
	[UNWIND] = {"PY_UNWIND", {"recorder_unwind", on_unwind, PY_METH_FASTCALL, NULL}},
	[THROW] = {"PY_THROW", {"recorder_throw", on_throw, PY_METH_FASTCALL, NULL}},
};

static bool register_callback(PyObject *monitoring, PyObject *names, unsigned event)
{
	PyObject *callback, *before = NULL;

	events[event] = pyapi_number(names, callbacks[event].name);
	callback = py.PyCFunction_NewEx(&callbacks[event].method, NULL, NULL);
	if (callback && events[event] > 0)
		before = py.PyObject_CallMethod(monitoring, "register_callback", "iiO", tool,
						(int)events[event], callback);
	if (!before)
		py.PyErr_Clear();
	pyapi_release(callback);
	pyapi_release(before);
	return before != NULL;
}

static bool take_id(PyObject *monitoring, int id)
{
	PyObject *result = py.PyObject_CallMethod(monitoring, "use_tool_id", "is", id, TOOL_NAME);

	if (!result)
		py.PyErr_Clear();
	pyapi_release(result);
	return result != NULL;
}

/* 0, 1, 2 and 5 are those of debuggers, coverage, profilers and optimizers by agreement: taken when nothing else is left. */
static bool take_any_id(PyObject *monitoring)
{
	static const int ids[] = {4, 3, 2, 1, 0, 5};

	for (unsigned i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (take_id(monitoring, ids[i])) {
			tool = ids[i];
			return true;
		}
	return false;
}

static bool ask_global(PyObject *monitoring)
{
	PyObject *result =
		py.PyObject_CallMethod(monitoring, "set_events", "ii", tool,
				       (int)(events[START] | events[UNWIND] | events[THROW]));

	if (!result)
		py.PyErr_Clear();
	pyapi_release(result);
	return result != NULL;
}

static bool install(PyObject *monitoring, const char **why)
{
	PyObject *names = pyapi_get(monitoring, "events");
	bool complete = names != NULL;

	disable = pyapi_get(monitoring, "DISABLE");
	*why = "sys.monitoring.DISABLE";
	if (!disable || !complete)
		return false;
	*why = "a free number in sys.monitoring: other tools have them all";
	if (!take_any_id(monitoring))
		return false;
	*why = "its events";
	for (unsigned i = 0; i < EVENTS && complete; i++)
		complete = register_callback(monitoring, names, i);
	pyapi_release(names);
	return complete && ask_global(monitoring);
}

bool pymonitor_install(const char **why)
{
	PyObject *sys = py.PyImport_ImportModule("sys");
	PyObject *monitoring = pyapi_get(sys, "monitoring");
	bool installed;

	*why = "sys.monitoring";
	installed = monitoring && py.PyFrame_GetGenerator && install(monitoring, why);
	py.PyErr_Clear();
	pyapi_release(monitoring);
	pyapi_release(sys);
	return installed;
}
