/* SPDX-License-Identifier: MIT */
/* dir.c - fuzz target: a whole trace directory with the live files of its processes. */
#include "everything.h"
#include "mutate.h"
#include "packed.h"
#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	packed_unpack(data, size);
	scratch_put("trace/notes.txt", "", 0); /* the directory is there even if nothing else is */
	read_everything(SCRATCH_TRACE);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	return mutate_packed(data, size, max, &seed);
}
