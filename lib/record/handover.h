/* SPDX-License-Identifier: MIT */
/*
 * handover.h - what an image of a process tells the next one, which begins with exec: the number that its stream has.
 *
 * The next image could find that out by the files of the trace, but each look at those is an operation for a file system that all ranks
 * share. So RECORDER_IMAGE is put into the environment that exec gets, in a copy of the vector; the program's own stays as it is.
 */
#ifndef RECORDER_RECORD_HANDOVER_H
#define RECORDER_RECORD_HANDOVER_H

struct scratch;

struct handover {
	char *const *environment; /* what exec is to be given */
	struct scratch *copy;     /* that is in here, NULL: it is the program's */
	char variable[64];
};

/* Before exec, once the stream has ended. The structure must live until exec has failed. */
void handover_begin(struct handover *handover, char *const environment[]);
/* It failed. */
void handover_end(struct handover *handover);

#endif
