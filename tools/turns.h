/* SPDX-License-Identifier: MIT */
/*
 * turns.h - parcels on their way into one file, in their order, whoever of several processes makes which. Each takes three steps, and a step of one parcel comes when that of the parcel before
 * has been:
 *
 *	names	what names it defines; those that a parcel before has defined are left out, so only then is it known what it will be
 *	part	how many bytes it takes, so that the place of the next one is known
 *	write	at its place in the file; into a pipe when it is its turn
 *
 * The first two are said to all (crew.h). A process holds some parcels of its own in memory, and when it has no room for more it waits for the others. One process alone writes segments as they are
 * made.
 */
#ifndef RECORDER_TOOLS_TURNS_H
#define RECORDER_TOOLS_TURNS_H

#include "crew.h"
#include "hashes.h"
#include "made.h"
#include "parcels.h"

#define TURNS_AHEAD 3u /* parcels that a process holds in memory */

enum { TURNS_NAMES = CREW_FIRST_TYPE, TURNS_PART, TURNS_FREE_TYPE };

/* What is said of a parcel. */
struct turns_part {
	uint64_t size, plain, records, messages;
	uint32_t crc, problems;
};

struct turns {
	/* Set by the caller, who keeps all of it. */
	const struct parcels *parcels; /* dealt out */
	struct crew *crew;             /* NULL: one process */
	unsigned number, count;        /* of this process; of all */
	const char *path;              /* of the output, for what is said if it fails */
	const char *head;              /* text before all else */
	bool gzip;
	bool in_place; /* each writes at its place; else into a pipe or the like, in turn */
	int fd;
	void (*heard)(
		void *data,
		const struct turns_part *part); /* a parcel of another process has its place */
	void *data;
	/* to be read */
	struct hash_set *known; /* names of the parcels that have said theirs */
	/* inside */
	bool locked; /* one process at a time writes */
	struct made made[TURNS_AHEAD];
	struct turns_part parts[TURNS_AHEAD];
	uint64_t places[TURNS_AHEAD];
	unsigned queue[TURNS_AHEAD]; /* which of them wait to be written, in order */
	/* The others; the one that was used last is at the end, and taken first: it may be in the cache. */
	unsigned spare[TURNS_AHEAD];
	unsigned used;
	unsigned placed;                /* the first so many of the queue have their place */
	uint32_t next_names, next_part; /* parcels */
	uint64_t size, plain;           /* written until next_part */
	uint32_t crc;
	struct buffer body;
};

/* Each ends the process if the output, another process or memory fails. */

/* Also what a file with gzip begins with. `deflater`: NULL without. */
void turns_init(struct turns *turns, struct text_deflater *deflater);
void turns_release(struct turns *turns);

/* Memory for the next parcel of this process; waits until there is some. */
struct made *turns_spare(struct turns *turns);
/* The parcel, which turns_spare() has given and which is complete, waits for its turn. `part`: all but what comes of its turn. */
void turns_queue(struct turns *turns, struct made *made, const struct turns_part *part);
/* Does what can be done until another process says something of `type`, which is in `body` then. */
void turns_hear(struct turns *turns, unsigned number, uint32_t type, struct buffer *body);
/* Behind all parcels of this process: until all of them are written; the first process also waits for all others'. */
void turns_finish(struct turns *turns);

/* One process, or the first one behind all parcels: writes what there is, at once. */
void turns_write(struct turns *turns, struct made *made);
/* The same one: what a file with gzip ends with. */
void turns_end(struct turns *turns);

#endif
