/* SPDX-License-Identifier: MIT */
/*
 * signatures_encode.h - raw records into the two parts of a body of DATA encoding 2 or 3, doc/format.md section 5: the words, to be deflated, and the
 * bits, which are not.
 *
 * The caller gives the memory and is told the sizes; nothing here allocates, blocks or needs more than 1 KiB of stack, so that it
 * can run in the traced program. Cost: one pass over the records (signatures, idle times, durations), one over each of these for its codes.
 */
#ifndef RECORDER_FORMAT_SIGNATURES_ENCODE_H
#define RECORDER_FORMAT_SIGNATURES_ENCODE_H

#include "format/signature_table.h"

/* Where the address of a call site lies. */
struct encode_site {
	uint32_t module; /* 0: not in a known one, `offset` is the address */
	uint64_t offset;
};

struct encode_input {
	const uint8_t *records; /* raw records, whole; RECORDS_BEHIND more bytes can be read */
	uint32_t size;
	uint32_t count;
	uint64_t t_base; /* ticks; not after the first tend */
	uint64_t unit;   /* ticks in a time unit */
	uint64_t phase;
	/* encoding 3, without stamps; instants, in rising order, in the midst of no call that is stored, which times are to stay on their side of */
	bool summed;
	uint32_t mark_count;
	const uint64_t *marks; /* ticks */
	uint64_t self;         /* what ranks are relative to, 0 not known */
	uint64_t *hints;       /* see signature_table.h */
	uint32_t hint_count;
	void *data; /* for the callbacks */
	struct encode_function (*function)(void *data, uint16_t id);
	struct encode_site (*site)(void *data, uint64_t address);
};

struct deflater;

struct encode_output {
	uint32_t words_size, bits_size;
	uint32_t carried;
	uint64_t t_base, t_min, t_max; /* quantised, for the chunk header */
	bool summed;
};

/* Bytes of work memory, of words and of bits that `size` bytes of records need. */
size_t signatures_work_size(size_t size);
size_t signatures_words_room(size_t size);
size_t signatures_bits_room(size_t size);

/*
 * `work`, aligned to 16, `words` and `bits` have as many bytes as that. 0; -E2BIG, -ENOBUFS: there is too much of something, and the
 * records are to be stored raw. -ERANGE, or one of these, where times are to be summed: they are to be stored with stamps.
 */
int signatures_encode(const struct encode_input *input, void *work, uint8_t *words, uint8_t *bits,
		      struct encode_output *output);

/* Bytes that a body of so many words and bits takes at most. */
size_t signatures_body_bound(size_t words_size, size_t bits_size);
/*
 * Makes the body of the chunk at `body`, which has room for that, and sets what the header says of it: encoding, sizes, times, carried records. False: it
 * cannot be compressed.
 */
bool signatures_body(struct deflater *deflater, const uint8_t *words, const uint8_t *bits,
		     const struct encode_output *output, uint8_t *body,
		     struct chunk_header *header);

/* Of records that were encoded with this work memory: tells how many calls they stand for, a function in one or more parts. */
void signatures_calls(const void *work, void (*each)(uint16_t id, uint64_t calls));

/*
 * The same: how many records at the end of the `count` come again and again in the same order, at most `most`; 0: none do (period.h). Nothing
 * else can be asked of this memory afterwards but their calls.
 */
uint32_t signatures_period(void *work, uint32_t count, uint32_t most);

#endif
