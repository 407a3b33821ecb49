/* SPDX-License-Identifier: MIT */
/* pycode.c - see pycode.h */
#include "pycalls/pycode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pycalls/pyargs.h"
#include "pycalls/pycall.h"
#include "pycalls/pyextra.h"
#include "pycalls/pymatch.h"
#include "pycalls/pyqualified.h"
#include "pycalls/pysource.h"
#include "record/function.h"
#include "record/named.h"
#include "record/targets.h"
#include "record/text.h"

#define CO_OPTIMIZED 0x1
#define CO_GENERATOR 0x20
#define CO_COROUTINE 0x80
#define CO_ASYNC_GENERATOR 0x200
#define PATHS_MAX 4096u

bool pycode_is_function(long flags)
{
	return flags != -1 && (flags & CO_OPTIMIZED);
}

void pycode_release(void *word)
{
	pyqualified_release(word);
}

/* By number, to find whether a second function of the same name is another one. */
static struct pycode **known; /* NAMED_MAX of them */

/* ---- is it a target? ---- */

struct candidate {
	PyObject *code;
	long flags;
	struct pyname name;
	char module[PYNAME_MAX], qualified[PYNAME_MAX], file[PATHS_MAX];
	char path[2 * PYNAME_MAX];
};

static bool is_meant(const struct target *target, const struct candidate *candidate)
{
	if (target->name)
		return pymatch_name(target, &candidate->name);
	return pymatch_file(target, candidate->file) &&
	       pysource_holds_line(candidate->code, target->line);
}

/* What is asked of it; NULL: nothing. */
static struct pyrequest *request_of(const struct candidate *candidate)
{
	struct pyrequest *request = NULL;

	for (unsigned i = 0; i < targets_arguments(); i++) {
		const struct target_request *asked = target_argument_at(i);

		if (pyargs_is_list(asked->list) && is_meant(&asked->target, candidate))
			pyargs_ask(&request, candidate->code, candidate->path, asked->list);
	}
	for (unsigned i = 0; i < targets_results(); i++) {
		const struct target_request *asked = target_result_at(i);

		if (pyargs_is_list(asked->list) && is_meant(&asked->target, candidate))
			pyargs_ask_result(&request, candidate->code);
	}
	return request;
}

static bool is_target(const struct candidate *candidate)
{
	bool meant = false;

	for (unsigned i = 0; i < targets_count(); i++)
		if (is_meant(target_at(i), candidate)) {
			target_matched(i);
			meant = true;
		}
	return meant;
}

static void describe(struct candidate *candidate, PyObject *globals)
{
	PyObject *module = globals ? py.PyDict_GetItemString(globals, "__name__") : NULL;

	candidate->flags = pyapi_number(candidate->code, "co_flags");
	pyapi_text(module, candidate->module, sizeof(candidate->module));
	pyqualified_name(candidate->code, pyextra_get(candidate->code), candidate->qualified,
			 sizeof(candidate->qualified));
	pyapi_text_of(candidate->code, "co_filename", candidate->file, sizeof(candidate->file));
	candidate->name = (struct pyname){candidate->module, candidate->qualified, candidate->file};
	pymatch_path(&candidate->name, candidate->path, sizeof(candidate->path));
}

/* ---- which function of the trace is it? ---- */

static uint32_t number_of(const char *path)
{
	return pycall_with_usage(named_find(NAMED_PYTHON, KIND_ending, path, NULL));
}

/* The mark of that kind with the generator's number. */
static uint32_t life_of(const char *path, enum kind kind)
{
	uint32_t number = named_find(NAMED_PYTHON, kind, path, NULL);

	return number == NAMED_NONE ? NAMED_NONE : named_with(number, "id", KIND_uint);
}

static struct pycode *make(const struct candidate *candidate, const char *path, uint32_t number,
			   uint32_t line, uint64_t file)
{
	size_t length = strlen(path) + 1;
	struct pycode *code = calloc(1, sizeof(*code) + length);

	if (!code)
		return NULL;
	code->number = number;
	code->rich = pycall_is_rich;
	code->line = line;
	code->file = file;
	code->life_begin = code->life_end = NAMED_NONE;
	code->resumes =
		(candidate->flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR)) != 0;
	if (code->resumes) {
		code->life_begin = life_of(path, KIND_span_begin);
		code->life_end = life_of(path, KIND_span_end);
	}
	memcpy(code->path, path, length);
	return code;
}

/* The one that has the same variables asked for, or where it belongs. */
static struct pycode **find_variant(struct pycode **first, const struct pyrequest *request)
{
	struct pycode **code = first;

	while (*code && !pyargs_are_same((*code)->request, request))
		code = &(*code)->next;
	return code;
}

/* `request` becomes its, or goes. */
static struct pycode *with_request(struct pycode *code, const char *path, struct pyrequest *request)
{
	if (!code || !request || code->request) {
		pyargs_free(request);
		return code;
	}
	pyargs_set_number(request, named_find(NAMED_PYTHON, KIND_ending, path, NULL));
	code->request = request;
	code->rich = true;
	return code;
}

/* Lambdas of one function, or a function that is defined again, elsewhere: the later ones have their line in their name. */
static struct pycode *find_or_make(struct candidate *candidate, struct pyrequest *request,
				   bool with_line)
{
	long first = pyapi_number(candidate->code, "co_firstlineno");
	uint32_t line = first > 0 ? (uint32_t)first : 0, number;
	uint64_t file = text_hash(candidate->file, strlen(candidate->file), 0);
	char path[NAMED_NAME_MAX];
	struct textbuf text = text_in(path, sizeof(path));
	struct pycode **place, *code;

	text_add(&text, candidate->path);
	if (with_line) {
		text_add(&text, ":");
		text_add_u64(&text, line);
	}
	number = number_of(path);
	if (number == NAMED_NONE || function_state_of(number) == FUNCTION_OFF) {
		pyargs_free(request);
		return NULL;
	}
	code = known[number - function_count];
	if (code && (code->line != line || code->file != file) && !with_line)
		return find_or_make(candidate, request, true);
	if (!code)
		pysource_tell(named_base(number), candidate->code, &candidate->name, path, line);
	place = find_variant(&known[number - function_count], request);
	if (!*place)
		*place = make(candidate, path, number, line, file);
	return with_request(*place, path, request);
}

static struct pycode *decide(struct candidate *candidate, PyObject *globals)
{
	struct pyrequest *request;
	struct pycode *code = NULL;

	describe(candidate, globals);
	pyqualified_note_inner(candidate->code, candidate->qualified, candidate->flags);
	if (!known)
		known = calloc(NAMED_MAX, sizeof(struct pycode *));
	if (!known || !pycode_is_function(candidate->flags))
		return NULL;
	request = request_of(candidate);
	if (is_target(candidate) || request)
		code = find_or_make(candidate, request, false);
	else if (*candidate->qualified != '<')
		targets_offer(candidate->path);
	return code;
}

struct pycode *pycode_decide(PyObject *object, PyObject *globals)
{
	PyObject *type, *value, *traceback;
	struct candidate *candidate;
	struct pycode *code = NULL;
	int saved = errno;

	py.PyErr_Fetch(&type, &value, &traceback);
	candidate = calloc(1, sizeof(*candidate));
	if (candidate) {
		candidate->code = object;
		code = decide(candidate, globals);
	}
	free(candidate);
	pyextra_set(object, code ? (void *)code : PYCODE_NO_TARGET);
	py.PyErr_Restore(type, value, traceback);
	errno = saved;
	return code;
}
