/* SPDX-License-Identifier: MIT */
/*
 * threaddef.h - the definition of a thread: its name, and the function it was started with, which tells whose thread it is.
 *
 * The name is asked when the thread is attached, before each chunk, and at its end; where it changed, the thread is defined anew.
 */
#ifndef RECORDER_RECORD_THREADDEF_H
#define RECORDER_RECORD_THREADDEF_H

#include "record/thread.h"

/* The calling thread is being attached: its first definition. */
void threaddef_first(struct thread *thread);
/* By its owner, or by who has taken it over at the end of the process. */
void threaddef_again(struct thread *thread);

#endif
