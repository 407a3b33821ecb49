/* SPDX-License-Identifier: MIT */
/* rec.c - fuzz target: the definitions and records of a stream, alone. */
#include "everything.h"
#include "mutate.h"
#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	scratch_put(SCRATCH_TRACE "/a.rec", data, size);
	read_everything(SCRATCH_TRACE);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	return mutate_chunks(data, size, max, &seed);
}
