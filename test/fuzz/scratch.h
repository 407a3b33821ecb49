/* SPDX-License-Identifier: MIT */
/*
 * scratch.h - a trace directory that is filled anew for each input. It is "trace" in the
 * working directory, which is to be an empty one in memory; live files lie beside it in
 * a directory named as they are.
 */
#ifndef TEST_FUZZ_SCRATCH_H
#define TEST_FUZZ_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

#define SCRATCH_TRACE "trace"
#define SCRATCH_LIVE "recorder-0-0123456789abcdef"

/* "trace/NAME" or SCRATCH_LIVE "/NAME"; what an earlier input wrote there is replaced. */
void scratch_put(const char *path, const void *data, size_t size);
/* Removes all files that were put since the last time. */
void scratch_clear(void);

#endif
