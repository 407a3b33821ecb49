/* SPDX-License-Identifier: MIT */
/*
 * kernelcheck.h - what of `recorder system` works on this machine: each part is tried, programs are loaded and attached, and a child does what has to make an event.
 */
#ifndef RECORDER_TOOLS_KERNELCHECK_H
#define RECORDER_TOOLS_KERNELCHECK_H

/* Prints it as JSON to stdout. */
void kernelcheck(void);

#endif
