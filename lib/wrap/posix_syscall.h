/* SPDX-License-Identifier: MIT */
/*
 * posix_syscall.h - system calls that programs make by syscall(2) and that are recorded as the functions that they stand for.
 */
#ifndef RECORDER_WRAP_POSIX_SYSCALL_H
#define RECORDER_WRAP_POSIX_SYSCALL_H

#include <stdint.h>

/* The real syscall(): registers, and one word of the caller's stack. */
typedef long syscall_function(long number, long a, long b, long c, long d, long e, long f);
typedef long record_function(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			     long e, long f);

/* The real one. */
syscall_function *syscall_next(void);
/* What records a system call; NULL: it is passed on. */
record_function *syscall_record_of(long number);

#endif
