/* SPDX-License-Identifier: MIT */
/*
 * pack_numbers.h - the numbers in which a part of a packed trace is different from the first one of its shape, doc/format.md section 10.
 *
 * Most are the same, and many of the others differ by the same: addresses of libraries, which are loaded one after the other.
 */
#ifndef RECORDER_FORMAT_PACK_NUMBERS_H
#define RECORDER_FORMAT_PACK_NUMBERS_H

#include "format/varint.h"

/* Clocks go on in all ranks alike: a time is stored as how far it is off more than the one before of its clock. */
enum pack_clock { PACK_TICKS, PACK_MONO, PACK_REAL, PACK_SIZE, PACK_CLOCKS };

/* Zeroed memory is at the begin of a list. */
struct pack_writer {
	uint64_t zeros;   /* differences of 0 that are not written yet */
	uint64_t last[2]; /* different ones before that were not 0, the last one first */
};

#define PACK_NUMBER_ROOM (2 * VARINT_MAX + 9) /* what one number takes at most */

/* Zeros at the end of a list need not be written. */
void pack_number_put(struct pack_writer *writer, uint64_t difference, struct varints *out);

struct pack_numbers {
	struct bytes in;
	uint64_t zeros;
	uint64_t last[2];
};

static inline struct pack_numbers pack_numbers_of(struct bytes in)
{
	return (struct pack_numbers){.in = in};
}

/* The next difference; 0 after the last one. in.bad is set if it is malformed. */
uint64_t pack_number_take(struct pack_numbers *numbers);
/* Whether all is used up and was sound. */
bool pack_numbers_ended(const struct pack_numbers *numbers);

/* Fills `numbers` with base + difference. 0 or -EBADMSG. */
int pack_numbers_read(struct bytes in, const uint64_t *base, uint64_t *numbers, size_t count);
/* The same for times, whose clocks are given. */
int pack_times_read(struct bytes in, const uint64_t *base, const uint8_t *clocks, uint64_t *times,
		    size_t count);
/* The reverse of these. */
void pack_numbers_write(const uint64_t *base, const uint64_t *numbers, size_t count,
			struct varints *out);
void pack_times_write(const uint64_t *base, const uint8_t *clocks, const uint64_t *times,
		      size_t count, struct varints *out);

#endif
