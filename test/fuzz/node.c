/* SPDX-License-Identifier: MIT */
/* node.c - fuzz target: the file of a node, with the chunks of its streams. */
#include "everything.h"
#include "mutate.h"
#include "packed.h"
#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	packed_put_node(data, size);
	read_everything(SCRATCH_TRACE);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	return mutate_chunks(data, size, max, &seed);
}
