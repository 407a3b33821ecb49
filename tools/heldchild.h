/* SPDX-License-Identifier: MIT */
/*
 * heldchild.h - a child that waits until it is told to go on: what looks at it is in place before it does anything.
 *
 *	pid = held_fork(&child);      in the child: 0, as soon as it may go on
 *	...                           programs in the kernel follow pid
 *	held_release(&child);
 */
#ifndef RECORDER_TOOLS_HELDCHILD_H
#define RECORDER_TOOLS_HELDCHILD_H

#include <sys/types.h>

struct held_child {
	int go; /* its end of a pipe, which says so by closing */
};

/* In the child it returns 0 when it may go on, which is also when its parent has ended; else its pid or a negative errno. */
pid_t held_fork(struct held_child *child);
void held_release(struct held_child *child);

#endif
