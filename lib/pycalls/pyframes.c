/* SPDX-License-Identifier: MIT */
/* pyframes.c - see pyframes.h */
#include "pycalls/pyframes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "pycalls/pycode.h"
#include "pycalls/pyextra.h"
#include "pycalls/pylives.h"
#include "pycalls/pyqualified.h"
#include "pycalls/pycall.h"
#include "record/note.h"
#include "record/quick.h"
#include "record/readable.h"

#define STACK_GUARD (512u << 10)
#define CODE_OFFSET 32 /* of a frame's code, in all three versions */

/* Where the parts of a frame lie: fields of PyFrameObject, from 3.11 on of struct _PyInterpreterFrame. Looked at before they are used: is_as_expected(). */
static struct layout {
	size_t globals;
	bool (*is_creation)(const char *frame);
	bool (*has_yielded)(const char *frame);
} layout;

static py_evaluator *previous;

#define AT(type, frame, offset) (*(type const *)((frame) + (offset)))

/* ---- what versions differ in ---- */

static bool never(const char *frame)
{
	(void)frame;
	return false;
}

/* 3.9: f_stacktop is NULL when the frame has ended */
static bool yielded_39(const char *frame)
{
	return AT(void *, frame, 72) != NULL;
}

/* 3.10: f_state is FRAME_SUSPENDED */
static bool yielded_310(const char *frame)
{
	return AT(signed char, frame, 108) == -1;
}

/* 3.11: a generator's frame lies within it, 80 bytes from its begin; before it, whose code it has and what state it is in. */
static bool is_in_generator(const char *frame)
{
	return AT(char, frame, 69) == 1; /* owner: FRAME_OWNED_BY_GENERATOR */
}

static bool yielded_311(const char *frame)
{
	return AT(PyObject *, frame, 16 - 80) == AT(PyObject *, frame, CODE_OFFSET) &&
	       AT(signed char, frame, 75 - 80) == -1;
}

/* 3.11: the call of a generator function comes here, too; all that it does is to make the generator. */
static bool is_creation_311(const char *frame)
{
	return !is_in_generator(frame);
}

static const struct layout layouts[] = {
	[9] = {48, never, yielded_39},
	[10] = {48, never, yielded_310},
	[11] = {8, is_creation_311, yielded_311},
};

/* ---- the end of the stack ---- */

/* The first address of the thread's stack plus the guard, inverted: 0 where it has not been asked for. */
static __thread uintptr_t not_limit __attribute__((tls_model("initial-exec")));

/* Nothing allocates here but libc: for the first thread it reads /proc/self/maps. */
static uintptr_t ask_limit(void)
{
	pthread_attr_t attributes;
	void *first = NULL;
	size_t size;

	runtime_enter();
	if (!pthread_getattr_np(pthread_self(), &attributes)) {
		pthread_attr_getstack(&attributes, &first, &size);
		pthread_attr_destroy(&attributes);
	}
	runtime_leave();
	return (uintptr_t)first + STACK_GUARD;
}

/* Whether there is really little left; on a stack that is not the thread's own nobody knows. */
static bool is_low(uintptr_t here)
{
	if (!not_limit)
		not_limit = ~ask_limit();
	return here < ~not_limit && here >= ~not_limit - STACK_GUARD;
}

/* ---- running a frame ---- */

static PyObject *evaluate(void *state, void *frame, int throwing);

/* Calls below take no stack any more: this one's records, and those of the calls below, are not made. */
static PyObject *evaluate_unhooked(void *state, void *frame, int throwing)
{
	void *interpreter = pyapi_interpreter();
	static _Atomic bool said;
	PyObject *result;

	if (!atomic_exchange(&said, true))
		note("the stack is nearly full: no functions of Python are recorded until there is "
		     "room again",
		     NULL);
	py._PyInterpreterState_SetEvalFrameFunc(interpreter, previous);
	result = previous(state, frame, throwing);
	py._PyInterpreterState_SetEvalFrameFunc(interpreter, evaluate);
	return result;
}

static enum pyending ending_of(const struct pycode *code, const void *frame, const PyObject *result)
{
	if (!result)
		return PYENDING_EXCEPTION;
	return code->resumes && layout.has_yielded(frame) ? PYENDING_YIELD : PYENDING_RETURN;
}

/* Not in the child of a fork() in between, where what `call` points to is gone, nor after a longjmp() to further out: there is nothing to be ended. */
static bool is_open(const struct call *call, uint32_t level)
{
	const struct thread *thread = call->thread;

	return thread_mode(thread) != THREAD_NONE && thread->level > level &&
	       thread->calls[level].frame == (uintptr_t)call;
}

/* `begins`: its arguments are what it was called with. */
static enum pyending evaluate_call(const struct pycode *code, void *state, void *frame,
				   int throwing, bool begins, PyObject **result)
{
	enum pyending ending;
	struct call call;
	uint32_t level;

	if (!pycall_enter(&call, code, begins ? frame : NULL)) {
		*result = previous(state, frame, throwing);
		return ending_of(code, frame, *result);
	}
	level = call.thread->level;
	pushed_start(&call);
	*result = previous(state, frame, throwing);
	ending = ending_of(code, frame, *result);
	if (unlikely(!is_open(&call, level)))
		return ending;
	pushed_stop(&call);
	pycall_end(&call, code, ending, *result);
	pushed_leave(&call);
	return ending;
}

/* A frame that is not there for one call: its address is that of the generator, as it were. */
static PyObject *evaluate_resumed(const struct pycode *code, void *state, void *frame, int throwing)
{
	PyObject *result;
	bool begins;

	/* what was thrown into one that has not begun never gets to its code */
	if (layout.is_creation(frame) || (throwing && !pylives_has(frame)))
		return previous(state, frame, throwing);
	begins = pylives_resume(frame, code, throwing);
	if (evaluate_call(code, state, frame, throwing, begins, &result) != PYENDING_YIELD)
		pylives_end(frame);
	return result;
}

static __attribute__((noinline)) PyObject *evaluate_slow(const struct pycode *code, void *state,
							 void *frame, int throwing)
{
	PyObject *result;

	if (code->resumes)
		return evaluate_resumed(code, state, frame, throwing);
	evaluate_call(code, state, frame, throwing, true, &result);
	return result;
}

/* The end of a call that began quickly. */
static __attribute__((noinline)) void end_slow(struct call *call, uint32_t level, uint64_t now,
					       enum pyending ending)
{
	if (!is_open(call, level))
		return;
	thread_set_busy(call->thread);
	call->record->tend = now;
	call->record->result = (int64_t)ending;
	pushed_leave(call);
}

/* As evaluate_slow(), for what is mostly done. */
static __attribute__((noinline)) PyObject *evaluate_target(const struct pycode *code, void *state,
							   void *frame, int throwing)
{
	struct thread *thread = thread_tls.self;
	enum pyending ending;
	PyObject *result;
	struct call call;
	uint32_t level;
	uint64_t now;

	sanitizer_forget_left();
	if (unlikely(code->resumes || code->rich ||
		     function_state_of(code->number) != FUNCTION_ON || !quick_claim(thread)))
		return evaluate_slow(code, state, frame, throwing);
	level = thread->level;
	if (unlikely(quick_frame_inside(thread) < (uintptr_t)&call || !quick_has_room(thread))) {
		quick_give_up(thread);
		return evaluate_slow(code, state, frame, throwing);
	}
	call.thread = thread;
	call.record = quick_begin(thread, code->number, 0, (uintptr_t)&call);
	result = previous(state, frame, throwing);
	now = quick_stamp(thread);
	sanitizer_forget_left();
	ending = result ? PYENDING_RETURN : PYENDING_EXCEPTION;
	if (likely(thread->level == level + 1 && thread->calls[level].frame == (uintptr_t)&call &&
		   quick_claim(thread))) {
		if (likely(quick_end(thread, ending, now)))
			return result;
		quick_give_up(thread);
	}
	end_slow(&call, level, now, ending);
	return result;
}

static __attribute__((noinline, cold)) PyObject *evaluate_new(void *state, void *frame,
							      int throwing)
{
	PyObject *code = AT(PyObject *, (const char *)frame, CODE_OFFSET);
	PyObject *globals = AT(PyObject *, (const char *)frame, layout.globals);
	const struct pycode *target;

	if (py.PyObject_IsInstance(globals, py.DictType) != 1)
		globals = NULL;
	target = pycode_decide(code, globals);
	return target ? evaluate_target(target, state, frame, throwing)
		      : previous(state, frame, throwing);
}

/* What is seldom: so that the rest saves no registers. */
static __attribute__((noinline, cold)) PyObject *evaluate_low(void *state, void *frame,
							      int throwing)
{
	void *word = pyextra_get(AT(PyObject *, (const char *)frame, CODE_OFFSET));

	if (is_low((uintptr_t)__builtin_frame_address(0)))
		return evaluate_unhooked(state, frame, throwing);
	if (word == PYCODE_NO_TARGET)
		return previous(state, frame, throwing);
	if (!word || pyqualified_is_note(word))
		return evaluate_new(state, frame, throwing);
	return evaluate_target(word, state, frame, throwing);
}

static PyObject *evaluate(void *state, void *frame, int throwing)
{
	PyObject *code = AT(PyObject *, (const char *)frame, CODE_OFFSET);
	void *word = pyextra_get(code);

	if (unlikely((uintptr_t)__builtin_frame_address(0) < ~not_limit))
		return evaluate_low(state, frame, throwing);
	if (likely(word == PYCODE_NO_TARGET))
		return previous(state, frame, throwing);
	if (unlikely(!word || pyqualified_is_note(word)))
		return evaluate_new(state, frame, throwing);
	return evaluate_target(word, state, frame, throwing);
}

/* ---- the first frame ---- */

/* A frame of this version, and not of one that was built otherwise. */
static bool is_as_expected(const char *frame)
{
	PyObject *code, *globals;

	if (!readable(frame, 80))
		return false;
	code = AT(PyObject *, frame, CODE_OFFSET);
	globals = AT(PyObject *, frame, layout.globals);
	return readable(code, 64) && readable(globals, 16) &&
	       py.PyObject_IsInstance(code, py.CodeType) == 1 &&
	       py.PyObject_IsInstance(globals, py.DictType) == 1;
}

static PyObject *evaluate_first(void *state, void *frame, int throwing)
{
	void *interpreter = pyapi_interpreter();
	PyObject *type, *value, *traceback;
	bool expected;

	py.PyErr_Fetch(&type, &value, &traceback);
	expected = is_as_expected(frame);
	py.PyErr_Restore(type, value, traceback);
	py._PyInterpreterState_SetEvalFrameFunc(interpreter, expected ? evaluate : previous);
	if (!expected)
		note("functions of Python are not recorded: its frames are not as expected", NULL);
	return expected ? evaluate(state, frame, throwing) : previous(state, frame, throwing);
}

bool pyframes_install(void *interpreter, const char **why)
{
	py_evaluator *current;

	*why = "_PyInterpreterState_SetEvalFrameFunc";
	if (!py._PyInterpreterState_SetEvalFrameFunc || !py._PyInterpreterState_GetEvalFrameFunc)
		return false;
	current = py._PyInterpreterState_GetEvalFrameFunc(interpreter);
	*why = "an evaluator of frames that is the same in all interpreters";
	if (!current || (previous && current != previous))
		return false;
	layout = layouts[py.minor];
	previous = current;
	py._PyInterpreterState_SetEvalFrameFunc(interpreter, evaluate_first);
	return true;
}

bool pyframes_are_ours(void *interpreter)
{
	py_evaluator *current = py._PyInterpreterState_GetEvalFrameFunc(interpreter);

	return current == evaluate || current == evaluate_first;
}
