/* SPDX-License-Identifier: MIT */
/*
 * sandbox.h - a process that has given up system calls (seccomp).
 *
 * Which calls a filter lets pass, and whether it kills for others, cannot be known. So before one is installed, all rings are
 * sealed; afterwards sys_call() makes no system call any more. Records go on to the live rings, which are mapped, until these are full; then
 * they are counted as lost. What the rings hold is folded by the launcher or by `recorder repair`.
 *
 * The state is a process's, though a filter may be a thread's: threads share rings and files. A forked child inherits the
 * filter and this state; without a stream it records nothing.
 */
#ifndef RECORDER_RECORD_SANDBOX_H
#define RECORDER_RECORD_SANDBOX_H

#include <stdbool.h>

/* Before a filter is installed. True: this call made the process a sandboxed one. */
bool sandbox_enter(void);
/* What was installed takes the time stamp counter away, too (seccomp strict, PR_TSC_SIGSEGV): nothing can be recorded. */
void sandbox_without_clock(void);
/* It was not installed after all. */
void sandbox_leave(void);
/* Whether the process is sandboxed. */
bool sandbox_active(void);

#endif
