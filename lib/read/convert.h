/* SPDX-License-Identifier: MIT */
/*
 * convert.h - from a raw record to the record that the library gives out.
 */
#ifndef RECORDER_READ_CONVERT_H
#define RECORDER_READ_CONVERT_H

#include "read/trace.h"

struct converter {
	struct recorder_record record;
	struct recorder_arg args[RECORD_MAX_ARGS];
	const struct def_module *module; /* of the last call site, mostly that of the next */
	const struct stream *stream;     /* its stream */
	size_t scratch_used;
	char scratch[RECORD_MAX_SIZE + RECORD_MAX_ARGS]; /* strings that have no zero behind them */
};

/*
 * Fills converter->record from a raw record whose function is defined. Texts point into the raw
 * record or the converter.
 * Blocks that do not lie in the record are given as unreadable.
 */
void convert(struct converter *converter, const struct thread *thread,
	     const struct function *function, const struct raw_record *raw, uint64_t sequence);

/* The same for a call in flight. */
void convert_open(struct converter *converter, const struct thread *thread,
		  const struct function *function, const struct raw_record *raw);

#endif
