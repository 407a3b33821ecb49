/* SPDX-License-Identifier: MIT */
/*
 * vdso.h - the kernel's own clocks, without libc in between.
 *
 * Others that are preloaded have a clock_gettime(3) of their own: one that fakes the date must not fake the times of a trace, and one that writes of each call must
 * not be called while one is recorded. The kernel maps a function for it into each process, as fast as libc, which calls it, too.
 * Source: vdso(7).
 */
#ifndef RECORDER_RECORD_VDSO_H
#define RECORDER_RECORD_VDSO_H

#include <stdint.h>
#include <time.h>

/* A clock in ns; 0: there is none. Where the kernel maps no such function, as under some tools, by a system call. */
int64_t vdso_clock_ns(clockid_t clock);

#endif
