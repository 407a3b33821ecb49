/* SPDX-License-Identifier: MIT */
/*
 * message_args.h - what the arguments of a call of MPI say about a message. Traces are not trusted: any argument may be missing, any array too short.
 */
#ifndef RECORDER_ANALYSIS_MESSAGE_ARGS_H
#define RECORDER_ANALYSIS_MESSAGE_ARGS_H

#include <stdbool.h>

#include <recorder/reader.h>

/* NULL: the record has no such argument, or not its value. */
const struct recorder_arg *message_arg(const struct recorder_record *record, unsigned at);
/* `missing` where there is none. */
int64_t message_number(const struct recorder_record *record, unsigned at, int64_t missing);
/* Whether it is a wildcard. These have numbers that only the MPI knows which the trace is of; the name is the same in all. */
bool message_is_any(const struct reader *trace, const struct recorder_record *record, unsigned at,
		    const char *name);

/* Of an argument of kind mpi_status, or an array of them. */
struct message_status {
	int64_t source, tag, bytes;
	bool cancelled; /* nothing was received after all */
};

/* The status `index` of argument `at`; false: it is not there. */
bool message_status_of(const struct recorder_record *record, unsigned at, unsigned index,
		       struct message_status *status);

#endif
