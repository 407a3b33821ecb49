/* SPDX-License-Identifier: MIT */
/*
 * chunk_reader.h - one chunk after the other: its records as raw records in the order in which they ended, or ready to be given
 * out (records.h).
 *
 * It does not matter where they come from: both encodings and what rings held look the same. A
 * chunk is decoded as a whole, so that a damaged one gives nothing instead of something; the memory
 * is used again from chunk to chunk, and nothing is allocated a record.
 */
#ifndef RECORDER_READ_CHUNK_READER_H
#define RECORDER_READ_CHUNK_READER_H

#include "format/loop_decode.h"
#include "read/records.h"

struct chunk_reader;

struct chunk_reader *chunk_reader_new(struct reader *trace);
void chunk_reader_free(struct chunk_reader *chunks);

/*
 * Decodes chunk `number` of the thread. `wanted`: functions of the trace that are asked for, a byte
 * each, NULL all; a chunk that has none of them is empty. 0; -EBADMSG: the chunk cannot be read,
 * which is noted; -ENOMEM.
 */
int chunk_reader_open(struct chunk_reader *chunks, const struct thread *thread, uint32_t number,
		      const uint8_t *wanted);

/*
 * The next record, valid until the next chunk is opened; NULL after the last one.
 * Call sites: an offset in the module `reserved1`, or if that is 0 an address. `reserved0` is RAW_TIMES_SUMMED or 0. `sequence` is the
 * low half, see chunk_reader_sequence().
 */
const struct raw_record *chunk_reader_next(struct chunk_reader *chunks);
/* The number of the record given last. */
uint64_t chunk_reader_sequence(const struct chunk_reader *chunks);

/*
 * The same chunk for cursors, of the functions that the filter asks for. *first is set to the number of records at the begin that an earlier chunk
 * has. 0; -EBADMSG, -ENOMEM, as above.
 */
int chunk_reader_load(struct chunk_reader *chunks, const struct thread *thread, uint32_t number,
		      const struct filter *filter, struct converter *converter,
		      struct records *records, uint32_t *first);
/* What of a chunk of encoding 4, which is not divided yet, is known without looking at all its records; NULL: *error says why. */
const struct looped *chunk_reader_loop(struct chunk_reader *chunks, const struct thread *thread,
				       uint32_t number, int *error);
/* The unit of time of the chunk and its phase, in ticks. */
void chunk_reader_unit(const struct chunk_reader *chunks, uint64_t *unit, uint64_t *phase);

#endif
