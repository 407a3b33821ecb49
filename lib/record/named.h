/* SPDX-License-Identifier: MIT */
/*
 * named.h - functions that no catalogue has: what the program names itself, by regions, instants and counters, and its own functions that the user names.
 *
 *	catalogue            0 ... function_count - 1                 generated, function.h
 *	named functions      function_count ... FUNCTION_IDS - 1      in the order in which they are met
 *
 * Both have numbers of one line, so that records, filters, definitions and encoders treat them alike. A named function is a layer, a name, a category, what
 * it stands for (its result's kind) and the names and kinds of its arguments; who gives one more argument to a record makes it one of another function, that
 * has all of this and one argument more (named_with()). So an argument costs a record 8 bytes, and its name nothing.
 *
 * Functions are never removed: what the program names must be bounded, and is. When numbers are short, further names are those of one function, "other", which has them
 * as its first argument. They are found without a lock and added without one, also by signal handlers: a new function is written into a slot of its own and then put at the head of its bucket's chain by compare-and-swap; who loses
 * finds the other one's and leaves its slot empty.
 */
#ifndef RECORDER_RECORD_NAMED_H
#define RECORDER_RECORD_NAMED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "format/kinds.h"
#include "record/function.h"

#define NAMED_MAX 16384u    /* functions of a process */
#define NAMED_ARGS_MAX 16u  /* of a function */
#define NAMED_NAME_MAX 255u /* bytes; longer names are cut */
#define NAMED_OTHER_MAX 63u /* of categories and names of arguments */
#define NAMED_NONE UINT32_MAX

/* What annotations name; functions of the program and of Python that the user named, or a compiler instrumented (targets.h); sums of the allocator's (memsums.h). */
enum named_layer { NAMED_USER, NAMED_NATIVE, NAMED_PYTHON, NAMED_MEM, NAMED_LAYERS };

const char *named_layer_name(enum named_layer layer);

struct named_description {
	const char *layer, *name, *category;
	uint8_t result; /* enum kind: what the function stands for */
	uint8_t arg_count;
	struct {
		const char *name;
		uint8_t kind; /* enum kind */
	} args[NAMED_ARGS_MAX];
};

/* The number of the function of that name without arguments; it is added if there is none. NAMED_NONE: there is no room. Whether it is recorded is in function_state[]. */
uint32_t named_find(enum named_layer layer, enum kind result, const char *name,
		    const char *category);
/* The function for all that have no number: "other", with the argument `name`, a string. */
uint32_t named_other(enum named_layer layer, enum kind result);
bool named_is_other(uint32_t function);
/* The number of `function` with one more argument. NAMED_NONE: no room, or too many arguments. */
uint32_t named_with(uint32_t function, const char *argument, enum kind kind);

/* How many there are. By named_end() and named_has(). */
extern HIDDEN _Atomic uint32_t named_count;

/* The number behind the last one. */
static inline uint32_t named_end(void)
{
	return function_count + atomic_load_explicit(&named_count, memory_order_acquire);
}

/* Whether a number, of wherever it comes, is one of these. */
static inline bool named_has(uint32_t function)
{
	return function - function_count < atomic_load_explicit(&named_count, memory_order_acquire);
}

/* False: `function` is none of these. */
bool named_describe(uint32_t function, struct named_description *description);
/* The number of the same function without arguments; NAMED_NONE: it is none of these. */
uint32_t named_base(uint32_t function);
/* What it stands for; of a number that named_has(). */
enum kind named_result(uint32_t function);
/* Whether it stands for what has no duration. */
bool named_is_mark(uint32_t function);
/* NAMED_LAYERS: it is none of these. */
enum named_layer named_layer_of(uint32_t function);
/* The place of the argument of that name among those of `function`, -1: it has none. */
int named_argument(uint32_t function, const char *argument, enum kind kind);

/* Sets function_state[] of all of them by selection_state(). */
void named_select(void);

#endif
