/* SPDX-License-Identifier: MIT */
/*
 * sharing.h - tasks that run on the thread-local storage of the thread that made them.
 *
 * clone(2) with CLONE_VM and without CLONE_SETTLS or CLONE_VFORK makes a task that runs beside its maker, in the same memory, with the same thread
 * pointer: what thread_tls says of "this thread" it says of both. We call it a guest, and its maker the owner.
 *
 *	before clone	self = thread_detached, shared = the owner's structure
 *	meanwhile	nothing is recorded on the quick ways, as thread_detached is never active. On the long one a task asks the kernel for its number:
 *			the owner's structure is `shared`, and a guest's is in its place in shared->guests, which it takes when it is first seen
 *	no guest left	self = shared, shared = NULL; the owner looks for that now and then
 *
 * What a task is in the middle of (struct thread_task) is apart, too, but for guests that find no place: of these nothing is recorded, which is counted.
 * A child of vfork runs on its parent's storage as well, but the parent waits for it: its calls are the parent's (vfork.h), if there are no guests.
 */
#ifndef RECORDER_RECORD_SHARING_H
#define RECORDER_RECORD_SHARING_H

#include "record/thread.h"

struct sharing {
	struct thread *owner; /* NULL: nothing is shared */
	bool barred;          /* the owner cannot be recorded, so nothing is on this storage */
	bool apart;           /* the new task has descriptors of its own */
};

/* Before a clone() with these flags; what it returns is for sharing_began(), with the number of the new task or -1. Both keep errno. */
struct sharing sharing_begin(int flags);
void sharing_began(const struct sharing *sharing, long tid);
/* Before one whose result nobody of ours will see: it stays shared. */
void sharing_unseen(int flags);
/* Before a vfork, or a clone() like it: on storage that is shared already its child is one more guest. */
void sharing_vfork(int flags);

/* At the begin of a call, nothing being held: whether guests have ended. `self`: sharing_self(). */
void sharing_look_for_ends(struct thread *self);
static inline void sharing_look(struct thread *self)
{
	if (__builtin_expect(thread_tls.shared == self, 0))
		sharing_look_for_ends(self);
}

/* The structure of whoever calls; thread_detached: it has none yet. */
struct thread *sharing_ask(void);
static inline struct thread *sharing_self(void)
{
	return __builtin_expect(!thread_tls.shared, 1) ? thread_tls.self : sharing_ask();
}

/* Whether the caller is a guest whose clone() had not this flag. */
bool sharing_ask_without(int flag);
static inline bool sharing_is_without(int flag)
{
	return __builtin_expect(thread_tls.shared != NULL, 0) && sharing_ask_without(flag);
}

/* For thread_attach(): whether the caller can have a structure; if it is a guest, takes it. */
bool sharing_has_room(void);
bool sharing_attached(struct thread *thread);

#endif
