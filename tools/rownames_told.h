/* SPDX-License-Identifier: MIT */
/*
 * rownames_told.h - what one process has found for its rows (rownames.h) as bytes, for another one that goes on with what that one has read.
 */
#ifndef RECORDER_TOOLS_ROWNAMES_TOLD_H
#define RECORDER_TOOLS_ROWNAMES_TOLD_H

#include "buffer.h"
#include "rownames.h"

/* What has been found, for another process. */
void rownames_tell(const struct rownames *names, struct buffer *to);
/* Takes that in, behind what is there: as if this process had gone on with what that one has read. False: it is not of this trace. */
bool rownames_learn(struct rownames *names, const void *bytes, size_t size);

#endif
