/* SPDX-License-Identifier: MIT */
/*
 * loop_encode.h - the loop that a thread is in, as it goes on: DATA encoding 4, doc/format.md section 5.
 *
 *	loop_begin(&loop, &bump, &input);      what comes again, and in which fields it counts on
 *	taken = loop_extend(&loop, ...);       as many whole iterations as are there
 *	loop_write(&loop, ...);                the words of all so far
 *
 * An iteration is taken if each record is what the iteration before lets expect: the same but for times, and numbers that are larger by the same step each time. Then all that there is
 * to be kept of it are the gaps between its events, in histograms: the cost is a comparison of the records with what is expected, and two numbers each.
 *
 * All memory is the caller's; nothing here allocates or blocks.
 */
#ifndef RECORDER_FORMAT_LOOP_ENCODE_H
#define RECORDER_FORMAT_LOOP_ENCODE_H

#include "format/histogram.h"
#include "format/loop.h"
#include "format/signatures_encode.h"
#include "format/units.h"

#define LOOP_CONTEXTS 256u
#define LOOP_KINDS 8u     /* with more, times are summed without regard to what calls are about */
#define LOOP_MIN_TIMES 4u /* iterations that are worth to begin with */

/* A number that grows. */
struct loop_step {
	uint64_t step;   /* of a PAIR: of its value, and of its id in the high half */
	uint32_t at;     /* byte of the block */
	uint32_t record; /* of the block */
	uint8_t field;
	bool pair;
};

struct loop_time {
	uint32_t at; /* byte of an iteration where the ticks stand */
	uint32_t histogram;
};

struct loop {
	struct units units;
	uint64_t iterations;
	uint64_t start, last; /* units: of the first event, of the last one */
	uint64_t last_ticks;
	uint32_t period, block_size, step_count, context_count;
	uint32_t function_count, site_count;
	bool repeats;   /* some record stands for several calls */
	uint8_t *first; /* the block as it is written: without times, call sites by number */
	uint8_t *next;  /* the iteration that is to come */
	uint32_t *room; /* for loop_order() */
	uint32_t *inside;
	uint16_t *context;
	uint16_t *functions;        /* ids */
	uint64_t *sites;            /* addresses */
	struct encode_site *places; /* of them: code may be gone when it is written */
	struct loop_step *steps;
	struct loop_event *events;
	struct loop_time *times;             /* of the events */
	struct histogram_counts *histograms; /* of begins, of each context, then of ends */
};

struct loop_input {
	const uint8_t *records; /* raw records, from the begin of an iteration on */
	uint32_t size;
	uint32_t period;
	uint64_t t_base; /* ticks: where the record before ended */
	struct units units;
	void *data;
	struct encode_function (*function)(void *data, uint16_t id);
	struct encode_site (*site)(void *data, uint64_t address);
};

/* Memory that loop_begin() needs. */
size_t loop_memory(uint32_t block_size, uint32_t period);
/* Bytes of the next `count` records; 0: there are not as many. */
uint32_t loop_block_size(const uint8_t *records, uint32_t size, uint32_t count);
/* How many of the records are before the begin of an iteration: calls are under way there only if they are all the time. */
uint32_t loop_align(const uint8_t *records, uint32_t period);

/* No iteration is taken yet. 0; -ENOENT: there is no loop; -E2BIG: it has too much of something. */
int loop_begin(struct loop *loop, struct bump bump, const struct loop_input *input);
/* Bytes of the iterations that were taken. */
uint32_t loop_extend(struct loop *loop, const uint8_t *records, uint32_t size);

/* False: there is no room, or there is so much that it is to be written, and begun anew, first. */
bool loop_write(const struct loop *loop, struct varints *words);
/* What the chunk header says of times and of how many there are. `t_base`: tend of the record before. */
void loop_describe(const struct loop *loop, uint64_t t_base, struct chunk_header *header);
/* Tells how many calls so many iterations stand for, a function in one or more parts. */
void loop_calls(const struct loop *loop, uint64_t iterations,
		void (*each)(uint16_t id, uint64_t calls));

#endif
