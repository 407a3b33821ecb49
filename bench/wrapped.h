/* SPDX-License-Identifier: MIT */
/*
 * wrapped.h - what one call costs through its wrapper: beside the same call of the function behind it, in the same thread.
 *
 * To be run with librecorder.so preloaded. Slices are short enough that few meet the end of a ring.
 */
#ifndef BENCH_WRAPPED_H
#define BENCH_WRAPPED_H

struct wrapped {
	const char *name;
	void (*run)(void *function, unsigned calls); /* makes `calls` calls of it */
	void *wrapper, *bare;
};

/* Reports "stamps", and "NAME" and "NAME.bare" of each: ns that the wrapper adds to a call, and what it takes without. */
void wrapped_measure(const struct wrapped *list, unsigned count);

/* The function `name` of the loaded library whose file name begins with `library`. */
void *wrapped_bare(const char *library, const char *name);

#endif
