/* SPDX-License-Identifier: MIT */
/*
 * batch_encode.h - a batch becomes the body of a chunk: what the runtime tells the encoder of format/signatures_encode.h, and keeps of what it has learned.
 */
#ifndef RECORDER_RECORD_BATCH_ENCODE_H
#define RECORDER_RECORD_BATCH_ENCODE_H

#include "record/batch.h"
#include "record/scratch.h"

/* Bytes of scratch memory that a batch of `size` bytes takes, a multiple of 16; what is behind them is free. */
size_t batch_encode_room(uint32_t size);
/*
 * In encoding 2, or 3 where times are summed. Sets all of `chunk` that encoding says; its anchor is there. The body stays in the scratch memory, and so does what signatures_calls() asks for. 0;
 * -E2BIG: its records are too different from each other; any error: it cannot be encoded.
 */
int batch_encode(struct thread *thread, const struct batch *batch, struct scratch *scratch,
		 struct chunk_header *chunk, const uint8_t **body);

#endif
