/* SPDX-License-Identifier: MIT */
/* position_args.h - what calls that move descriptors have for arguments (positions.h), and numbers of Linux in them, as traces have them. */
#ifndef RECORDER_ANALYSIS_POSITION_ARGS_H
#define RECORDER_ANALYSIS_POSITION_ARGS_H

#include <stdbool.h>

#include <recorder/reader.h>

#define APPENDING 02000 /* O_APPEND */

static inline const struct recorder_arg *position_arg(const struct recorder_record *record,
						      unsigned index)
{
	return index < record->arg_count && record->args[index].state == RECORDER_ARG_PRESENT
		       ? &record->args[index]
		       : NULL;
}

static inline int64_t position_number(const struct recorder_record *record, unsigned index,
				      int64_t otherwise)
{
	const struct recorder_arg *arg = position_arg(record, index);

	return arg ? arg->i64 : otherwise;
}

static inline bool position_returned(const struct recorder_record *record)
{
	return !(record->flags & (RECORDER_LEFT | RECORDER_NORETURN | RECORDER_IN_FLIGHT));
}

#endif
