/* SPDX-License-Identifier: MIT */
/*
 * native.h - functions of the program that the user names are traced, without its being compiled for it.
 *
 *	targets (record/targets.h) ──> symbols of each object (elf_symbols.h), by their names (native_names.h)
 *	   ──> a way for each function (below) ──> stub (stubs.h) ──> calls (hot.h, thunks.h)
 *
 * Functions are taken when they are loaded: those of the program and its libraries in our constructor, those of libraries that come later when the loader says that they are there, before any of
 * their code has run. So no thread can be in what is changed. In what is there already when threads run, nothing is changed but words of data.
 *
 * The ways, in this order: a function that the recorder has a wrapper for, by that; one that is instrumented, by that (instrumented.h); where the compiler left room at its begin, there; by moving its first instructions (prologue.h); and where that
 * cannot be done, by the words through which other objects call it. That is not the first choice, because calls within its own object pass no such word.
 *
 * Nothing is done, and nothing is looked at, in a process without targets.
 */
#ifndef RECORDER_NATIVE_NATIVE_H
#define RECORDER_NATIVE_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

enum native_way {
	NATIVE_NONE,         /* refused, with a reason */
	NATIVE_WRAPPER,      /* recorded by the layer that it belongs to */
	NATIVE_INSTRUMENTED, /* by the calls that its compiler has put in */
	NATIVE_NOPS,
	NATIVE_PROLOGUE,
	NATIVE_GOT,
	NATIVE_IFUNC, /* likewise, and where its own object calls it */
};

/* A function that a target means. */
struct native_finding {
	const char *name, *symbol, *object;
	enum native_way way;
	const char *reason; /* why not, or not by a better way; NULL: none */
	unsigned target;
	const char *with, *without,
		*why; /* names of arguments that are recorded with it, of the first that cannot be and why; NULL: none */
};

/* Why no return can be recorded in this process; NULL: it can. */
const char *native_obstacle(void);

#endif
