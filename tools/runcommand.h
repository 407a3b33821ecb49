/* SPDX-License-Identifier: MIT */
/*
 * runcommand.h - runs the command that is recorded, in its place for all the world: signals go to it, its status and its death come from here.
 */
#ifndef RECORDER_TOOLS_RUNCOMMAND_H
#define RECORDER_TOOLS_RUNCOMMAND_H

struct environment;
struct kernelside;
struct sampling;

/* Exit statuses that say the command was not run, as of env(1) and timeout(1). */
enum {
	RUNCOMMAND_OWN_FAILURE = 125,
	RUNCOMMAND_NOT_EXECUTABLE = 126,
	RUNCOMMAND_NOT_FOUND = 127,
};

struct runcommand {
	char **argv;
	const struct environment *environment; /* what is to be changed in ours; NULL: nothing */
	struct kernelside *kernel;             /* who is to follow it; NULL: nobody */
	struct sampling *sampling;             /* likewise */
};

/*
 * Runs it and waits for its end; a command that cannot be run has been told of. Returns its wait status. Signals that come meanwhile are forwarded, and are still blocked when
 * `finish` is called (may be NULL) with `context`; after that they are as they were.
 */
int runcommand(const struct runcommand *run, void (*finish)(void *context), void *context);
/* Ends as a command with this wait status did: by its signal, or by what this returns for main(). */
int runcommand_end_as(int status);

#endif
