/* SPDX-License-Identifier: MIT */
/*
 * convert.h - from a raw record to the record that the library gives out.
 */
#ifndef RECORDER_READ_CONVERT_H
#define RECORDER_READ_CONVERT_H

#include "format/data_decode.h"
#include "read/trace.h"

struct converter {
	struct recorder_record record;
	struct recorder_arg args[RECORD_MAX_ARGS];
	const struct def_module *module; /* of the last call site, mostly that of the next */
	const struct stream *stream;     /* its stream */
	size_t scratch_used;
	_Alignas(8) uint8_t raw[DATA_RECORD_MAX]; /* of a record that is put together for it */
	char scratch[RECORD_MAX_SIZE + RECORD_MAX_ARGS]; /* strings that have no zero behind them */
};

/*
 * Fills converter->record from a raw record whose function is defined. Texts point into the raw
 * record or the converter.
 * Blocks that do not lie in the record are given as unreadable.
 */
void convert(struct converter *converter, const struct thread *thread,
	     const struct function *function, const struct raw_record *raw, uint64_t sequence);

/* The same without times, what follows from them, and sequence number. */
void convert_untimed(struct converter *converter, const struct thread *thread,
		     const struct function *function, const struct raw_record *raw);
/* Sets the call site: an offset in the module `in`, if that is 0 an address. */
void convert_site(struct converter *converter, const struct stream *stream,
		  struct recorder_record *record, uint32_t in, uint64_t address);
/*
 * Classes of the arguments that mean nothing if the call did not set them, a bit each: it has not returned or failed. What it has of a record are its result
 * and errno.
 */
unsigned convert_unset(const struct function *function, const struct raw_record *raw);

/* Time in the calls of a run, of which `ticks` are stored; where its own times are made up, it may be longer than they. */
int64_t convert_busy(const struct stream *stream, uint64_t tstart, uint64_t tend, bool summed,
		     uint64_t ticks);

/* Flags of a record with such times. */
static inline uint16_t convert_phase(const struct stream *stream, uint64_t tstart, uint64_t tend)
{
	return (uint16_t)((tend <= stream->main_begin ? RECORDER_BEFORE_MAIN : 0) |
			  (tstart >= stream->main_end ? RECORDER_AFTER_MAIN : 0));
}

/* As convert() for a call in flight. */
void convert_open(struct converter *converter, const struct thread *thread,
		  const struct function *function, const struct raw_record *raw);

#endif
