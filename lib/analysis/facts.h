/* SPDX-License-Identifier: MIT */
/*
 * facts.h - what is known of a trace before its records are read, in the form in which those who count need it. Nothing changes it
 * afterwards: all threads of an analysis use the same.
 */
#ifndef RECORDER_ANALYSIS_FACTS_H
#define RECORDER_ANALYSIS_FACTS_H

#include <stdbool.h>

#include <recorder/analysis.h>

#include "analysis/asynchronous.h"
#include "analysis/copies.h"
#include "analysis/exchange_facts.h"
#include "analysis/filesystems.h"
#include "analysis/operation.h"
#include "analysis/positions.h"

#define NO_RANK (~0u)
#define NO_STREAM (~0u)

struct function_facts {
	enum analysis_operation operation;
	enum analysis_use use;
	unsigned layer;
	struct position_facts position;
	struct exchange_facts exchange;
	struct asynchronous_facts asynchronous;
	struct copy_facts copy;
	unsigned
		peer; /* the argument that says to whom it sends, or whose memory it works on; NO_ARGUMENT: nobody's */
	bool sum;      /* its records are sums of calls */
	bool sum_only; /* and the trace has no function whose records are these calls */
	bool loads;    /* a region in which the program waits for data to work on */
	bool asks;     /* what a file is or is called */
	unsigned
		handle; /* the argument that alone says which file a call is on; NO_ARGUMENT: there is none */
};

struct layer_facts {
	const char *name;
	enum analysis_use use;
	enum layer_height height;
	bool has_requests; /* reader_requests_take() is to see its calls */
	bool is_program;   /* functions that the program names itself: time in them is its own */
	bool is_aside; /* what goes on beside the thread that has begun it: requests to devices, write-back */
};

struct rank_facts {
	int32_t world, rank;
	unsigned first, end; /* streams, `end` not included */
	unsigned main;       /* the first one of its own process */
	unsigned streams;    /* that are looked at: those of `aside` are in between */
	bool beside;         /* of no job, though others are */
};

struct facts {
	struct reader *trace;
	struct reader_info info;
	int64_t begin,
		end; /* of the time that is looked at: the trace's, or as far as a filter goes */
	struct function_facts *functions; /* by id */
	unsigned function_count;
	struct layer_facts *layers;
	unsigned layer_count;
	struct rank_facts *ranks; /* by world and rank */
	unsigned rank_count;
	unsigned *rank_of; /* by stream */
	bool some_ranks;   /* conditions choose ranks, or streams of them */
	/* By stream: recorded from outside, and left out (struct reader_stream). */
	bool *aside;
	unsigned *
		parents; /* the stream whose process started it, or NO_STREAM, by stream; NULL: no epochs and steps are told, so nobody asks */
	struct filesystems filesystems;
	bool tracks_bytes; /* who touches which bytes is to be told: all calls on files are read */
	bool follows_positions; /* all calls that move descriptors are read */
	bool matches; /* messages are to be matched: all calls of MPI are read from the first one on */
};

/* Of what `filter` asks for. 0 or -ENOMEM; then it is to be released, too. */
int facts_collect(struct facts *facts, struct reader *trace, const struct reader_filter *filter);
/* The index of a stream's main thread. False: it is not known. */
bool facts_main_thread(const struct facts *facts, unsigned stream, uint32_t *index);
/* The number of a rank, NO_RANK: it is not in the trace. */
unsigned facts_rank(const struct facts *facts, int32_t world, int32_t rank);
void facts_release(struct facts *facts);

#endif
