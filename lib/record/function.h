/* SPDX-License-Identifier: MIT */
/*
 * function.h - the traced functions: what the generated table says of each, whether it is recorded, and where the real one is.
 *
 * Two numberings, both generated from the catalogue: FN_name is a function, as it is
 * named in traces; SYM_name is an exported symbol. Aliases (pwrite64, __open_2) are symbols of their own that record as the
 * function they are an alias of.
 */
#ifndef RECORDER_RECORD_FUNCTION_H
#define RECORDER_RECORD_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/kinds.h"
#include "record/hidden.h"

/*
 * These tables hold their strings themselves, and numbers in place of addresses: pointers would have to be written by the loader, into a
 * hundred pages of each process that starts.
 */
struct function_parameter {
	char name[30];
	uint8_t kind; /* enum kind */
	bool output;  /* known only after the call */
};

struct function_entry {
	char name[48];
	uint8_t result; /* enum kind */
	uint8_t arg_count;
	uint16_t first_arg; /* in function_parameters */
	uint8_t layer;      /* in layer_table */
};

/* The functions of a layer stand together in function_table. */
struct layer_entry {
	char name[16];
	uint16_t first, count;
	bool opt_in; /* recorded only when it is asked for by name */
};

struct symbol_entry {
	char name[48];     /* exported name, which is also that of the next definition */
	char fallback[48]; /* to be tried where no next definition exists (PMPI_X), "" none */
	bool scoped;       /* another one for each calling object: scope.h */
};

/* Generated: functions_gen.c. */
extern const struct function_parameter function_parameters[];
extern const struct function_entry function_table[];
extern const struct layer_entry layer_table[];
extern const struct symbol_entry symbol_table[];
extern HIDDEN const unsigned function_count, layer_count, symbol_count;

/* Symbols to be looked up in the constructor: needed in signal handlers and after vfork. */
extern const uint16_t symbol_eager[];
extern const unsigned symbol_eager_count;

static inline const struct function_parameter *function_args(const struct function_entry *entry)
{
	return function_parameters + entry->first_arg;
}

enum function_state {
	FUNCTION_OFF = 0, /* filtered out */
	FUNCTION_ON,      /* recorded, and defined in the stream */
	FUNCTION_NEW,     /* to be recorded, not yet defined in the stream */
	FUNCTION_STACK,   /* the same, with call stacks */
	FUNCTION_FAR, /* the same by the long way: other stamps than the CPU's, or a least duration; with call stacks or without */
	FUNCTION_PAUSED, /* not recorded until the control word says so */
};

struct raw_record;

/* Whether a finished call is one of those that become one record when they are made in a row (`fold` in the catalogue). */
bool function_folds(const struct raw_record *record);

/* Numbers of functions: those of the catalogue, and behind them those that are met at run time (named.h). */
#define FUNCTION_IDS 20480u

/* By number: enum function_state. Written by one thread at a time, read by all without order. Generated: those of the catalogue are FUNCTION_NEW. */
extern HIDDEN uint8_t function_state[FUNCTION_IDS];

static inline uint8_t function_state_of(unsigned function)
{
	return __atomic_load_n(&function_state[function], __ATOMIC_RELAXED);
}

static inline void function_set_state(unsigned function, uint8_t state)
{
	__atomic_store_n(&function_state[function], state, __ATOMIC_RELAXED);
}

/* By SYM_*: the real function, NULL while not looked up. Generated. */
extern HIDDEN void *symbol_next[];

/*
 * Looks the real function up. `caller`: an address in the object that made the call, or NULL. Returns NULL if no library of the process
 * has it. Keeps errno.
 */
void *symbol_look_up(const struct symbol_entry *symbol, const void *caller);
/* The same, and keeps it. */
void *symbol_resolve(unsigned symbol, const void *caller);
/* Called when functions that were found have gone with their library; NULL: nobody asked. */
extern void (*symbol_gone)(void);
/* Looks up those that must not be looked up later (in signal handlers, after vfork). */
void symbol_resolve_eager(void);

/* Looks up all that have no fallback name: afterwards nothing may be looked up that needs a system call. */
void symbol_resolve_plain(void);

/*
 * The real function behind an exported symbol, if calls of `function` are only to be passed on; else NULL. What a wrapper asks first: one that is filtered out then jumps there, without a frame of its
 * own. Not found yet is NULL, too.
 */
static inline __attribute__((always_inline)) void *function_passed_on(unsigned function,
								      unsigned symbol)
{
	if (__builtin_expect(function_state_of(function) != FUNCTION_OFF, 1))
		return NULL;
	return __atomic_load_n(&symbol_next[symbol], __ATOMIC_RELAXED);
}

/* The real function behind an exported symbol, for a call that returns to `site`; NULL if there is none. */
static inline __attribute__((always_inline)) void *function_next_at(unsigned symbol, uintptr_t site)
{
	void *next = __atomic_load_n(&symbol_next[symbol], __ATOMIC_RELAXED);

	if (__builtin_expect(next != NULL, 1))
		return next;
	return symbol_resolve(symbol, (const void *)site);
}

/* The same. To be called by the wrapper itself. */
static inline __attribute__((always_inline)) void *function_next(unsigned symbol)
{
	return function_next_at(symbol, (uintptr_t)__builtin_return_address(0));
}

#endif
