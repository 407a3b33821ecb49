/* SPDX-License-Identifier: MIT */
/* growing.c - see growing.h */
#include "record/growing.h"

#include <errno.h>
#include <string.h>

#include "record/define.h"
#include "record/function.h"
#include "record/named.h"

/* Strings lie behind the arguments, at places that are counted from the record's begin. */
static void move_strings(struct raw_record *record, const struct named_description *named)
{
	for (unsigned i = 0; i < named->arg_count; i++)
		if (kind_class(named->args[i].kind) == CLASS_STRING &&
		    record->args[i] > BLOCK_UNREADABLE)
			record->args[i] += 8;
}

/* One word between the arguments and what lies behind them. False: no room. */
static bool make_room(struct thread *thread, struct raw_record *record)
{
	struct named_description named;
	uint8_t *behind = (uint8_t *)&record->args[record->arg_count];
	size_t size = (size_t)((uint8_t *)record + record->size - behind);

	if (record->size + 8 > RECORD_MAX_SIZE || thread->open_top + 8 > thread->open_size)
		return false;
	if (size > 0 && named_describe(record->function, &named)) {
		memmove(behind + 8, behind, size);
		move_strings(record, &named);
	}
	record->args[record->arg_count] = 0;
	record->size += 8;
	return true;
}

int growing_add(struct thread *thread, struct raw_record *record, const char *key, enum kind kind)
{
	uint32_t number = named_with(record->function, key, kind);

	if (number == NAMED_NONE)
		return -ENOSPC;
	if (function_state_of(number) == FUNCTION_NEW && !definition_function(number))
		return -ENOSPC;
	if (!make_room(thread, record))
		return -ENOSPC;
	record->function = (uint16_t)number;
	return record->arg_count++;
}
