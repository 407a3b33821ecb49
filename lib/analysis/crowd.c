/* SPDX-License-Identifier: MIT */
/* crowd.c - see crowd.h */
#include "analysis/crowd.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/passage.h"

#define JOBS_MAX 256u
#define STREAM_COST 200u /* beginning a stream takes as long as so many records */

/* What is to be read of a stream. */
struct load {
	unsigned stream;
	uint64_t stored;
};

struct crowd {
	const struct analysis_options *options;
	struct load *loads;
	unsigned count;
	uint64_t all;         /* stored records */
	pthread_mutex_t lock; /* of what follows */
	unsigned next;        /* load */
	uint64_t done;
	int error; /* the first one */
};

struct member {
	struct crowd *crowd;
	struct tables *tables; /* the first one's are those that all are put into */
	struct tables own;     /* of the others */
	pthread_t thread;
};

/* ---- loads ---- */

static int larger_first(const void *a, const void *b)
{
	const struct load *x = a, *y = b;

	if (x->stored != y->stored)
		return x->stored < y->stored ? 1 : -1;
	return (x->stream > y->stream) - (x->stream < y->stream);
}

/* Leaves those of this process's share: each load, the largest first, goes to the share that has least. */
static int keep_share(struct crowd *crowd)
{
	unsigned parts = crowd->options->parts, kept = 0;
	uint64_t *shares = calloc(parts, sizeof(*shares));

	if (!shares)
		return -ENOMEM;
	crowd->all = 0;
	for (unsigned i = 0; i < crowd->count; i++) {
		unsigned least = 0;

		for (unsigned k = 1; k < parts; k++)
			if (shares[k] < shares[least])
				least = k;
		shares[least] += crowd->loads[i].stored + STREAM_COST;
		if (least == crowd->options->part) {
			crowd->all += crowd->loads[i].stored;
			crowd->loads[kept++] = crowd->loads[i];
		}
	}
	crowd->count = kept;
	free(shares);
	return 0;
}

/* The streams that the filter asks for. */
static int find_loads(struct crowd *crowd, const struct facts *facts)
{
	struct reader_piece *pieces;
	int64_t count = reader_pieces(facts->trace, crowd->options->filter, UINT64_MAX, &pieces);

	if (count < 0)
		return (int)count;
	crowd->loads = calloc((size_t)count + 1, sizeof(*crowd->loads));
	for (int64_t i = 0; crowd->loads && i < count; i++) {
		if (facts->aside[pieces[i].stream])
			continue;
		if (crowd->count == 0 || crowd->loads[crowd->count - 1].stream != pieces[i].stream)
			crowd->loads[crowd->count++].stream = pieces[i].stream;
		crowd->loads[crowd->count - 1].stored += pieces[i].stored;
		crowd->all += pieces[i].stored;
	}
	free(pieces);
	if (!crowd->loads)
		return -ENOMEM;
	qsort(crowd->loads, crowd->count, sizeof(*crowd->loads), larger_first);
	return crowd->options->parts > 1 ? keep_share(crowd) : 0;
}

/* ---- reading ---- */

static int read_stream(struct member *member, unsigned stream)
{
	const struct analysis_options *options = member->crowd->options;
	struct reader_filter filter = *options->filter;
	char number[16];
	struct reader_cursor *cursor;
	int error;

	filter.order = READER_BY_TIME;
	filter.in_flight = 0;
	filter.part = filter.parts = 0;
	filter.piece = NULL;
	snprintf(number, sizeof(number), "%u", stream);
	filter.streams = number;
	cursor = reader_cursor_new(member->tables->facts->trace, &filter);
	if (!cursor)
		return -errno;
	error = passage_take_stream(member->tables, stream, cursor);
	reader_cursor_free(cursor);
	return error;
}

/* The next load, NULL: there is none, or somebody failed. */
static const struct load *next_load(struct crowd *crowd)
{
	const struct load *load = NULL;

	pthread_mutex_lock(&crowd->lock);
	if (!crowd->error && crowd->next < crowd->count)
		load = &crowd->loads[crowd->next++];
	pthread_mutex_unlock(&crowd->lock);
	return load;
}

static void load_done(struct crowd *crowd, const struct load *load, int error)
{
	const struct analysis_options *options = crowd->options;

	pthread_mutex_lock(&crowd->lock);
	if (error && !crowd->error)
		crowd->error = error;
	crowd->done += load->stored;
	if (options->progress)
		options->progress(options->progress_data, crowd->done, crowd->all);
	pthread_mutex_unlock(&crowd->lock);
}

static void *member_run(void *data)
{
	struct member *member = data;
	const struct load *load;

	while ((load = next_load(member->crowd)))
		load_done(member->crowd, load, read_stream(member, load->stream));
	return NULL;
}

/* ---- together ---- */

/* With threads as far as there are any: whoever calls works, too. */
static void run_members(struct member *members, unsigned count)
{
	unsigned started = 1;

	while (started < count &&
	       !pthread_create(&members[started].thread, NULL, member_run, &members[started]))
		started++;
	member_run(&members[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(members[i].thread, NULL);
}

static int read_together(struct crowd *crowd, struct tables *tables, unsigned count)
{
	struct member *members = calloc(count, sizeof(*members));
	int error = members ? 0 : -ENOMEM;
	unsigned begun = 1;

	if (members)
		members[0] = (struct member){.crowd = crowd, .tables = tables};
	while (!error && begun < count) {
		struct member *member = &members[begun++];

		member->crowd = crowd;
		member->tables = &member->own;
		error = tables_begin(&member->own, tables->facts);
	}
	if (!error) {
		run_members(members, count);
		error = crowd->error;
	}
	for (unsigned i = 1; members && i < begun; i++) {
		if (!error)
			error = tables_merge(tables, &members[i].own);
		tables_release(&members[i].own);
	}
	free(members);
	return error;
}

int crowd_read(struct tables *tables, const struct analysis_options *options)
{
	struct crowd crowd = {.options = options, .lock = PTHREAD_MUTEX_INITIALIZER};
	unsigned jobs = options->jobs ? options->jobs : 1;
	int error = find_loads(&crowd, tables->facts);

	if (options->filter->accept)
		jobs = 1; /* it is one caller's */
	if (jobs > JOBS_MAX)
		jobs = JOBS_MAX;
	if (jobs > crowd.count)
		jobs = crowd.count ? crowd.count : 1;
	if (!error)
		error = read_together(&crowd, tables, jobs);
	free(crowd.loads);
	return error;
}
