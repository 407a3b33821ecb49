/* SPDX-License-Identifier: MIT */
/* wait_results.c - see wait_results.h */
#include "analysis/wait_results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/rows.h"
#include "analysis/spread_sort.h"
#include "format/huge_pages.h"

/* A call that may have waited. */
struct wait {
	int64_t begin, until;
	uint32_t rank, cause, comm, call;
	enum analysis_wait_kind kind;
	uint64_t meeting;
};

struct clock {
	const char *boot_id;
	int64_t error; /* ns, -1 not known */
};

/* What makes results of a table. */
struct joining {
	struct wait_results *results;
	const struct halves *halves;
	unsigned rank_count;
	struct clock *clocks; /* by rank */
	struct wait *waits;
	uint32_t wait_count, wait_room;
	uint32_t *pairs; /* by cause: number + 1 of the pair that was made last, 0 none */
	uint32_t pair_room;
};

/* ---- clocks ---- */

static int find_clocks(struct joining *joining, const struct facts *facts)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	joining->clocks = calloc(facts->rank_count + 1, sizeof(*joining->clocks));
	if (!joining->clocks)
		return -ENOMEM;
	for (unsigned i = 0; i < facts->rank_count; i++)
		joining->clocks[i] = reader_stream(facts->trace, facts->ranks[i].main, &stream)
					     ? (struct clock){"", -1}
					     : (struct clock){stream.boot_id, stream.clock_error};
	return 0;
}

/* By how much the clocks of two ranks may differ: not at all on one machine. -1 not known. */
static int64_t clocks_differ(const struct joining *joining, uint32_t a, uint32_t b)
{
	const struct clock *x = &joining->clocks[a], *y = &joining->clocks[b];

	if (a == b || (*x->boot_id && !strcmp(x->boot_id, y->boot_id)))
		return 0;
	return x->error < 0 || y->error < 0 ? -1 : x->error + y->error;
}

/* ---- meetings ---- */

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* A total order, so that it does not matter in which one they came. */
static int by_meeting(const void *a, const void *b)
{
	const struct half *x = *(const struct half *const *)a;
	const struct half *y = *(const struct half *const *)b;

	if (x->meeting != y->meeting)
		return x->meeting < y->meeting ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->arrive != y->arrive)
		return compare(x->arrive, y->arrive);
	return x->begin != y->begin ? compare(x->begin, y->begin) : compare(x->end, y->end);
}

/* Meetings are evenly spread numbers (numbering.h). */
static uint32_t group_of_half(const void *data, const void *item)
{
	const struct half *half = item;

	(void)data;
	return (uint32_t)(half->meeting >> (64 - SPREAD_BITS));
}

static int add_wait(struct joining *joining, const struct half *half, const struct half *cause,
		    enum analysis_wait_kind kind)
{
	int64_t bound = clocks_differ(joining, half->rank, cause->rank);
	int64_t until = cause->arrive < half->end ? cause->arrive : half->end;
	struct wait *waits;

	if (half->rank == cause->rank || until <= half->begin)
		return 0;
	if (bound < 0) {
		joining->results->matching.unknown++;
		return 0;
	}
	if (until - half->begin <= bound)
		return 0;
	waits = rows_grown(joining->waits, &joining->wait_room, joining->wait_count,
			   sizeof(*waits));
	if (!waits)
		return -ENOMEM;
	joining->waits = waits;
	waits[joining->wait_count++] = (struct wait){.begin = half->begin,
						     .until = until,
						     .rank = half->rank,
						     .cause = cause->rank,
						     .comm = half->comm,
						     .call = half->call,
						     .kind = kind,
						     .meeting = half->meeting};
	return 0;
}

static int join_message(struct joining *joining, const struct half *send,
			const struct half *receive)
{
	int64_t bound = clocks_differ(joining, send->rank, receive->rank);
	int error = 0;

	joining->results->matching.messages++;
	joining->results->comms[send->comm].messages++;
	if (bound >= 0 && send->arrive - receive->end > bound)
		joining->results->matching.reversed++;
	else
		error = add_wait(joining, receive, send, ANALYSIS_LATE_SENDER);
	/* a send that had ended when it was received did not wait for that */
	if (!error && receive->arrive <= send->end)
		error = add_wait(joining, send, receive, ANALYSIS_LATE_RECEIVER);
	return error;
}

/* Of several that come at once the first one in order. NULL: nobody has anything to give. */
static const struct half *last_to_give(const struct half *const *members, uint32_t count)
{
	const struct half *last = NULL;

	for (uint32_t i = 0; i < count; i++)
		if ((members[i]->kind & HALF_GIVES) && (!last || members[i]->arrive > last->arrive))
			last = members[i];
	return last;
}

static int join_collective(struct joining *joining, const struct half *const *members,
			   uint32_t count)
{
	const struct half *last = last_to_give(members, count);
	uint32_t before = joining->wait_count;
	int error = 0;

	joining->results->matching.collective++;
	joining->results->comms[members[0]->comm].collective++;
	for (uint32_t i = 0; i < count && !error; i++)
		if (last && (members[i]->kind & HALF_WAITS))
			error = add_wait(joining, members[i], last, ANALYSIS_LATE_MEMBER);
	if (joining->wait_count > before)
		joining->results->ranks[last->rank].came_last++;
	return error;
}

static bool is_whole(const struct joining *joining, const struct half *const *members,
		     uint32_t count)
{
	if (count != (uint32_t)joining->halves->comms[members[0]->comm].members)
		return false;
	for (uint32_t i = 1; i < count; i++)
		if (members[i]->function != members[0]->function ||
		    members[i]->rank == members[i - 1]->rank)
			return false;
	return true;
}

static int join(struct joining *joining, const struct half *const *members, uint32_t count)
{
	struct analysis_matching *matching = &joining->results->matching;

	if ((members[0]->kind & HALF_KIND) == HALF_COLLECTIVE) {
		if (is_whole(joining, members, count))
			return join_collective(joining, members, count);
		matching->incomplete++;
		return 0;
	}
	if (count == 2 && members[0]->kind == HALF_SEND && members[1]->kind == HALF_RECEIVE)
		return join_message(joining, members[0], members[1]);
	matching->unmatched += count;
	return 0;
}

/* Sorts a list, which is freed if there is no memory for that. NULL: there was none, or `list` is. */
static const void **sort_list(const struct spread *spread, const void **list, uint32_t count)
{
	if (!list || !spread_sort(spread, list, count))
		return list;
	free(list);
	return NULL;
}

/* What there is of these, by meeting. NULL: no memory. */
static const struct half **sort_halves(const struct joining *joining,
				       const struct half_list *things, uint32_t *count)
{
	static const struct spread spread = {group_of_half, NULL, by_meeting};
	const void **list = huge_pages_alloc(((size_t)things->count + 1) * sizeof(*list));

	*count = 0;
	for (uint32_t i = 0; list && i < things->count; i++)
		if (things->list[i].rank < joining->rank_count)
			list[(*count)++] = &things->list[i];
	return (const struct half **)sort_list(&spread, list, *count);
}

static int join_things(struct joining *joining, const struct half_list *things)
{
	uint32_t count;
	const struct half **sorted = sort_halves(joining, things, &count);
	int error = sorted ? 0 : -ENOMEM;

	for (uint32_t begin = 0, end; begin < count && !error; begin = end) {
		for (end = begin + 1;
		     end < count && sorted[end]->meeting == sorted[begin]->meeting;)
			end++;
		error = join(joining, &sorted[begin], end - begin);
	}
	free(sorted);
	return error;
}

/* ---- sums ---- */

/* What one call waits for, the last one first. */
static int by_call(const void *a, const void *b)
{
	const struct wait *x = *(const struct wait *const *)a;
	const struct wait *y = *(const struct wait *const *)b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->begin != y->begin)
		return compare(x->begin, y->begin);
	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	if (x->until != y->until)
		return compare(y->until, x->until);
	if (x->cause != y->cause)
		return x->cause < y->cause ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->meeting > y->meeting) - (x->meeting < y->meeting);
}

/* How calls are divided into groups: by rank, and those of a rank by time. */
struct wait_groups {
	uint32_t each; /* rank's groups */
	int64_t first; /* begin of a call */
	unsigned shift;
};

static uint32_t group_of_wait(const void *data, const void *item)
{
	const struct wait_groups *groups = data;
	const struct wait *wait = item;
	uint64_t since = (uint64_t)wait->begin - (uint64_t)groups->first;
	uint64_t group = (uint64_t)wait->rank * groups->each + (since >> groups->shift);

	return group < SPREAD_GROUPS ? (uint32_t)group : SPREAD_GROUPS - 1;
}

static struct wait_groups wait_groups_of(const struct joining *joining)
{
	uint32_t each = SPREAD_GROUPS / (joining->rank_count + 1);
	struct wait_groups groups = {.each = each > 0 ? each : 1, .first = INT64_MAX};
	int64_t last = INT64_MIN;

	for (uint32_t i = 0; i < joining->wait_count; i++) {
		int64_t begin = joining->waits[i].begin;

		groups.first = begin < groups.first ? begin : groups.first;
		last = begin > last ? begin : last;
	}
	while (((uint64_t)last - (uint64_t)groups.first) >> groups.shift >= groups.each)
		groups.shift++;
	return groups;
}

/* NULL: no memory. */
static const struct wait **sort_waits(const struct joining *joining)
{
	const struct wait_groups groups = wait_groups_of(joining);
	const struct spread spread = {group_of_wait, &groups, by_call};
	const void **list = huge_pages_alloc(((size_t)joining->wait_count + 1) * sizeof(*list));

	for (uint32_t i = 0; list && i < joining->wait_count; i++)
		list[i] = &joining->waits[i];
	return (const struct wait **)sort_list(&spread, list, joining->wait_count);
}

static bool is_same_call(const struct wait *a, const struct wait *b)
{
	return a->rank == b->rank && a->begin == b->begin && a->call == b->call;
}

static void add_sum(struct analysis_wait_sums sums[ANALYSIS_WAITS], int64_t *all,
		    const struct wait *wait)
{
	int64_t time = wait->until - wait->begin;

	sums[wait->kind].calls++;
	add_to(&sums[wait->kind].time, time);
	add_to(all, time);
}

static void count_wait(struct joining *joining, const struct wait *wait)
{
	struct analysis_rank_wait *waiter = &joining->results->ranks[wait->rank];
	struct analysis_rank_wait *cause = &joining->results->ranks[wait->cause];
	struct analysis_comm_wait *comm = &joining->results->comms[wait->comm];

	add_sum(waiter->waited, &waiter->time, wait);
	add_sum(cause->caused, &cause->time_caused, wait);
	add_sum(comm->waits, &comm->time, wait);
	if (wait->until - wait->begin > comm->most) {
		comm->most = wait->until - wait->begin;
		comm->most_rank = wait->rank;
		comm->most_cause = wait->cause;
	}
}

static int by_pair_time(const void *a, const void *b)
{
	const struct analysis_wait_pair *x = a, *y = b;

	if (x->time != y->time)
		return compare(y->time, x->time);
	if (x->waiter != y->waiter)
		return x->waiter < y->waiter ? -1 : 1;
	return (x->cause > y->cause) - (x->cause < y->cause);
}

/* Those of one rank come one after the other. */
static int count_pair(struct joining *joining, const struct wait *wait)
{
	struct wait_results *results = joining->results;
	uint32_t *number = &joining->pairs[wait->cause];
	struct analysis_wait_pair *pairs = rows_grown(results->pairs, &joining->pair_room,
						      results->pair_count, sizeof(*pairs));

	if (!pairs)
		return -ENOMEM;
	results->pairs = pairs;
	if (*number == 0 || pairs[*number - 1].waiter != wait->rank) {
		*number = results->pair_count + 1;
		pairs[results->pair_count++] =
			(struct analysis_wait_pair){.waiter = wait->rank, .cause = wait->cause};
	}
	add_sum(pairs[*number - 1].waits, &pairs[*number - 1].time, wait);
	return 0;
}

/* A call waits for one thing only: the last one that it needs. */
static int sum_up(struct joining *joining)
{
	const struct wait **sorted = sort_waits(joining), *last = NULL;
	int error = 0;

	joining->pairs = calloc((size_t)joining->rank_count + 1, sizeof(*joining->pairs));
	if (!sorted || !joining->pairs)
		error = -ENOMEM;
	for (uint32_t i = 0; i < joining->wait_count && !error; i++) {
		if (last && is_same_call(sorted[i], last))
			continue;
		last = sorted[i];
		count_wait(joining, last);
		error = count_pair(joining, last);
	}
	free(sorted);
	if (!error && joining->results->pair_count > 0)
		qsort(joining->results->pairs, joining->results->pair_count,
		      sizeof(*joining->results->pairs), by_pair_time);
	return error;
}

/* ---- communicators ---- */

static const char *name_of(const struct messages *messages, uint64_t identity)
{
	int64_t number = dictionary_find(&messages->comm_keys, &identity, sizeof(identity));
	const char *name = number < 0 ? NULL : messages->comms[number].name;

	return name ? name : "";
}

static int by_comm_time(const void *a, const void *b)
{
	const struct analysis_comm_wait *x = a, *y = b;

	if (x->time != y->time)
		return compare(y->time, x->time);
	return (x->identity > y->identity) - (x->identity < y->identity);
}

/* Those with something that was matched, in their order. */
static void keep_comms(struct wait_results *results, const struct messages *messages)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < results->comm_count; i++)
		if (results->comms[i].messages || results->comms[i].collective)
			results->comms[kept++] = results->comms[i];
	results->comm_count = kept;
	qsort(results->comms, kept, sizeof(*results->comms), by_comm_time);
	for (unsigned i = 0; i < kept; i++)
		results->comms[i].name = name_of(messages, results->comms[i].identity);
}

static int begin(struct wait_results *results, const struct tables *tables)
{
	const struct halves *halves = &tables->halves;

	results->matching.conditions = !tables->facts->matches;
	results->matching.left_out = (unsigned)halves->left_out;
	results->matching.given_up = (unsigned)halves->given_up;
	results->matching.sides = halves->seen[HALF_SEND] + halves->seen[HALF_RECEIVE];
	results->matching.sides_looked_at = halves->things[HALVES_MESSAGES].count;
	results->matching.members = halves->seen[HALF_COLLECTIVE];
	results->matching.members_looked_at = halves->things[HALVES_CALLS].count;
	results->comm_count = halves->comm_keys.count;
	results->comms = calloc((size_t)results->comm_count + 1, sizeof(*results->comms));
	results->ranks = calloc((size_t)tables->facts->rank_count + 1, sizeof(*results->ranks));
	if (!results->comms || !results->ranks)
		return -ENOMEM;
	for (unsigned i = 0; i < results->comm_count; i++) {
		results->comms[i].identity = halves->comms[i].identity;
		results->comms[i].size = halves->comms[i].members;
	}
	return 0;
}

int wait_results_make(struct wait_results *results, const struct tables *tables)
{
	struct joining joining = {.results = results,
				  .halves = &tables->halves,
				  .rank_count = tables->facts->rank_count};
	int error;

	memset(results, 0, sizeof(*results));
	error = begin(results, tables);
	if (!error)
		error = find_clocks(&joining, tables->facts);
	for (unsigned i = 0; i < HALVES_THINGS && !error; i++)
		error = join_things(&joining, &tables->halves.things[i]);
	if (!error)
		error = sum_up(&joining);
	if (!error)
		keep_comms(results, &tables->messages);
	free(joining.clocks);
	free(joining.waits);
	free(joining.pairs);
	return error;
}

void wait_results_release(struct wait_results *results)
{
	free(results->comms);
	free(results->ranks);
	free(results->pairs);
}

const char *analysis_wait_name(enum analysis_wait_kind kind)
{
	static const char *const names[ANALYSIS_WAITS] = {"late sender", "late receiver",
							  "late member"};

	return (unsigned)kind < ANALYSIS_WAITS ? names[kind] : "";
}
