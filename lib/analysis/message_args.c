/* SPDX-License-Identifier: MIT */
/* message_args.c - see message_args.h */
#include "analysis/message_args.h"

#include <string.h>

#include "format/kinds.h"

const struct recorder_arg *message_arg(const struct recorder_record *record, unsigned at)
{
	if (at >= record->arg_count || record->args[at].state != RECORDER_ARG_PRESENT)
		return NULL;
	return &record->args[at];
}

int64_t message_number(const struct recorder_record *record, unsigned at, int64_t missing)
{
	const struct recorder_arg *arg = message_arg(record, at);

	return arg ? arg->i64 : missing;
}

bool message_is_any(const struct reader *trace, const struct recorder_record *record, unsigned at,
		    const char *name)
{
	char text[32];

	return message_number(record, at, 0) < 0 &&
	       reader_arg_text(trace, record, at, text, sizeof(text)) < sizeof(text) &&
	       strcmp(text, name) == 0;
}

bool message_status_of(const struct recorder_record *record, unsigned at, unsigned index,
		       struct message_status *status)
{
	const struct recorder_arg *arg = message_arg(record, at);
	const int64_t *numbers;

	if (!arg || (index + (size_t)1) * STATUS_WORDS > arg->count)
		return false;
	numbers = arg->elements + index * (size_t)STATUS_WORDS;
	*status = (struct message_status){numbers[0], numbers[1], numbers[2],
					  numbers[2] == STATUS_WORD_CANCELLED};
	return true;
}
