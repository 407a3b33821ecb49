/* SPDX-License-Identifier: MIT */
/*
 * vfork.h - what the vfork() of each CPU (vfork_CPU.S) calls in C.
 *
 * The child of vfork runs on its parent's stack and returns from vfork() first; what it then calls
 * overwrites the frame. So the wrapper cannot be C: between the system call and the return nothing
 * may be on the stack. The stub keeps the return address and the level in registers, which the
 * kernel gives back to the parent as they were.
 */
#ifndef RECORDER_WRAP_VFORK_H
#define RECORDER_WRAP_VFORK_H

#include <stdint.h>
#include <sys/types.h>

/* Before the system call. The level of the child's calls, 0 if vfork() is not recorded. */
uint32_t vfork_enter(uintptr_t site);
/* After it, in the parent alone, with its result. What vfork() returns. */
pid_t vfork_leave(long pid, uint32_t level);

#endif
