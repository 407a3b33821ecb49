/* SPDX-License-Identifier: MIT */
/*
 * cpu.h - what has to be known of the CPU that the program runs on.
 */
#ifndef RECORDER_NATIVE_CPU_H
#define RECORDER_NATIVE_CPU_H

#include <stdbool.h>

/* Why functions cannot be made to return to a thunk here; NULL: they can. */
const char *cpu_obstacle(void);
/* Vector registers that the plain way of storing them leaves out, or not. */
bool cpu_has_more_vectors(void);

#endif
