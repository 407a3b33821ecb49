/* SPDX-License-Identifier: MIT */
/* open_chunk.h - the calls in flight of a thread, as a chunk of their own. */
#ifndef RECORDER_RECORD_OPEN_CHUNK_H
#define RECORDER_RECORD_OPEN_CHUNK_H

#include "record/thread.h"

/* Stores them, if there are any or were when this was called last. The thread may be in the middle of its calls, and others may call this. */
void open_chunk_write(struct thread *thread);

#endif
