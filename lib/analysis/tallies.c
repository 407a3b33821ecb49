/* SPDX-License-Identifier: MIT */
/* tallies.c - see tallies.h */
#include "analysis/tallies.h"

#include <string.h>

#include "analysis/add.h"

static const struct function_facts *function_of(const struct tallies *tallies,
						const struct tally_kind *kind)
{
	return &tallies->tables->facts->functions[kind->place.function];
}

static bool is_aside(const struct tallies *tallies, const struct tally_kind *kind)
{
	return tallies->tables->facts->layers[function_of(tallies, kind)->layer].is_aside;
}

/* ---- what calls count in ---- */

/* In sums that know no time. */
static void count_sums(struct tallies *tallies, const struct tally_kind *kind,
		       const struct analysis_sums *sums)
{
	struct tables *tables = tallies->tables;
	struct own_row *own = &tables->own[kind->place.function];

	add_calls(&own->sums, sums);
	add_to(&own->by_use[kind->counts_as][kind->where], sums->self);
	if (kind->use != NO_USE)
		files_add(&tables->files, tables->facts, kind->use, kind->share,
			  function_of(tallies, kind), sums);
}

/* In what was moved when, by file system. */
static int count_moved(struct tallies *tallies, const struct tally_kind *kind,
		       const struct series_call *when)
{
	struct tables *tables = tallies->tables;
	int error = 0;

	if (kind->use == NO_USE || kind->class_ > ANALYSIS_SOFTWARE)
		return 0;
	error = moved_count(&tables->moved, &tables->series, when, kind->filesystem);
	if (!error && kind->class_ == ANALYSIS_DATA)
		error = moved_count(&tables->moved, &tables->series, when, MOVED_DATA);
	return error;
}

/* In bins of time. */
static int count_series(struct tallies *tallies, const struct tally_kind *kind,
			const struct series_call *when)
{
	series_count(&tallies->tables->series, when);
	return count_moved(tallies, kind, when);
}

static struct series_call series_call_of(const struct tallies *tallies,
					 const struct tally_kind *kind,
					 const struct analysis_sums *sums)
{
	const struct function_facts *function = function_of(tallies, kind);

	return (struct series_call){.busy = sums->self,
				    .layer = function->layer,
				    .rank = tallies->rank,
				    .use = kind->counts_as,
				    .operation = function->operation,
				    .calls = sums->calls,
				    .bytes_read = sums->bytes_read,
				    .bytes_written = sums->bytes_written};
}

/* The same of calls between two times, with their bins. */
static struct series_call series_call_between(struct tallies *tallies,
					      const struct tally_kind *kind,
					      const struct analysis_sums *sums, int64_t begin,
					      int64_t end)
{
	struct series_call when = series_call_of(tallies, kind, sums);

	when.begin = begin;
	when.end = end;
	series_place(&tallies->tables->series, &when);
	return when;
}

int tallies_count_sum(struct tallies *tallies, const struct tally_kind *kind,
		      const struct analysis_sums *sums, int64_t begin, int64_t end)
{
	struct series_call when;

	count_sums(tallies, kind, sums);
	if (is_aside(tallies, kind))
		return 0;
	when = series_call_between(tallies, kind, sums, begin, end);
	return count_series(tallies, kind, &when);
}

/* ---- tallies ---- */

static int count_tally(struct tallies *tallies, struct tally *tally)
{
	const struct tally_kind *kind = &tally->kind;
	struct series_call when = series_call_of(tallies, kind, &tally->sums);
	int error = 0;

	tally->open = false;
	count_sums(tallies, kind, &tally->sums);
	if (tally->sums.calls > 0) /* there may be nothing but time that was taken off */
		error = sites_count(&tallies->tables->sites, tallies->tables->facts, &kind->place,
				    &tally->sums);
	if (error || is_aside(tallies, kind))
		return error;
	when.first = when.last = tallies->bin.number;
	return count_series(tallies, kind, &when);
}

static int count_all(struct tallies *tallies)
{
	int error = 0;

	for (unsigned i = 0; i < tallies->used_count; i++) {
		struct tally *tally = &tallies->list[tallies->used[i]];
		int this = tally->open ? count_tally(tallies, tally) : 0;

		error = error ? error : this;
	}
	tallies->used_count = 0;
	return error;
}

/* The same for all files: of calls that work on one after the other each counts soon, while what it counts in is in the cache. */
static unsigned place_of(const struct tally_kind *kind)
{
	uint64_t mixed =
		(kind->place.offset ^ (uint64_t)kind->place.function << 20) * 0x9e3779b97f4a7c15u;

	return (unsigned)(mixed >> 40) & (TALLIES - 1);
}

static bool is_same(const struct tally_kind *a, const struct tally_kind *b)
{
	return a->place.offset == b->place.offset && a->use == b->use &&
	       a->place.function == b->place.function && a->place.module == b->place.module &&
	       a->where == b->where && a->class_ == b->class_;
}

/* The tally of a kind, which takes the place of another one's. NULL: that could not be counted. */
static struct tally *tally_of(struct tallies *tallies, const struct tally_kind *kind, int *error)
{
	unsigned place = place_of(kind);
	struct tally *tally = &tallies->list[place];

	if (tally->open) {
		if (is_same(&tally->kind, kind))
			return tally;
		*error = count_tally(tallies, tally);
		if (*error)
			return NULL;
	} else {
		tallies->used[tallies->used_count++] = (uint8_t)place;
	}
	*tally = (struct tally){.kind = *kind, .open = true};
	return tally;
}

/* A call, all of whose time is its own until others turn out to lie in it. */
static void add_whole_call(struct analysis_sums *into, const struct file_call *call)
{
	add_call(into, call->record, call->bytes_read, call->bytes_written);
	add_to(&into->self, call->record->busy);
}

/* ---- bins ---- */

static int next_bin(struct tallies *tallies, int64_t time)
{
	struct series *series = &tallies->tables->series;
	int64_t end = series->begin + series->length;
	int error = count_all(tallies);

	tallies->bin.begin = tallies->bin.end = time;
	if (time < series->begin || time >= end)
		return error;
	tallies->bin.number = series_bin_at(series, time, &tallies->bin.begin, &tallies->bin.end);
	if (tallies->bin.end > end)
		tallies->bin.end = end;
	return error;
}

/* Whether a call lies in the bin, which becomes that of its begin. */
static bool is_in_bin(struct tallies *tallies, const struct recorder_record *record, int *error)
{
	if (record->tstart < tallies->bin.begin || record->tstart >= tallies->bin.end)
		*error = next_bin(tallies, record->tstart);
	return record->tstart <= record->tend && record->tend < tallies->bin.end;
}

/* A call that lies in no one bin. */
static int count_far(struct tallies *tallies, const struct tally_kind *kind,
		     const struct file_call *call, const struct tally_kind *around)
{
	struct tables *tables = tallies->tables;
	const struct recorder_record *record = call->record;
	const struct analysis_sums taken_off = {.self = -record->busy};
	struct analysis_sums sums = {0};
	struct series_call when;
	int error;

	add_whole_call(&sums, call);
	when = series_call_between(tallies, kind, &sums, record->tstart, record->tend);
	count_sums(tallies, kind, &sums);
	error = sites_count(&tables->sites, tables->facts, &kind->place, &sums);
	if (!error)
		error = count_series(tallies, kind, &when);
	if (error || !around)
		return error;
	count_sums(tallies, around, &taken_off);
	series_take_off(&tables->series, &when, function_of(tallies, around), around->counts_as);
	return 0;
}

/* ---- calls ---- */

void tallies_begin(struct tallies *tallies, struct tables *tables, unsigned rank)
{
	memset(tallies, 0, sizeof(*tallies));
	tallies->tables = tables;
	tallies->rank = rank;
}

int tallies_count(struct tallies *tallies, const struct tally_kind *kind,
		  const struct file_call *call, const struct tally_kind *around)
{
	struct tally *tally;
	int error = 0;
	bool near = call->about->is_aside || is_in_bin(tallies, call->record, &error);

	if (error)
		return error;
	if (!near)
		return count_far(tallies, kind, call, around);
	tally = tally_of(tallies, kind, &error);
	if (!tally)
		return error;
	add_whole_call(&tally->sums, call);
	if (!around)
		return 0;
	tally = tally_of(tallies, around, &error);
	if (!tally)
		return error;
	add_to(&tally->sums.self, -call->record->busy);
	return 0;
}

int tallies_end(struct tallies *tallies)
{
	return count_all(tallies);
}

#ifdef UNIT_TEST
#include "unittest.h"

static struct layer_facts unit_layers[] = {
	{.name = "mpiio", .use = ANALYSIS_USE_STORAGE, .height = HEIGHT_NONE},
	{.name = "posix", .use = ANALYSIS_USE_STORAGE, .height = HEIGHT_NONE}};
static struct function_facts unit_functions[] = {
	{.layer = 0, .use = ANALYSIS_USE_STORAGE, .operation = ANALYSIS_WRITE},
	{.layer = 1, .use = ANALYSIS_USE_STORAGE, .operation = ANALYSIS_WRITE}};
static unsigned unit_ranks[] = {0};
static const struct facts unit_facts = {.begin = 0,
					.end = 10240, /* bins of 10 */
					.layers = unit_layers,
					.layer_count = 2,
					.functions = unit_functions,
					.function_count = 2,
					.rank_count = 1,
					.rank_of = unit_ranks,
					.info = {.streams = 1}};

static void unit_count(struct tallies *tallies, uint64_t site, uint16_t function, int64_t begin,
		       int64_t end, const struct tally_kind *around)
{
	struct recorder_record record = {.func_id = function,
					 .tstart = begin,
					 .tend = end,
					 .busy = end - begin,
					 .repeat = 1,
					 .callsite = site};
	struct tally_kind kind = {.place = {.offset = site, .function = function}, .use = NO_USE};
	struct file_call call = {.record = &record,
				 .about = &unit_layers[unit_functions[function].layer],
				 .bytes_written = 8};

	EXPECT_EQ(tallies_count(tallies, &kind, &call, around), 0);
}

/*
 * One call from 5 to 45 with five within: three in one bin, of two places; one across the next border; and one that a broken trace has.
 */
TEST_CASE(tallies_count_every_call_once)
{
	static const struct tally_kind outer = {.place = {.offset = 7}, .use = NO_USE};
	static struct tallies tallies;
	struct tables tables;
	int64_t sums[SERIES_BINS];

	REQUIRE(tables_begin(&tables, &unit_facts) == 0);
	tallies_begin(&tallies, &tables, 0);
	unit_count(&tallies, 7, 0, 5, 45, NULL);
	unit_count(&tallies, 1, 1, 10, 12, &outer);
	unit_count(&tallies, 2, 1, 13, 14, &outer);
	unit_count(&tallies, 1, 1, 15, 19, &outer);
	unit_count(&tallies, 1, 1, 19, 22, &outer);
	unit_count(&tallies, 1, 1, 20000, 20001, NULL);
	REQUIRE(tallies_end(&tallies) == 0);
	EXPECT_EQ(tables.own[0].sums.calls, 1);
	EXPECT_EQ(tables.own[0].sums.time, 40);
	EXPECT_EQ(tables.own[0].by_use[0][0], 40 - 2 - 1 - 4 - 3);
	EXPECT_EQ(tables.own[1].sums.calls, 5);
	EXPECT_EQ(tables.own[1].sums.bytes_written, 40);
	EXPECT_EQ(tables.own[1].by_use[0][0], 2 + 1 + 4 + 3 + 1);
	EXPECT_EQ(tables.sites.keys.count, 3);
	EXPECT_EQ(tables.sites.rows[1].sums.calls + tables.sites.rows[2].sums.calls, 5);
	busy_bins_sum(&tables.series.layers[0].busy, 1024, 10, sums);
	EXPECT_EQ(sums[0], 5);
	EXPECT_EQ(sums[1], 10 - 2 - 1 - 4 - 1);
	EXPECT_EQ(sums[2], 10 - 2);
	EXPECT_EQ(sums[3], 10);
	EXPECT_EQ(sums[4], 5);
	busy_bins_sum(&tables.series.layers[1].busy, 1024, 10, sums);
	EXPECT_EQ(sums[1], 2 + 1 + 4 + 1);
	EXPECT_EQ(sums[2], 2);
	EXPECT_EQ(tables.series.layers[1].calls[1], 4);
	tables_release(&tables);
}

/* More kinds than there is room for, and of each more than one call. */
TEST_CASE(tallies_give_way)
{
	static struct tallies tallies;
	struct tables tables;

	REQUIRE(tables_begin(&tables, &unit_facts) == 0);
	tallies_begin(&tallies, &tables, 0);
	for (unsigned i = 0; i < 4000; i++)
		unit_count(&tallies, i / 2 % 1000, i % 2, i * 2, i * 2 + 1, NULL);
	REQUIRE(tallies_end(&tallies) == 0);
	EXPECT_EQ(tables.own[0].sums.calls, 2000);
	EXPECT_EQ(tables.own[1].by_use[0][0], 2000);
	EXPECT_EQ(tables.sites.keys.count, 2000);
	for (unsigned i = 0; i < 2000; i++)
		EXPECT_EQ(tables.sites.rows[i].sums.calls, 2);
	tables_release(&tables);
}
#endif
