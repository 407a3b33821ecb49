/* SPDX-License-Identifier: MIT */
/*
 * main.c - runs a fuzz target on files, without libFuzzer: once for each argument, or on stdin.
 * For AFL++, for compilers that have no libFuzzer, and to see what a found input does.
 */
#include <stdio.h>
#include <stdlib.h>

#include "mutate.h"

#define INPUT_MAX (1u << 20)

/* Only mutators call it, and nothing here calls those. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
	(void)data;
	return size < max ? size : max;
}

static int run(FILE *file, const char *name)
{
	static uint8_t input[INPUT_MAX];
	size_t size;
	uint8_t *copy;

	if (!file) {
		perror(name);
		return 2;
	}
	size = fread(input, 1, sizeof(input), file);
	fclose(file);
	/* of its own size, so that reading beyond it is seen */
	copy = malloc(size ? size : 1);
	if (!copy)
		return 2;
	for (size_t i = 0; i < size; i++)
		copy[i] = input[i];
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
	return 0;
}

int main(int argc, char **argv)
{
	int status = argc > 1 ? 0 : run(stdin, "stdin");

	for (int i = 1; i < argc && status == 0; i++)
		status = run(fopen(argv[i], "rb"), argv[i]);
	return status;
}
