/* SPDX-License-Identifier: MIT */
/* pyextra.c - see pyextra.h */
#include "pycalls/pyextra.h"

#include <stdint.h>

#include "record/readable.h"

#define INDEX_MAX 255 /* as many as an interpreter has */
#define SIZE_MAX_LIKELY 512

struct pyextra pyextra;

static ptrdiff_t request(void (*release)(void *))
{
	if (py.PyUnstable_Eval_RequestCodeExtraIndex)
		return py.PyUnstable_Eval_RequestCodeExtraIndex(release);
	return py._PyEval_RequestCodeExtraIndex ? py._PyEval_RequestCodeExtraIndex(release) : -1;
}

static int set(PyObject *code, void *word)
{
	if (py.PyUnstable_Code_SetExtra)
		return py.PyUnstable_Code_SetExtra(code, pyextra.index, word);
	return py._PyCode_SetExtra ? py._PyCode_SetExtra(code, pyextra.index, word) : -1;
}

/*
 * Python makes room for the words of all its users, and when the code goes calls the functions of all of these, also of those who never put a word there; one
 * that is made by ctypes may be gone by then, where it had nothing to be called for (CPython's own test_code). So there is room for those that are needed.
 */
static void trim(PyObject *code)
{
	struct pyextra_words *extras =
		*(struct pyextra_words *const *)((const char *)code + pyextra.offset);

	while (extras && extras->count > pyextra.index + 1 && !extras->words[extras->count - 1])
		extras->count--;
}

void pyextra_set(PyObject *code, void *word)
{
	if (set(code, word))
		py.PyErr_Clear();
	else
		trim(code);
}

static bool is_place(const struct pyextra_words *const *place, const void *word)
{
	const struct pyextra_words *extras = *place;

	return (uintptr_t)extras % sizeof(void *) == 0 &&
	       readable(extras, sizeof(*extras) + (size_t)(pyextra.index + 1) * sizeof(void *)) &&
	       extras->count > pyextra.index && extras->count <= INDEX_MAX &&
	       extras->words[pyextra.index] == word;
}

/* Where in `code` that word was put. */
static bool find_offset(PyObject *code, const void *word, size_t size)
{
	for (size_t at = 2 * sizeof(void *); at + sizeof(void *) <= size; at += sizeof(void *))
		if (is_place((const void *)((const char *)code + at), word)) {
			pyextra.offset = at;
			return true;
		}
	return false;
}

static PyObject *empty_code(void)
{
	typedef PyObject *make_fn(const char *file, const char *name, int line);
	make_fn *make;

	make = (make_fn *)pyapi_symbol("PyCode_NewEmpty");
	return make ? make("", "", 1) : NULL;
}

bool pyextra_init(void (*release)(void *))
{
	static uint64_t word[2]; /* its address is nobody else's */
	PyObject *code;
	bool found = false;
	long size;

	pyextra.index = request(release);
	size = pyapi_number(py.CodeType, "__basicsize__");
	if (pyextra.index < 0 || size <= 0 || size > SIZE_MAX_LIKELY)
		return false;
	code = empty_code();
	if (code && !set(code, word))
		found = find_offset(code, word, (size_t)size) && pyextra_get(code) == word;
	if (code)
		set(code, NULL);
	py.PyErr_Clear();
	pyapi_release(code);
	return found;
}

bool pyextra_init_again(void (*release)(void *))
{
	return request(release) == pyextra.index;
}
