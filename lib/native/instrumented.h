/* SPDX-License-Identifier: MIT */
/*
 * instrumented.h - programs whose compiler has put calls into each function: -finstrument-functions, -pg -mfentry and -pg.
 *
 * All of their functions are traced, or, with targets, those that these mean. Addresses are looked up in addresses.h; each gets its name when it is called for the first time. Where nothing is to be recorded a call
 * costs that look.
 */
#ifndef RECORDER_NATIVE_INSTRUMENTED_H
#define RECORDER_NATIVE_INSTRUMENTED_H

#include <stdint.h>

enum instrumented_by { INSTRUMENTED_CALLS, INSTRUMENTED_FENTRY, INSTRUMENTED_MCOUNT };

/* The number for calls of the function that `address` lies in, or ADDRESS_OFF; kept. */
uint32_t instrumented_ask(uintptr_t address, enum instrumented_by how);

#endif
