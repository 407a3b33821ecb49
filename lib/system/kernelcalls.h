/* SPDX-License-Identifier: MIT */
/*
 * kernelcalls.h - the system calls of this machine by number: what is kept of each and what that means; made of functions/kernel.syscalls and the lines of other layers that stand for
 * system calls (functions/kernelcalls.py).
 */
#ifndef RECORDER_SYSTEM_KERNELCALLS_H
#define RECORDER_SYSTEM_KERNELCALLS_H

#include <stdint.h>

#include "bpf/kernel_events.h"

#define KERNEL_CALLS EVENT_CALLS_MAX /* numbers, from 0 */
#define KERNEL_CALL_ARGS 6u

#define KERNEL_ARG_POSITION 255 /* no register, but where in its file the call began */

struct kernel_arg {
	const char *name, *kind;
	uint8_t class; /* enum arg_class */
	uint8_t reg;   /* from 0, or that */
};

struct kernel_call {
	const char *name; /* NULL: there is no such call, or it is not known here */
	const char *kind; /* of the result */
	uint8_t class;
	uint8_t descriptor, text; /* which register, from 1; 0: none */
	uint8_t makes;            /* the result is a descriptor */
	uint8_t arg_count;
	struct kernel_arg args[KERNEL_CALL_ARGS];
};

/* NULL: not known. */
const struct kernel_call *kernel_call(unsigned number);

#endif
