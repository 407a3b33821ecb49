/* SPDX-License-Identifier: MIT */
/*
 * scratch.h - memory for sealing: a small pool of private mappings, taken without waiting.
 *
 * A thread that seals its ring needs room for the encoded chunk, the definitions before it and zlib's state. It may run in a signal
 * handler that interrupted a sealing of the same thread, so it can neither wait nor allocate; if nothing is free
 * it gets NULL and stores the chunk in its raw form, which needs no memory.
 */
#ifndef RECORDER_RECORD_SCRATCH_H
#define RECORDER_RECORD_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

struct deflater;

struct scratch {
	uint8_t *memory;
	size_t size;
	struct deflater *deflater; /* ready to use, lies in `memory` */
	uint8_t *free;             /* what the deflater leaves: free_size bytes */
	size_t free_size;
};

/*
 * The most that will be asked for, as rings grow: a mapping has that from the begin. Nothing but what is used becomes memory, once, and not anew in each larger
 * mapping.
 */
void scratch_expect(size_t size);
/* At least `size` free bytes; NULL if no scratch is to be had now. */
struct scratch *scratch_take(size_t size);
void scratch_give(struct scratch *scratch);
/* In a forked child: whatever other threads held is free again. */
void scratch_forked(void);

#endif
