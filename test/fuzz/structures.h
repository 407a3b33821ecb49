/* SPDX-License-Identifier: MIT */
/*
 * structures.h - the records of a chunk as libreader gives them, by both ways: as raw records that are converted one by one, and by the templates of its
 * signatures.
 */
#ifndef RECORDER_FUZZ_STRUCTURES_H
#define RECORDER_FUZZ_STRUCTURES_H

#include "format/lists.h"

/* Sets arg_count, classes and result_class of the function with this id. */
typedef void structures_describe(struct list_function *function);

/* Ends the process if they are not the same. The chunk is sound. */
void structures_compare(const struct chunk_header *header, const void *stored,
			structures_describe *describe);

#endif
