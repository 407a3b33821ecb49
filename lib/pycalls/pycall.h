/* SPDX-License-Identifier: MIT */
/*
 * pycall.h - what goes into the record of a call of a function of Python, however it was seen.
 */
#ifndef RECORDER_PYCALLS_PYCALL_H
#define RECORDER_PYCALLS_PYCALL_H

#include "pycalls/pycode.h"
#include "record/call.h"

enum pyending { PYENDING_RETURN, PYENDING_EXCEPTION, PYENDING_YIELD }; /* as kind `ending` */

/* Whether there is more to a record than how the call ended: usage, a line on stderr. */
extern bool pycall_is_rich;

void pycall_init(void);
/* Between call_enter() and call_start(), after call_stop(); of rich records alone. */
void pycall_begin_rich(struct call *call, const struct pycode *code);
void pycall_end_rich(struct call *call, const struct pycode *code, enum pyending ending);
/* Something without duration: the life of generator `id` begins or ends. */
void pycall_mark(uint32_t number, uint64_t id);

static inline void pycall_begin(struct call *call, const struct pycode *code)
{
	if (unlikely(pycall_is_rich))
		pycall_begin_rich(call, code);
}

static inline void pycall_end(struct call *call, const struct pycode *code, enum pyending ending)
{
	call->record->result = (int64_t)ending;
	if (unlikely(pycall_is_rich))
		pycall_end_rich(call, code, ending);
}

#endif
