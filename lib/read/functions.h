/* SPDX-License-Identifier: MIT */
/*
 * functions.h - the functions of a trace. Streams number theirs as they like; those with the same
 * layer, name and signature are one function of the trace.
 */
#ifndef RECORDER_READ_FUNCTIONS_H
#define RECORDER_READ_FUNCTIONS_H

#include <recorder/reader.h>

#include "format/bytes.h"
#include "read/index.h"
#include "read/mpi_names.h"
#include "read/pool.h"

#define FUNCTIONS_MAX 65536u /* func_id is 16 bits wide */
#define NO_ARG (-1)

/* `info` comes first: what the public functions give out is a pointer to it. */
struct function {
	struct reader_function_info info;
	const uint8_t *classes; /* of the arguments */
	const int16_t *kinds;   /* of the arguments: enum kind, or -1 for one we do not know */
	uint8_t stored_args; /* as many as `info` has, and behind them perhaps one of kind busy */
	uint64_t outputs;    /* bit i: argument i is known only after the call */
	int16_t result_kind;
	/* The first argument of such a kind, or NO_ARG. */
	int8_t handle_arg; /* a descriptor, FILE * or MPI_File */
	int8_t object_arg, transferred_arg;
	int8_t dirfd_arg, path_arg, count_arg, datatype_arg, status_arg, bytes_arg;
	int8_t msg_flags_arg;
	int8_t sizes_arg; /* of messages: how long each was */
	int8_t comm_arg;  /* a communicator, or what has one: a window, an MPI_File */
	/* bit i: argument i is one request or many of them, or a message; a message that the call takes */
	uint64_t requests, messages_taken;
	struct mpi_names mpi;
	const uint8_t *key; /* its definition without the id, as stored */
	size_t key_size;
};

/* Zeroed memory is an empty table. */
struct functions {
	struct function **items; /* by func_id */
	uint32_t count, capacity;
	struct index index;
	struct pool pool;
};

/* Whether the id of a PAIR of this kind is that of a file which the call works on: not the directory that a path begins in. */
bool kind_has_file(int kind);

/*
 * The function that a FUNCTION payload defines, added if it is new; its id in the stream is put
 * into *id. NULL: errno is EINVAL (not a proper definition), ENOSPC (too many functions) or ENOMEM.
 */
const struct function *functions_define(struct functions *functions, struct bytes payload,
					uint16_t *id);
void functions_release(struct functions *functions);

/* The argument of a record at an index as above; NULL: there is none, or it is absent. */
static inline const struct recorder_arg *function_arg(const struct recorder_record *record,
						      int8_t index)
{
	if (index == NO_ARG || index >= record->arg_count ||
	    record->args[index].state != RECORDER_ARG_PRESENT)
		return NULL;
	return &record->args[index];
}

#endif
