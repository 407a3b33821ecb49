/* SPDX-License-Identifier: MIT */
/*
 * mutate.h - mutations that know the framing of doc/format.md: they spoil what stands in a chunk
 * and make sizes and checksums right again, so that the decoder behind them is reached.
 */
#ifndef TEST_FUZZ_MUTATE_H
#define TEST_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Of libFuzzer: changes `data` in place, returns its new size. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* What a fuzz target is, for libFuzzer and main.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

/* A file header and chunks. Returns the new size. */
size_t mutate_chunks(uint8_t *data, size_t size, size_t max, unsigned *dice);
/* A packed directory, see packed.h. */
size_t mutate_packed(uint8_t *data, size_t size, size_t max, unsigned *dice);

/* The next random number. */
unsigned roll(unsigned *dice, unsigned sides);

#endif
