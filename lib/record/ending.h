/* SPDX-License-Identifier: MIT */
/*
 * ending.h - the end of a stream, which may not be one.
 *
 * Who ends it seals the rings of all threads, as far as these are out of the recorder or have ended. Threads that go on write through to the file. Then come the END in the .rec and the last of the
 * LM, and the live files go. Signals wait meanwhile, and so does who else wants to end the process.
 */
#ifndef RECORDER_RECORD_ENDING_H
#define RECORDER_RECORD_ENDING_H

#include <stdbool.h>

#include "record/thread.h"

struct call;

/*
 * Before a call that replaces or ends this process unless it fails (`how`: "exec", "daemon"): stores its record (`call`, NULL
 * if it is not recorded) and ends the stream. In a child of vfork, which has no stream, only the first.
 */
void ending_leaving(const char *how, struct call *call);
/* It failed with `err`: the stream goes on, and the record becomes that of an ordinary failed call. */
void ending_stayed(struct call *call, int err);
/* Ends the stream, if there is one (`how`: "exit", "abort" ...). */
void ending_end(enum close_for what, const char *how, int status);

/*
 * Seals all rings, and says in the LM why: from now on the process may be unable to (`reason`: "seccomp"). False in a child of vfork,
 * whose rings are its parent's.
 */
bool ending_seal(const char *reason);

#endif
