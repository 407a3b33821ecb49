/* SPDX-License-Identifier: MIT */
/*
 * pycall.h - what goes into the record of a call of a function of Python, however it was seen.
 */
#ifndef RECORDER_PYCALLS_PYCALL_H
#define RECORDER_PYCALLS_PYCALL_H

#include "pycalls/pycode.h"
#include "record/pushed.h"
#include "record/paired.h"
#include "record/quick.h"

enum pyending { PYENDING_RETURN, PYENDING_EXCEPTION, PYENDING_YIELD }; /* as kind `ending` */

#define PYCALL_USAGE 3 /* arguments that --usage adds, the last ones before the result */

/* Whether there is more to all records than how the call ended: usage, a line on stderr. */
extern bool pycall_is_rich;

void pycall_init(void);
/* The number of the same function with usage, where that is asked for. */
uint32_t pycall_with_usage(uint32_t number);
/* Of rich records alone. */
bool pycall_enter_rich(struct call *call, const struct pycode *code, const void *frame);
void pycall_end_rich(struct call *call, const struct pycode *code, enum pyending ending,
		     PyObject *value);
/* Something without duration: the life of generator `id` begins or ends. */
void pycall_mark(uint32_t number, uint64_t id);

/* As pushed_enter(). `frame`: where its arguments are (pyargs.h), NULL: they are not to be read. */
static inline bool pycall_enter(struct call *call, const struct pycode *code, const void *frame)
{
	if (unlikely(code->rich))
		return pycall_enter_rich(call, code, frame);
	return pushed_enter(call, code->number, 0, 0);
}

/* As paired_enter(). */
static inline bool pycall_enter_paired(struct call *call, const struct pycode *code,
				       const void *frame)
{
	return paired_entered(pycall_enter(call, code, frame));
}

/* Between pushed_stop() and pushed_leave(). `value`: what it returned or yielded, NULL: nothing. */
static inline void pycall_end(struct call *call, const struct pycode *code, enum pyending ending,
			      PyObject *value)
{
	call->record->result = (int64_t)ending;
	if (unlikely(code->rich))
		pycall_end_rich(call, code, ending, value);
}

/* Both in one, where a record says nothing but how the call ended. False: the long way. */
static CALL_INLINE bool pycall_begin_quick(const struct pycode *code)
{
	return likely(!code->rich && function_state_of(code->number) == FUNCTION_ON) &&
	       quick_begin_paired(code->number, 0, (uintptr_t)__builtin_dwarf_cfa());
}

static CALL_INLINE bool pycall_end_quick(const struct pycode *code, enum pyending ending)
{
	return likely(!code->rich) && quick_end_paired(code->number, ending);
}

#endif
