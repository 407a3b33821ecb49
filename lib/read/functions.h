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
#include "read/pool.h"

#define FUNCTIONS_MAX 65536u /* func_id is 16 bits wide */
#define NO_ARG (-1)

/* `info` comes first: what the public functions give out is a pointer to it. */
struct function {
	struct reader_function_info info;
	const uint8_t *classes; /* of the arguments */
	const int16_t *kinds;   /* of the arguments: enum kind, or -1 for one we do not know */
	uint64_t outputs;       /* bit i: argument i is known only after the call */
	int16_t result_kind;
	/* The first argument of such a kind, or NO_ARG. */
	int8_t handle_arg; /* a descriptor, FILE * or MPI_File */
	int8_t object_arg, transferred_arg;
	int8_t dirfd_arg, path_arg, count_arg, datatype_arg, status_arg, bytes_arg;
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

/*
 * The function that a FUNCTION payload defines, added if it is new; its id in the stream is put
 * into *id. NULL: errno is EINVAL (not a proper definition), ENOSPC (too many functions) or ENOMEM.
 */
const struct function *functions_define(struct functions *functions, struct bytes payload,
					uint16_t *id);
void functions_release(struct functions *functions);

#endif
