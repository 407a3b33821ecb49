/* SPDX-License-Identifier: MIT */
/* stream_metadata.h - what a stream's .lm says of its process: who it is, its clock, how it ended. */
#ifndef RECORDER_READ_STREAM_METADATA_H
#define RECORDER_READ_STREAM_METADATA_H

#include "read/trace.h"

void stream_set_identity(struct stream *stream);
/* Each 0 or -ENOMEM. */
int stream_set_argv(struct stream *stream);
/* After all chunks' anchors are in the timeline. */
int stream_set_timeline(struct stream *stream);
/* After all records are counted. */
int stream_set_state(struct stream *stream);

#endif
