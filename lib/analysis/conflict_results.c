/* SPDX-License-Identifier: MIT */
/* conflict_results.c - see conflict_results.h */
#include "analysis/conflict_results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rows.h"
#include "analysis/shared_files.h"

/* Two touches that have bytes in common; `one` is of the lower rank. */
struct hit {
	const struct touch *one, *other;
	int64_t begin, end; /* the first bytes in common */
	bool certain;       /* they have; else they may have */
};

struct comparing {
	struct conflict_results *results;
	const struct tables *tables;
	struct shared_files files;
	struct hit *hits; /* of the file at hand */
	uint32_t hit_count, hit_room;
	uint64_t steps, all_hits;
	int64_t *clocks;       /* by rank, ns, -1 not known */
	const char **boot_ids; /* by rank */
};

static int64_t end_of(const struct touch *touch)
{
	return touch->begin + (int64_t)(touch->parts - 1) * touch->stride + touch->length;
}

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* ---- clocks ---- */

static int find_clocks(struct comparing *comparing)
{
	const struct facts *facts = comparing->tables->facts;
	struct reader_stream stream = {.sz = sizeof(stream)};

	comparing->clocks = calloc(facts->rank_count + 1, sizeof(*comparing->clocks));
	comparing->boot_ids = calloc(facts->rank_count + 1, sizeof(*comparing->boot_ids));
	if (!comparing->clocks || !comparing->boot_ids)
		return -ENOMEM;
	for (unsigned i = 0; i < facts->rank_count; i++) {
		bool known = reader_stream(facts->trace, facts->ranks[i].main, &stream) == 0;

		comparing->clocks[i] = known ? stream.clock_error : -1;
		comparing->boot_ids[i] = known ? stream.boot_id : "";
	}
	return 0;
}

/* By how much times of two ranks may be off each other; what is not known is so much that nothing is in order. */
static int64_t bound_of(const struct comparing *comparing, const struct hit *hit)
{
	uint32_t one = hit->one->rank, other = hit->other->rank;
	const char *const *boot_ids = comparing->boot_ids;

	if (*boot_ids[one] && !strcmp(boot_ids[one], boot_ids[other]))
		return 0;
	if (comparing->clocks[one] < 0 || comparing->clocks[other] < 0)
		return INT64_MAX / 2;
	return comparing->clocks[one] + comparing->clocks[other];
}

/* ---- bytes in common ---- */

/* The first part of `among` that has bytes in common with those from `begin` to `end`. */
static bool meets(const struct touch *among, int64_t begin, int64_t end, struct hit *hit)
{
	int64_t part = 0, at;

	if (among->parts > 1 && begin >= among->begin + among->length)
		part = (begin - among->begin - among->length) / among->stride + 1;
	if (part >= (int64_t)among->parts)
		return false;
	at = among->begin + part * among->stride;
	if (at >= end || at + among->length <= begin)
		return false;
	hit->begin = at > begin ? at : begin;
	hit->end = at + among->length < end ? at + among->length : end;
	return true;
}

/* Strides that are equal meet in their first parts or nowhere. */
static bool pass_each_other(const struct touch *a, const struct touch *b)
{
	int64_t off;

	if (a->parts < 2 || b->parts < 2 || a->stride != b->stride || a->length > a->stride ||
	    b->length > b->stride)
		return false;
	off = (b->begin - a->begin) % a->stride;
	if (off < 0)
		off += a->stride;
	return off >= a->length && off + b->length <= a->stride;
}

static bool find_common(struct comparing *comparing, const struct touch *a, const struct touch *b,
			struct hit *hit)
{
	const struct touch *fewer = a->parts <= b->parts ? a : b, *more = fewer == a ? b : a;

	comparing->steps++;
	if (pass_each_other(a, b))
		return false;
	for (uint32_t i = 0; i < fewer->parts && comparing->steps < CONFLICT_STEPS; i++) {
		int64_t begin = fewer->begin + (int64_t)i * fewer->stride;

		comparing->steps++;
		if (meets(more, begin, begin + fewer->length, hit))
			return true;
	}
	return false;
}

/* ---- order ---- */

/* What the first one did, and the second one does behind it. 0 or the models that are violated, as bits. */
static unsigned violations(const struct touch *before, const struct touch *after, int64_t bound)
{
	unsigned violated = 0;

	if (!before->write)
		return 0; /* whoever reads before needs no more than the order */
	if (before->committed > after->first - bound)
		violated |= 1u << ANALYSIS_MODEL_COMMIT;
	if (after->opened == TOUCH_BEFORE || before->closed > after->opened - bound)
		violated |= 1u << ANALYSIS_MODEL_SESSION;
	if (after->mpi_before == TOUCH_BEFORE || before->mpi_after > after->mpi_before - bound)
		violated |= 1u << ANALYSIS_MODEL_MPIIO;
	return violated;
}

static void count_order(struct analysis_conflicts *counts, const struct touch *before,
			const struct touch *after, int64_t bound)
{
	unsigned violated = violations(before, after, bound);

	if (!before->write)
		counts->read_write++;
	else if (after->write)
		counts->write_write++;
	else
		counts->write_read++;
	for (unsigned model = 0; model < ANALYSIS_MODELS; model++)
		counts->violates[model] += violated >> model & 1;
}

static void count_hit(const struct comparing *comparing, const struct hit *hit,
		      struct analysis_conflicts *counts)
{
	const struct touch *one = hit->one, *other = hit->other;
	int64_t bound = bound_of(comparing, hit);

	if (!hit->certain) {
		counts->uncertain++;
	} else if (one->last <= other->first - bound) {
		count_order(counts, one, other, bound);
	} else if (other->last <= one->first - bound) {
		count_order(counts, other, one, bound);
	} else if (bound == INT64_MAX / 2 || one->transfers > 1 || other->transfers > 1) {
		/* of several transfers, or by clocks that nobody compared: these bytes may have been in order */
		counts->uncertain++;
	} else {
		counts->together++;
		for (unsigned model = 0; model < ANALYSIS_MODELS; model++)
			counts->violates[model]++;
	}
}

/* ---- a file ---- */

static int by_ranks(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->one->rank != y->one->rank)
		return x->one->rank < y->one->rank ? -1 : 1;
	if (x->other->rank != y->other->rank)
		return x->other->rank < y->other->rank ? -1 : 1;
	return compare(x->begin, y->begin);
}

static int note_hit(struct comparing *comparing, const struct touch *a, const struct touch *b,
		    const struct hit *found)
{
	struct hit *hits = rows_grown(comparing->hits, &comparing->hit_room, comparing->hit_count,
				      sizeof(*hits));

	if (!hits)
		return -ENOMEM;
	comparing->hits = hits;
	hits[comparing->hit_count++] = (struct hit){
		.one = a->rank < b->rank ? a : b,
		.other = a->rank < b->rank ? b : a,
		.begin = found->begin,
		.end = found->end,
		.certain = a->exact && b->exact,
	};
	comparing->all_hits++;
	return 0;
}

static bool is_spent(const struct comparing *comparing)
{
	return comparing->steps >= CONFLICT_STEPS || comparing->all_hits >= CONFLICT_HITS;
}

/* What is only read by both is never looked at: a file that one rank has written may be read by thousands. */
static uint32_t next_to_compare(const struct comparing *comparing, const struct touch *touch,
				uint32_t number)
{
	return touch->write ? number : comparing->files.writes[number];
}

static int compare_touches(struct comparing *comparing, uint32_t begin, uint32_t end)
{
	int error = 0;

	comparing->hit_count = 0;
	for (uint32_t i = begin; i < end; i++) {
		const struct touch *a = comparing->files.sorted[i];
		int64_t behind = end_of(a);

		for (uint32_t k = next_to_compare(comparing, a, i + 1);
		     k < end && !error && !is_spent(comparing);
		     k = next_to_compare(comparing, a, k + 1)) {
			const struct touch *b = comparing->files.sorted[k];
			struct hit found;

			if (b->begin >= behind)
				break;
			comparing->steps++;
			if (a->rank != b->rank && find_common(comparing, a, b, &found))
				error = note_hit(comparing, a, b, &found);
		}
	}
	return error;
}

static void add_counts(struct analysis_conflicts *into, const struct analysis_conflicts *from)
{
	into->write_write += from->write_write;
	into->write_read += from->write_read;
	into->read_write += from->read_write;
	into->together += from->together;
	into->uncertain += from->uncertain;
	for (unsigned model = 0; model < ANALYSIS_MODELS; model++)
		into->violates[model] += from->violates[model];
}

static int make_pairs(struct comparing *comparing, struct analysis_shared_file *file)
{
	struct conflict_results *results = comparing->results;
	struct analysis_rank_conflict *pair = NULL;

	if (comparing->hit_count > 0)
		qsort(comparing->hits, comparing->hit_count, sizeof(*comparing->hits), by_ranks);
	for (uint32_t i = 0; i < comparing->hit_count; i++) {
		const struct hit *hit = &comparing->hits[i];
		struct analysis_conflicts counts = {0};

		if (!pair || pair->one != hit->one->rank || pair->other != hit->other->rank) {
			struct analysis_rank_conflict *pairs =
				rows_grown(results->pairs, &results->pair_room, results->pair_count,
					   sizeof(*pairs));

			if (!pairs)
				return -ENOMEM;
			results->pairs = pairs;
			pair = &pairs[results->pair_count++];
			*pair = (struct analysis_rank_conflict){.path = file->path,
								.one = hit->one->rank,
								.other = hit->other->rank,
								.begin = hit->begin,
								.end = hit->end};
			file->pairs++;
		}
		count_hit(comparing, hit, &counts);
		add_counts(&pair->conflicts, &counts);
		add_counts(&file->conflicts, &counts);
	}
	return 0;
}

static void judge_file(struct analysis_shared_file *file, unsigned model)
{
	if (file->conflicts.violates[model])
		file->verdicts[model] = ANALYSIS_VIOLATED;
	else if (file->conflicts.uncertain || file->unknown || !file->exact)
		file->verdicts[model] = ANALYSIS_UNKNOWN;
	else
		file->verdicts[model] = ANALYSIS_FINE;
}

static void describe(struct comparing *comparing, const struct shared_file *shared,
		     struct analysis_shared_file *file)
{
	file->unknown = shared->unknown;
	file->exact = !is_spent(comparing);
	for (uint32_t i = shared->begin; i < shared->end; i++) {
		const struct touch *touch = comparing->files.sorted[i];

		file->exact &= touch->exact;
		file->by_mpi |=
			touch->mpi_before != TOUCH_BEFORE || touch->mpi_after != TOUCH_NEVER;
	}
	for (unsigned model = 0; model < ANALYSIS_MODELS; model++)
		judge_file(file, model);
}

static int take_file(struct comparing *comparing, const struct shared_file *shared)
{
	struct conflict_results *results = comparing->results;
	struct analysis_shared_file file = {.path = shared->path, .ranks = shared->ranks};
	struct analysis_shared_file *files;
	int error = compare_touches(comparing, shared->begin, shared->end);

	if (!error)
		error = make_pairs(comparing, &file);
	if (error)
		return error;
	describe(comparing, shared, &file);
	files = rows_grown(results->files, &results->file_room, results->file_count,
			   sizeof(*files));
	if (!files)
		return -ENOMEM;
	results->files = files;
	files[results->file_count++] = file;
	return 0;
}

static int take_files(struct comparing *comparing, const struct tables *tables)
{
	struct shared_file file;
	int error = shared_files_begin(&comparing->files, tables);

	while (!error) {
		error = shared_files_next(&comparing->files, &file);
		if (error || !file.path)
			break;
		error = take_file(comparing, &file);
	}
	shared_files_release(&comparing->files);
	return error;
}

int conflict_results_make(struct conflict_results *results, const struct tables *tables)
{
	struct comparing comparing = {.results = results, .tables = tables};
	int error;

	memset(results, 0, sizeof(*results));
	error = find_clocks(&comparing);
	if (!error)
		error = take_files(&comparing, tables);
	free(comparing.hits);
	free(comparing.clocks);
	free(comparing.boot_ids);
	return error;
}

void conflict_results_release(struct conflict_results *results)
{
	free(results->pairs);
	free(results->files);
}

const char *analysis_model_name(enum analysis_model model)
{
	static const char *const names[ANALYSIS_MODELS] = {"posix", "commit", "session", "mpi-io"};

	return (unsigned)model < ANALYSIS_MODELS ? names[model] : "";
}

const char *analysis_verdict_name(enum analysis_verdict verdict)
{
	static const char *const names[] = {"fine", "unknown", "violated"};

	return (unsigned)verdict < 3 ? names[verdict] : "";
}
