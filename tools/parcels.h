/* SPDX-License-Identifier: MIT */
/*
 * parcels.h - the work of reading a trace divided into parcels, which one process each does: some pieces of the trace (reader_pieces()) that follow each other. They
 * depend on the trace and the filter alone; who does which depends on how many there are.
 */
#ifndef RECORDER_TOOLS_PARCELS_H
#define RECORDER_TOOLS_PARCELS_H

#include <stdbool.h>

#include <recorder/reader.h>

#define PARCEL_RECORDS (16u << 10)

struct parcel {
	uint32_t first, end; /* pieces */
	uint64_t stored;     /* records in them, roughly, or what it costs to read as many */
	unsigned owner;
	bool follows; /* it is for whoever has the one before */
	/* Of a piece that is divided: of the records that a cursor gives of it those from number `from` on, up to `until`, not included. */
	uint64_t from, until;
};

struct parcels {
	struct reader_piece *pieces;
	struct parcel *items;
	uint32_t piece_count, count;
	uint64_t stored; /* of all */
};

/* Ends the process with a message if the filter is wrong. */
void parcels_init(struct parcels *parcels, const struct reader *trace,
		  const struct reader_filter *filter);
void parcels_release(struct parcels *parcels);
/*
 * Divides large pieces in two. Who makes the second half has to read over the first one, but what is made of a piece is held in memory until it can be written: half of it may
 * stay in the cache, and work is shared out more evenly. 0 or -ENOMEM.
 */
int parcels_halve(struct parcels *parcels);
/* Another one behind all, without pieces; `owner` is not asked for. 0 or -ENOMEM. */
int parcels_add(struct parcels *parcels, const struct parcel *parcel);
/* Gives each of `count` processes about the same, in turn. */
void parcels_deal(struct parcels *parcels, unsigned count);
/* A number that tells these parcels from others. */
uint64_t parcels_fingerprint(const struct parcels *parcels);

#endif
