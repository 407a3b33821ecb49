/* SPDX-License-Identifier: MIT */
/*
 * random.h - a random MPI program that writes down what it does.
 *
 *	random SEED...          on 2 to 8 ranks; each rank writes said.RANK
 *
 * All ranks draw the same numbers from `plan`, so that each knows what every other one does in a step; what
 * concerns a rank alone (how it completes its requests) it draws from `own`. A step may leave requests behind, which are
 * completed in later steps. Ranks go through the steps in the same order, so none waits for a step that another cannot reach.
 *
 * A line of said.RANK is a call: its name, its result and each of its arguments as the program knows it, not as MPI tells it:
 *
 *	MPI_Recv 0 count=9 datatype=t:INT:4 source=-1@-1 tag=17 comm=c:5.0 status=s:2@6,17,24 received=24
 *
 *	N        a number                    N@W           a rank, and its rank in the world
 *	c:LABEL  a communicator              t:LABEL:SIZE  a datatype
 *	w:LABEL:COMM:UNIT  a window          f:LABEL:COMM:PATH  a file
 *	r:N, R:N,N    requests, by the order in which they were made       a:N,N  an array
 *	s:S;S    statuses SOURCE@WORLD,TAG,BYTES, with _ for what means nothing and x for cancelled
 *	?        not known to the program
 *
 * "#comm LABEL 3,5,0 REMOTE" says who is in a communicator, "#seed N" where a seed begins, "#handle N HANDLE" which handle a request has.
 */
#ifndef RECORDER_TEST_RANDOM_H
#define RECORDER_TEST_RANDOM_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MAX 8
#define UNIT 24 /* bytes: every datatype divides it */

struct random {
	uint64_t state;
};

extern struct random plan, own;
extern int world_rank, world_size, step;

unsigned below(struct random *random, unsigned limit);
static inline bool chance(struct random *random, unsigned percent)
{
	return below(random, 100) < percent;
}

/* ---- what is said ---- */

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Texts that live until a line or two later. */
const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *numbers(const int *values, int count);
void check(bool right, const char *what);
/* Before it is asked again: others need the processor to get there, and MPICH does not give it away. */
void pause_unless(bool done);

/* ---- communicators ---- */

struct comm {
	MPI_Comm handle; /* if this process is in it */
	char label[24];
	int group[RANKS_MAX], size;   /* world ranks; of an intercommunicator: of one side */
	int other[RANKS_MAX], others; /* 0: an intracommunicator */
	bool wild;                    /* used only for receives of anything from anybody */
	int indegree, outdegree;      /* of this process, in its topology; -1: it has none */
	bool grid;                    /* it or one that it was made from is a grid */
	bool used;
};

#define COMMS 12
extern struct comm comms[COMMS];

/* This process's rank in it, -1: it is not in it; and whether it is in the other group. */
int rank_in(const struct comm *comm);
bool on_other_side(const struct comm *comm);
/* The group that ranks given to calls are of. */
const int *peers(const struct comm *comm, int *count);
/* "3@6" */
const char *peer(const struct comm *comm, int rank);
const char *member(const struct comm *comm, int rank);
const char *comm_text(const struct comm *comm);
/* A random one that is in use; drawn from the plan. */
struct comm *any_comm(bool inter, bool wild, int smallest);

void comms_begin(const char *seed);
void comms_step(void);
void comms_end(void);

/* ---- datatypes ---- */

struct type {
	MPI_Datatype handle;
	char label[16];
	int size, extent;
};

#define TYPES 6
extern struct type types[TYPES];
void types_begin(void);
void types_end(void);
static inline struct type *any_type(void)
{
	return &types[below(&plan, TYPES)];
}
const char *type_text(const struct type *type);
/* Zeroed memory for so many of a type, and room to spare. */
void *room_for(const struct type *type, int count);

/* ---- requests ---- */

enum pending_kind {
	PENDING_SEND,
	PENDING_RECEIVE,
	PENDING_COLLECTIVE,
	PENDING_FILE,
	PENDING_ONE_SIDED
};

struct pending {
	MPI_Request request;
	int number;
	enum pending_kind kind;
	const struct comm *comm;
	int source, tag; /* of a receive, as asked for */
	int bytes;       /* of a transfer of a file */
	bool cancelled, persistent, writes;
	int *buffer, *second;
};

/* The number that the next request gets. */
int request_made(void);
/* To be completed some time. */
void request_keep(struct pending pending);
/* At once, in some way. */
void request_complete(struct pending *pending);
/* Completes some of them, in some way; all of them. */
void requests_step(void);
void requests_end(void);

/* ---- messages ---- */

/* What a message of at least 12 bytes begins with: who sent it, tag, bytes. */
void envelope_write(int *buffer, int tag, int bytes);
/* "2@6,17,24" by the message itself; if it is empty by what was asked for. */
const char *status_by_message(const struct comm *comm, const int *buffer, int source, int tag);

void messages_step(void);
void wild_step(void);
void persistent_step(void);
void exchange_step(void);
void collective_step(void);
void neighbor_step(void);
void one_sided_step(void);
void file_step(const char *seed);

#endif
