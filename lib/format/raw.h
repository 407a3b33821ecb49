/* SPDX-License-Identifier: MIT */
/*
 * raw.h - raw records that come from a file: walked and checked. The buffer must be aligned to 8
 * bytes.
 */
#ifndef RECORDER_FORMAT_RAW_H
#define RECORDER_FORMAT_RAW_H

#include "format/bytes.h"

/*
 * The next record; false at the end, with data->bad set if that is not where a record ends. A
 * record that is given out lies wholly in the buffer, header and arguments; its blocks are still
 * to be checked.
 */
bool raw_next(struct bytes *data, const struct raw_record **record);

/* Sets what the header of a chunk of raw records says of them: encoding, sizes, times, carried records. They are whole. */
void raw_describe(struct chunk_header *header, const uint8_t *records, size_t size,
		  uint64_t t_base);

/*
 * The records of a ring that was copied: where the run stands that is the last of them, if that is one (lib/record/repeat.h). `run`: of the ring's
 * header.
 */
void raw_settle_run(uint8_t *data, size_t size, const struct ring_run run[2]);

/*
 * The record in place behind those of a ring: of a call in flight, whose record is put where it will lie. `behind`: what follows them, `size` bytes of it. Its bytes; 0: there is none. `ring`: the header.
 */
uint32_t raw_in_place(const struct ring_header *ring, const uint8_t *behind, size_t size);

/* The block behind value `value` of a STRING or ARRAY argument; NULL if it is absent, unreadable or
 * not wholly inside the record. */
const struct string_block *raw_string(const struct raw_record *record, uint64_t value);
const struct array_block *raw_array(const struct raw_record *record, uint64_t value);

/* Whether all blocks of the record lie in it. `classes`: of its arguments. */
bool raw_blocks_check(const struct raw_record *record, const uint8_t *classes);

#endif
