/* SPDX-License-Identifier: MIT */
/*
 * stage.h - how far this process is with its stream, for all threads of it.
 *
 *	NONE ──> OPENING ──> OPEN ──> ENDING ──> ENDED
 *	OPENING ──> FAILED           no file could be made
 *	ENDING ──> OPENING           all was sealed for a sandbox, and it goes on
 *	ENDING ──> LEFT              by an exec,
 *	           LEFT ──> OPENING  which has failed
 *	           LEFT ──> ENDED    while another thread ends the process
 *
 * One thread makes each step, the others find it done or wait. It lies in memory that a fork wipes, so that a child sees that it is one.
 */
#ifndef RECORDER_RECORD_STAGE_H
#define RECORDER_RECORD_STAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/hidden.h"

enum stage {
	STAGE_NONE = 0, /* no stream yet; also in a forked child, which finds this wiped */
	STAGE_OPENING,
	STAGE_OPEN,
	STAGE_ENDING, /* a thread seals all; from here on those that go on write through */
	STAGE_LEFT,   /* sealed, for an exec that may still fail */
	STAGE_ENDED,  /* sealed */
	STAGE_FAILED,
};

struct stage_word {
	_Atomic uint32_t stage;
	_Atomic uint32_t opener; /* tid */
	_Atomic uint32_t ender;  /* tid of who seals, and leaves: 0 again when it has stayed */
	bool original;           /* what was found out at the start is of this very process */
};

/* Set before a process begins to record, and then for good. */
extern HIDDEN struct stage_word *stage_word;

/* False: no memory. */
bool stage_init(void);

static inline enum stage stage_now(void)
{
	return (enum stage)atomic_load(&stage_word->stage);
}

static inline void stage_set(enum stage stage)
{
	atomic_store(&stage_word->stage, stage);
}

/* Whether it was the calling thread that made this step. */
bool stage_go_on(enum stage from, enum stage to);
/* While another thread opens or ends the stream, or has left it by an exec: who ends the process now would cut it short, so waits as long as it gets on. Returns the stage then. */
enum stage stage_wait_for_others(void);

#endif
