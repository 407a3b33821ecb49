/* SPDX-License-Identifier: MIT */
/* sharing.c - see sharing.h */
#include "record/sharing.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>

#include "record/descriptors.h"
#include "record/sys.h"

#define LOOK_EVERY 16u /* calls of the owner */

/* ---- who calls ---- */

/* What thread_tls.shared points to was wiped: this is a child by a system call that we did not see. */
static bool was_wiped(const struct thread *owner)
{
	return owner->tid == 0;
}

static struct guest *place_of(struct thread *owner, uint32_t tid)
{
	for (unsigned i = 0; i < GUESTS_MAX; i++)
		if (atomic_load(&owner->guests[i].tid) == tid)
			return &owner->guests[i];
	return NULL;
}

/* Guest and owner may both be about to take one: both try the first that is free, so that it is the same. NULL: all are taken. */
static struct guest *take_place(struct thread *owner, uint32_t tid)
{
	for (unsigned i = 0; i < GUESTS_MAX; i++) {
		struct guest *guest = &owner->guests[i];
		uint32_t found = 0;

		if (atomic_compare_exchange_strong(&guest->tid, &found, tid)) {
			guest->flags = (int)atomic_load(&owner->guest_flags);
			if (!(guest->flags & CLONE_FILES))
				descriptors_guest_begins();
			return guest;
		}
		if (found == tid)
			return guest;
	}
	atomic_store(&owner->uncounted_guests, true);
	return NULL;
}

static struct guest *place_for(struct thread *owner, uint32_t tid)
{
	struct guest *guest = place_of(owner, tid);

	return guest ? guest : take_place(owner, tid);
}

struct caller {
	struct thread *owner; /* NULL: nothing is shared any more */
	bool is_owner;
	struct guest *guest; /* NULL: it is the owner, or has found no place */
};

static struct caller ask(void)
{
	struct caller caller = {.owner = thread_tls.shared};
	uint32_t tid;

	if (was_wiped(caller.owner)) {
		thread_tls.shared = caller.owner = NULL;
		return caller;
	}
	tid = (uint32_t)sys_gettid();
	caller.is_owner = tid == caller.owner->tid;
	if (!caller.is_owner)
		caller.guest = place_for(caller.owner, tid);
	return caller;
}

struct thread *sharing_ask(void)
{
	struct caller caller = ask();

	if (!caller.owner)
		return thread_tls.self;
	if (caller.is_owner)
		return caller.owner;
	return caller.guest && caller.guest->thread ? caller.guest->thread : &thread_detached;
}

struct thread_task *sharing_ask_task(void)
{
	struct caller caller = ask();

	return caller.guest ? &caller.guest->task : &thread_tls.task;
}

bool sharing_ask_without(int flag)
{
	struct caller caller = ask();

	return caller.owner && !caller.is_owner && (!caller.guest || !(caller.guest->flags & flag));
}

bool sharing_has_room(void)
{
	struct caller caller;

	if (!thread_tls.shared)
		return true;
	caller = ask();
	return !caller.owner || caller.guest;
}

bool sharing_attached(struct thread *thread)
{
	struct caller caller;

	if (!thread_tls.shared)
		return false;
	caller = ask();
	if (!caller.guest)
		return false;
	caller.guest->thread = thread;
	return true;
}

/* ---- how it begins and ends ---- */

/* Also one that nobody has waited for yet, if it is a child of the caller. */
static bool has_ended(uint32_t tid)
{
	siginfo_t found = {.si_pid = 0};
	int error = sys_waitid(P_PID, (pid_t)tid, &found, WEXITED | WNOHANG | WNOWAIT | __WALL);

	if (error == 0)
		return found.si_pid != 0;
	return sys_tgkill((pid_t)tid, (pid_t)tid, 0) == -ESRCH &&
	       sys_tgkill(sys_getpid(), (pid_t)tid, 0) == -ESRCH;
}

static void leave_place(struct guest *guest)
{
	struct thread *thread = guest->thread;

	if (!(guest->flags & CLONE_FILES))
		descriptors_guest_left();
	guest->thread = NULL;
	guest->task = (struct thread_task){0};
	atomic_store(&guest->tid, 0);
	if (thread)
		thread_gone(thread);
}

static bool has_guests(struct thread *owner)
{
	bool any = atomic_load(&owner->uncounted_guests);

	for (unsigned i = 0; i < GUESTS_MAX; i++) {
		uint32_t tid = atomic_load(&owner->guests[i].tid);

		if (tid && has_ended(tid))
			leave_place(&owner->guests[i]);
		else if (tid)
			any = true;
	}
	return any;
}

static void end_if_alone(struct thread *owner)
{
	if (has_guests(owner))
		return;
	thread_tls.self = owner;
	thread_tls.shared = NULL;
}

void sharing_look_for_ends(struct thread *self)
{
	if (thread_is_idle(self) && ++self->guest_looks % LOOK_EVERY == 0)
		end_if_alone(self);
}

/* The caller's structure; NULL: it has none, and cannot get one. */
static struct thread *own_structure(void)
{
	struct thread *thread = thread_tls.self;
	int saved = errno;

	if (thread_mode(thread) == THREAD_NONE)
		thread = thread_attach();
	errno = saved;
	return thread;
}

struct sharing sharing_begin(int flags)
{
	struct sharing sharing = {.owner = NULL};

	if (!(flags & CLONE_VM) || (flags & (CLONE_VFORK | CLONE_SETTLS)))
		return sharing;
	sharing.owner = thread_tls.shared ? thread_tls.shared : own_structure();
	if (!sharing.owner) {
		sharing.barred = true;
		runtime_enter();
		return sharing;
	}
	atomic_store(&sharing.owner->guest_flags, (uint32_t)flags);
	thread_tls.shared = sharing.owner;
	thread_tls.self = &thread_detached;
	/* Whatever is opened or closed until the guest has its place. */
	sharing.apart = !(flags & CLONE_FILES);
	if (sharing.apart)
		descriptors_guest_begins();
	return sharing;
}

void sharing_began(const struct sharing *sharing, long tid)
{
	if (sharing->barred && tid <= 0)
		runtime_leave();
	if (!sharing->owner)
		return;
	if (tid > 0)
		place_for(sharing->owner, (uint32_t)tid);
	else if (ask().is_owner)
		end_if_alone(sharing->owner);
	if (sharing->apart)
		descriptors_guest_left();
}

void sharing_vfork(int flags)
{
	if (thread_tls.shared)
		atomic_store(&thread_tls.shared->guest_flags, (uint32_t)flags);
}

void sharing_unseen(int flags)
{
	struct sharing sharing = sharing_begin(flags);

	if (sharing.owner)
		atomic_store(&sharing.owner->uncounted_guests, true);
}
