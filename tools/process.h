/* SPDX-License-Identifier: MIT */
/*
 * process.h - processes of this machine, by /proc.
 */
#ifndef RECORDER_TOOLS_PROCESS_H
#define RECORDER_TOOLS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When the process began, clock ticks since boot; 0: there is none. */
uint64_t process_start(uint32_t pid);

/*
 * Calls `visit` for `root` and every process below it. Stops and returns what `visit` gives unless that is 0; -ESRCH: no
 * such process.
 */
int process_each_below(uint32_t root, int (*visit)(void *data, uint32_t pid), void *data);

#endif
