/* SPDX-License-Identifier: MIT */
/*
 * pyextra.h - one word for us in each code object: what was decided of it.
 *
 * Python keeps words that others attach to its code objects ("extras", PEP 523); where they lie in a code object is found once, by writing one through its interface and
 * looking for it, so that the call of an untargeted function costs two loads in place of a call.
 */
#ifndef RECORDER_PYCALLS_PYEXTRA_H
#define RECORDER_PYCALLS_PYEXTRA_H

#include <stdbool.h>

#include "pycalls/pyapi.h"
#include "record/hidden.h"

struct pyextra_words {
	ptrdiff_t count;
	void *words[];
};

struct pyextra {
	size_t offset; /* in a code object */
	ptrdiff_t index;
};

extern HIDDEN struct pyextra pyextra;

/* Once, with an interpreter. `release` is called with the word of a code object that goes. False: it cannot be had. */
bool pyextra_init(void (*release)(void *));
/* Further interpreters number their own: whether this one has given us the same number. */
bool pyextra_init_again(void (*release)(void *));

/* NULL: none was set. */
static inline void *pyextra_get(PyObject *code)
{
	const struct pyextra_words *extras =
		*(struct pyextra_words *const *)((const char *)code + pyextra.offset);

	return extras && extras->count > pyextra.index ? extras->words[pyextra.index] : NULL;
}

/* What was there is released. No exception is left. */
void pyextra_set(PyObject *code, void *word);

#endif
