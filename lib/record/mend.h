/* SPDX-License-Identifier: MIT */
/*
 * mend.h - a thread that was jumped out of the recorder.
 *
 *	program: sigsetjmp() ──> wrapper: thread->busy = its frame ──> signal ──> handler: siglongjmp()
 *	   ^                                                                         │
 *	   └─────────────────────────────────────────────────────────────────────────┘
 *	program: wrapper: the thread is busy, by a frame that is not there any more
 *
 * Nobody notices the jump. So it is the next call that finds the thread busy and asks: is this a signal handler that interrupts the recorder, or has the frame been left? It has if the call's own frame lies further
 * out on the same stack. What is no stack that libc or the kernel made for this thread (coroutines), or an alternate one that is in use, may be resumed later: there, and after a jump out of what is critical
 * (critical.h), all stays as it is, and the calls are those of a handler, to be recorded in the spare structure or lost.
 *
 * What was left can be at any instruction. What the ring's header says is right at each of them, for readers of a process that was killed, and the rest follows from it:
 *
 *	published		the records that are stored; numbers go on from the newest
 *	in_place, open_top	the calls that have started; the innermost may be stored already
 *
 * The call that was being recorded is counted as lost, unless it is stored; if the program was still about to enter, and nothing is open yet, it never came to be a call. Calls around it go on, or have been
 * left as well, which is found out as after any other jump (open_calls.h). A run ends.
 * The mending itself may be jumped out of: it then begins anew, with what `busy` was at first (thread->jumped_out).
 */
#ifndef RECORDER_RECORD_MEND_H
#define RECORDER_RECORD_MEND_H

#include "record/thread.h"

/* Whether nothing is being recorded in the calling thread's structure, seen from a call with that frame. What was left is mended, and idle then. */
bool mend_if_left(struct thread *thread, uintptr_t frame);

static inline bool mend_is_idle(struct thread *thread, uintptr_t frame)
{
	return __builtin_expect(thread_is_idle(thread), 1) || mend_if_left(thread, frame);
}

/* A real call has returned to the wrapper with that frame, and found the thread busy with another, `left`: mends what was left inside, and not more. The thread is busy in `frame` then. */
__attribute__((cold)) void mend_inside(struct thread *thread, uintptr_t left, uintptr_t frame);
/* The process ends, maybe in a signal handler that has interrupted the recorder, or after a jump out of what is critical: what has not been called, or is stored already, is in flight no more. The thread is idle then. */
void mend_at_exit(struct thread *thread);
/* The thread ends: nothing comes back to what it is busy with. */
void mend_at_end(struct thread *thread);

#endif
