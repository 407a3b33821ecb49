/* SPDX-License-Identifier: MIT */
/*
 * sandbox.h - a process that has given up system calls (seccomp).
 *
 * Which calls a filter lets pass, and whether it kills for others, cannot be known. So before one is installed, all rings are
 * sealed; afterwards sys_call() makes no system call any more. Records go on to the live rings, which are mapped, until these are full; then
 * they are counted as lost. What the rings hold is folded by the launcher or by `recorder repair`.
 *
 * The state is a process's, though a filter may be a thread's: threads share rings and files. A forked child inherits the
 * filter and this state; without a stream it records nothing. The child of a vfork has it alone, until it is gone. A program
 * that is executed under the filter is told to stay untraced: RECORDER_ENABLE=0.
 *
 * Where the clock goes as well, what the thread has in flight ends at its last reading, and the thread has none of its structures from
 * then on: who would take a time at the end of a call finds that first (quick_stamp(), paired_thread()).
 */
#ifndef RECORDER_RECORD_SANDBOX_H
#define RECORDER_RECORD_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* Before a filter is installed. True: this call made the process a sandboxed one. */
bool sandbox_enter(void);
/* It was installed. `without_clock`: it takes the time stamp counter away, too (seccomp strict, PR_TSC_SIGSEGV): nothing can be recorded. */
void sandbox_entered(bool without_clock);
/* It was not installed after all. */
void sandbox_leave(void);
/* The child of a vfork is gone, and with it the sandbox that it may have been in. */
void sandbox_child_left(void);
/* Whether the process is sandboxed. */
bool sandbox_active(void);
/* Whether it may still ask for the time: if not, it must not, and nothing is recorded. */
bool sandbox_has_clock(void);

/* Bytes for what follows. */
size_t sandbox_environment_size(char *const environment[]);
/* The environment for a program that is executed in the sandbox, made in `copy`. */
char *const *sandbox_environment(char *const environment[], char **copy);

#endif
