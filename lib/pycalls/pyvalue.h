/* SPDX-License-Identifier: MIT */
/*
 * pyvalue.h - what is recorded of a value of Python.
 *
 *	int, float, bool, str      as such; an int beyond 64 bits by its digits, a str up to PYVALUE_CHARACTERS
 *	None                       as such
 *	anything else              its type, with its length where that is one of Python's own: "dict[3]", "ndarray"
 *
 * Types are compared exactly, so that no code of the program's is run: no __repr__, __len__, __index__ or __getattr__.
 */
#ifndef RECORDER_PYCALLS_PYVALUE_H
#define RECORDER_PYCALLS_PYVALUE_H

#include <stdint.h>

#include "format/kinds.h"
#include "pycalls/pyapi.h"
#include "record/call.h"

#define PYVALUE_CHARACTERS 256 /* of a str that are stored */
#define PYVALUE_WORDS 80u      /* bytes, of the name of a type */

struct pyvalue {
	uint8_t kind;      /* enum kind: int, truth, double, string, value */
	bool is_none;      /* of kind value */
	uint64_t word;     /* of a number */
	PyObject *bytes;   /* of a text, to be released; NULL: it is in `words` */
	uint32_t original; /* bytes of a text; of one that was cut: at least so many */
	char words[PYVALUE_WORDS];
};

/*
 * With the interpreter's lock and without an exception; none is left. NULL: a variable that is not set. `as_text`: numbers and texts too are to be of kind `value`. Goes with
 * pyvalue_release().
 */
void pyvalue_take(struct pyvalue *value, PyObject *object, bool as_text);
void pyvalue_put(struct call *call, unsigned index, const struct pyvalue *value);
void pyvalue_release(struct pyvalue *value);

/* What Python does in between is not recorded. NULL: of a thread that has no records yet. */
struct thread *pyvalue_quiet(void);
void pyvalue_loud(struct thread *thread);

#endif
