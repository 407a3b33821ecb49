/* SPDX-License-Identifier: MIT */
/* position_facts.h - what a function does with the positions of descriptors and streams of stdio, by its name and its arguments. */
#ifndef RECORDER_ANALYSIS_POSITION_FACTS_H
#define RECORDER_ANALYSIS_POSITION_FACTS_H

#include <stdbool.h>

#include <recorder/reader.h>

#include "analysis/open_files.h"

#define NO_POSITION_ARG (~0u)

enum position_role {
	POSITION_NONE,
	POSITION_OPENS,    /* its result stands at the begin of a file */
	POSITION_BUFFERS,  /* its result is a stream that stands where the descriptor does */
	POSITION_COPIES,   /* its result stands where its argument does, and moves with it */
	POSITION_CONTROLS, /* fcntl(): either, or whether writes go to the end */
	POSITION_CLOSES,
	POSITION_CLOSES_FROM, /* a range of descriptors */
	POSITION_SEEKS,       /* its result is where it stands then */
	POSITION_SEEKS_BY,    /* fseek(): the result says only if it worked */
	POSITION_REWINDS,
	POSITION_PUTS_BACK, /* ungetc() */
	POSITION_MOVES,     /* a transfer from where it stands */
	POSITION_GIVEN,     /* an argument says where the transfer begins */
	POSITION_PASSES, /* from one descriptor to another, each where an argument says or where it stands */
	POSITION_FORKS,  /* another process has all descriptors then */
	POSITION_SPAWNS, /* another program, that works on the first three */
};

struct position_facts {
	enum position_role role;
	enum handle_space space; /* of its handle, or of its result */
	unsigned handle;         /* argument that is moved */
	unsigned
		other; /* the other descriptor of POSITION_PASSES; the offset of each, if it has one, is behind it */
	unsigned given; /* argument that says where, or how much further */
	unsigned how;   /* flags, mode or command */
	unsigned
		size; /* of an element: the result counts these, out of so many as the argument behind it says */
	bool writes;
	bool blind;      /* how far it moves is not recorded */
	bool may_append; /* what it opens: how is not recorded */
	bool escapes;    /* nor are calls of its kind that the program has compiled in */
};

struct position_facts position_facts_of(const struct reader_function_info *function);

/* Calls each() for the names of functions that move descriptors, but for those that cannot be told by name. */
void position_movers(void (*each)(void *data, const char *name), void *data);

#endif
