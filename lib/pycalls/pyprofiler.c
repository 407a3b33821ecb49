/* SPDX-License-Identifier: MIT */
/* pyprofiler.c - see pyprofiler.h */
#include "pycalls/pyprofiler.h"

#include "pycalls/pycode.h"
#include "pycalls/pyextra.h"
#include "pycalls/pylives.h"
#include "pycalls/pyqualified.h"
#include "pycalls/pycall.h"

#define CODE_OFFSET 32 /* fields of PyFrameObject of 3.8 */
#define GLOBALS_OFFSET 48
#define STACKTOP_OFFSET 72 /* NULL once the frame has ended */
#define LASTI_OFFSET 104   /* the instruction that was run last; -1: none was */

enum { EVENT_CALL = 0, EVENT_RETURN = 3 };

#define AT(type, frame, offset) (*(type const *)((const char *)(frame) + (offset)))

static int profile(PyObject *self, PyObject *frame, int what, PyObject *value);

/* sys.setprofile() of a new thread calls this, at its first event, in place of a function of Python. */
static PyObject *in_new_thread(PyObject *self, PyObject *const *args, ptrdiff_t count)
{
	(void)self;
	(void)args;
	(void)count;
	py.PyEval_SetProfile(profile, NULL);
	py.Py_IncRef(py.None);
	return py.None;
}

static bool told; /* to `threading` */

/* Once the program has that module: to import it would be a change that it can see. Before a thread begins there is always code that is new. */
static void for_new_threads(void)
{
	static struct pymethod method = {"recorder_profile", in_new_thread, PY_METH_FASTCALL, NULL};
	PyObject *modules = told ? NULL : py.PyImport_GetModuleDict();
	PyObject *threading = modules ? py.PyDict_GetItemString(modules, "threading") : NULL;
	PyObject *function = threading ? py.PyCFunction_NewEx(&method, NULL, NULL) : NULL;
	PyObject *result =
		function ? py.PyObject_CallMethod(threading, "setprofile", "O", function) : NULL;

	told |= result != NULL;
	py.PyErr_Clear();
	pyapi_release(result);
	pyapi_release(function);
}

static const struct pycode *target_of(PyObject *frame)
{
	PyObject *code = AT(PyObject *, frame, CODE_OFFSET);
	void *word = pyextra_get(code);

	if (word == PYCODE_NO_TARGET)
		return NULL;
	if (word && !pyqualified_is_note(word))
		return word;
	for_new_threads();
	return pycode_decide(code, AT(PyObject *, frame, GLOBALS_OFFSET));
}

static void begin(const struct pycode *code, const PyObject *frame)
{
	bool begins = !code->resumes || pylives_resume(frame, code, false);
	struct call call;

	if (!pycall_begin_quick(code) && pycall_enter_paired(&call, code, begins ? frame : NULL))
		paired_start(&call);
}

static void end(const struct pycode *code, const PyObject *frame, enum pyending ending,
		PyObject *value)
{
	/* what was thrown into one that has not begun never gets to its code */
	bool begun = !(ending == PYENDING_EXCEPTION && code->resumes &&
		       AT(int, frame, LASTI_OFFSET) == -1);
	struct call call;

	if (!(begun && pycall_end_quick(code, ending)) && paired_stop(&call, code->number)) {
		if (!begun)
			call.record->flags |= RECORD_DROP;
		pycall_end(&call, code, ending, value);
		pushed_leave(&call);
	}
	if (code->resumes && ending != PYENDING_YIELD)
		pylives_end(frame);
}

static int profile(PyObject *self, PyObject *frame, int what, PyObject *value)
{
	const struct pycode *code;

	(void)self;
	if (what != EVENT_CALL && what != EVENT_RETURN)
		return 0;
	code = target_of(frame);
	if (!code)
		return 0;
	if (what == EVENT_CALL)
		begin(code, frame);
	else if (!value)
		end(code, frame, PYENDING_EXCEPTION, NULL);
	else
		end(code, frame,
		    code->resumes && AT(void *, frame, STACKTOP_OFFSET) ? PYENDING_YIELD
									: PYENDING_RETURN,
		    value);
	return 0;
}

void pyprofiler_forget(void)
{
	told = false;
}

bool pyprofiler_install(const char **why)
{
	*why = "PyEval_SetProfile";
	if (!py.PyEval_SetProfile)
		return false;
	py.PyEval_SetProfile(profile, NULL);
	return true;
}
