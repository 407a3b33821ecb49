/* SPDX-License-Identifier: MIT */
/*
 * posix_args.h - captures that layer posix needs and no other.
 */
#ifndef RECORDER_WRAP_POSIX_ARGS_H
#define RECORDER_WRAP_POSIX_ARGS_H

#include "record/args.h"

/* An offset behind a pointer, -1 for NULL: then the position of the file itself is used and moved. */
static inline void arg_offset_at(struct call *call, unsigned index, const int64_t *offset)
{
	if (offset)
		arg_long_at(call, index, offset);
	else
		arg_int(call, index, -1);
}

#endif
