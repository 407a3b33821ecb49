/* SPDX-License-Identifier: MIT */
/* paired.c - see paired.h */
#include "record/paired.h"

#include "record/named.h"

/* The level of the newest open call of `function`, with named functions alone inside of it; UINT32_MAX: none. */
static uint32_t level_of(const struct thread *thread, uint32_t function)
{
	uint32_t level = thread->level;

	while (level > 0) {
		uint32_t open = call_open_record(thread, --level)->function;

		if (open == function || named_base(open) == named_base(function))
			return level;
		if (open < function_count)
			break;
	}
	return UINT32_MAX;
}

bool paired_stop(struct call *call, uint32_t function)
{
	struct thread *thread = paired_thread();
	uint32_t level;

	if (!thread)
		return false;
	if (unlikely(*paired_skipped(thread))) {
		--*paired_skipped(thread);
		return false;
	}
	level = level_of(thread, function);
	if (unlikely(level == UINT32_MAX))
		return false;
	call_drop_inside(thread, level + 1);
	paired_stop_top(call, thread);
	return true;
}
