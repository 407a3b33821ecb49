/* SPDX-License-Identifier: MIT */
/*
 * pystart.c - how this comes into a Python: nothing of the program's is touched, no option, module or variable of Python's is used.
 *
 *	constructor	where there are targets and a Python: an audit hook, which may be added before Python begins
 *			or before a Python begins that comes later, or anew (arrivals.h)
 *	audit hook	when an interpreter begins to run code ("cpython.run_...", "exec"), in each one: what this version has to see calls by
 */
#include <stdatomic.h>
#include <string.h>

#include "pycalls/pyapi.h"
#include "pycalls/pycode.h"
#include "pycalls/pyextra.h"
#include "pycalls/pyframes.h"
#include "pycalls/pylives.h"
#include "pycalls/pymonitor.h"
#include "pycalls/pyprofiler.h"
#include "pycalls/pycall.h"
#include "record/arrivals.h"
#include "record/lifecycle.h"
#include "record/note.h"
#include "record/targets.h"

#define INTERPRETERS_MAX 256u
#define MONITORED 12u /* 3.12 */
#define EVALUATED 9u

/* Those that have been looked at. */
static struct {
	void *_Atomic interpreters[INTERPRETERS_MAX];
	_Atomic bool busy;
	bool extras, said, taken, hooked;
} seen;

static void say(const char *why)
{
	if (!seen.said)
		note("functions of Python are not recorded: it lacks ", why, NULL);
	seen.said = true;
}

static bool is_seen(const void *interpreter)
{
	for (unsigned i = 0; i < INTERPRETERS_MAX; i++)
		if (atomic_load_explicit(&seen.interpreters[i], memory_order_relaxed) ==
		    interpreter)
			return true;
	return false;
}

static void see(void *interpreter)
{
	for (unsigned i = 0; i < INTERPRETERS_MAX; i++) {
		void *none = NULL;

		if (atomic_compare_exchange_strong(&seen.interpreters[i], &none, interpreter))
			return;
	}
}

/* Its address may become another one's. */
static void forget(void *interpreter)
{
	for (unsigned i = 0; i < INTERPRETERS_MAX; i++) {
		void *it = interpreter;

		atomic_compare_exchange_strong(&seen.interpreters[i], &it, NULL);
	}
}

/* Python ends, and its audit hooks with it; another one may begin. */
static void forget_all(void)
{
	for (unsigned i = 0; i < INTERPRETERS_MAX; i++)
		atomic_store(&seen.interpreters[i], NULL);
	seen.hooked = false;
	pylives_end_all();
	pyprofiler_forget();
}

static bool install(void *interpreter, const char **why)
{
	*why = "words in its code objects";
	if (seen.extras ? !pyextra_init_again(pycode_release) : !pyextra_init(pycode_release))
		return false;
	seen.extras = true;
	if (py.minor >= MONITORED)
		return pymonitor_install(why);
	return py.minor >= EVALUATED ? pyframes_install(interpreter, why) : pyprofiler_install(why);
}

/* Another tool may have put its own function in the place of ours without calling it. */
static void look_again(void *interpreter)
{
	if (py.minor >= MONITORED || py.minor < EVALUATED || seen.taken || seen.said ||
	    pyframes_are_ours(interpreter))
		return;
	seen.taken = true;
	note("functions of Python are no longer recorded: another tool evaluates its frames", NULL);
}

/* Under the interpreter's lock; interpreters with a lock each come here one after the other. */
static void begin(void *interpreter)
{
	PyObject *type, *value, *traceback;
	const char *why;

	if (is_seen(interpreter)) {
		look_again(interpreter);
		return;
	}
	see(interpreter);
	if (atomic_exchange(&seen.busy, true))
		return;
	py.PyErr_Fetch(&type, &value, &traceback);
	if (!install(interpreter, &why))
		say(why);
	py.PyErr_Restore(type, value, traceback);
	atomic_store(&seen.busy, false);
}

static int audit(const char *event, PyObject *args, void *data)
{
	void *interpreter;

	(void)args;
	(void)data;
	if (strcmp(event, "exec") != 0 && strncmp(event, "cpython.", 8) != 0)
		return 0;
	if (!strcmp(event, "cpython._PySys_ClearAuditHooks")) {
		forget_all();
		return 0;
	}
	interpreter = py.Py_IsInitialized() ? pyapi_interpreter() : NULL;
	if (!interpreter)
		return 0;
	if (event[0] == 'e' || !strncmp(event + 8, "run_", 4))
		begin(interpreter);
	else if (!strcmp(event + 8, "PyInterpreterState_Clear"))
		forget(interpreter);
	return 0;
}

/* A Python that is there, or about to begin, has a hook from now on. */
static void look(void)
{
	const char *why;

	if (seen.hooked || !pyapi_is_here())
		return;
	if (!pyapi_find(&why))
		say(why);
	else if (py.PySys_AddAuditHook(audit, NULL))
		say("room for an audit hook");
	else
		seen.hooked = true;
}

__attribute__((constructor)) static void constructor(void)
{
	if (!lifecycle_start() || targets_count() + targets_arguments() + targets_results() == 0)
		return;
	pycall_init();
	arrivals_of_python(look);
	look();
}
