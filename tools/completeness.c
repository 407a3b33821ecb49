/* SPDX-License-Identifier: MIT */
/* completeness.c - see completeness.h */
#include "completeness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "metavalue.h"

#define RANGES_SHOWN 16u

/* Losses ---------------------------------------------------------------------------- */

const char *loss_meaning(const char *reason)
{
	static const struct {
		const char *reason, *meaning;
	} meanings[] = {
		{"no_ring", "no memory for the ring of a thread"},
		{"ring_full", "a ring was full"},
		{"write_error", "a write to the trace failed"},
		{"no_space", "no space or quota was left for the trace"},
		{"file_size", "the limit to the size of files was reached"},
		{"descriptor_lost", "the program closed the file of the trace"},
		{"too_deep", "too many calls within calls"},
		{"signal", "calls of handlers that interrupted the recorder"},
		{"closing", "calls while the process ended"},
		{"disabled", "recording was switched off"},
		{"rotated", "removed to make room: RECORDER_KEEP"},
		{"max_size", "RECORDER_MAX_SIZE was reached"},
		{"min_free", "RECORDER_MIN_FREE was reached"},
		{"missing", "they should be there: damage"},
		{"other", "not known why"},
	};

	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (!strcmp(meanings[i].reason, reason))
			return meanings[i].meaning;
	return "";
}

const char *loss_number(char text[32], uint64_t records)
{
	snprintf(text, 32, "%" PRIu64, records);
	return records ? text : "some";
}

static bool has_losses(const struct reader *trace, unsigned stream)
{
	const char *reason;
	uint64_t count;

	return !reader_loss(trace, stream, 0, &reason, &count);
}

const char *stream_loss_number(char text[32], const struct reader *trace, unsigned stream,
			       uint64_t lost)
{
	return lost == 0 && !has_losses(trace, stream) ? "0" : loss_number(text, lost);
}

const char *trace_loss_number(char text[32], const struct reader *trace,
			      const struct reader_info *info)
{
	bool any = info->lost > 0;

	for (unsigned i = 0; i < info->streams && !any; i++)
		any = has_losses(trace, i);
	return any ? loss_number(text, info->lost) : "0";
}

static void *grow(void *list, size_t count, size_t size)
{
	void *larger = realloc(list, count * size);

	if (!larger)
		die("out of memory");
	return larger;
}

static void add_loss(struct losses *losses, const char *reason, uint64_t records)
{
	struct loss_sum *sum = losses->list;

	while (sum < losses->list + losses->count && strcmp(sum->reason, reason) != 0)
		sum++;
	if (sum == losses->list + losses->count) {
		losses->list = grow(losses->list, losses->count + 1, sizeof(*sum));
		sum = &losses->list[losses->count++];
		*sum = (struct loss_sum){reason, 0};
	}
	if (__builtin_add_overflow(sum->records, records, &sum->records))
		sum->records = UINT64_MAX;
}

void losses_collect(struct losses *losses, const struct reader *trace)
{
	struct reader_info info = {.sz = sizeof(info)};
	const char *reason;
	uint64_t count;

	memset(losses, 0, sizeof(*losses));
	reader_info(trace, &info);
	for (unsigned i = 0; i < info.streams; i++)
		for (unsigned k = 0; !reader_loss(trace, i, k, &reason, &count); k++)
			add_loss(losses, reason, count);
}

void losses_release(struct losses *losses)
{
	free(losses->list);
	memset(losses, 0, sizeof(*losses));
}

/* Ranks ----------------------------------------------------------------------------- */

/* The world that is being looked at; streams come by world and rank. */
struct world {
	int32_t number, next, size;
	size_t first; /* of its absences */
};

static void add_absence(struct absences *absences, const struct world *world, int32_t end)
{
	if (end <= world->next)
		return;
	absences->list = grow(absences->list, absences->count + 1, sizeof(*absences->list));
	absences->list[absences->count++] =
		(struct absence){world->number, world->next, end - 1, -1};
}

static void end_world(struct absences *absences, const struct world *world)
{
	if (world->number < 0)
		return;
	add_absence(absences, world, world->size);
	for (size_t i = world->first; i < absences->count; i++)
		absences->list[i].size = world->size;
}

static void look_at(struct absences *absences, struct world *world,
		    const struct reader_stream *stream)
{
	if (stream->world != world->number) {
		end_world(absences, world);
		*world = (struct world){stream->world, 0, -1, absences->count};
	}
	if (stream->size > world->size)
		world->size = stream->size;
	if (stream->rank < world->next || stream->rank == INT32_MAX)
		return;
	add_absence(absences, world, stream->rank);
	world->next = stream->rank + 1;
}

static bool global_number_is_set(const struct reader *trace, const char *key)
{
	struct reader_value value;

	return !reader_meta(trace, READER_GLOBAL, key, &value) && value.type == READER_U64 &&
	       value.u64 != 0;
}

/* Who was asked for by `recorder filter` is there, and who else was there before it, too. */
static bool others_are_left_out(const struct reader *trace)
{
	return global_number_is_set(trace, "filter.left_out") &&
	       !global_number_is_set(trace, "filter.incomplete");
}

void absences_collect(struct absences *absences, const struct reader *trace)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	struct world world = {-1, 0, -1, 0};

	memset(absences, 0, sizeof(*absences));
	if (others_are_left_out(trace))
		return;
	for (unsigned i = 0; !reader_stream(trace, i, &stream); i++)
		if (stream.main && stream.rank >= 0 && !stream.beside)
			look_at(absences, &world, &stream);
	end_world(absences, &world);
}

/* What comes after number `i` in a list of `count`. */
static const char *separator(size_t i, size_t count)
{
	return i + 1 == count ? "" : i + 2 == count ? " and " : ", ";
}

/* The absences from..to are those of one world. */
static void put_world(FILE *stream, const struct absence *list, size_t count, bool named)
{
	size_t shown = count > RANGES_SHOWN ? RANGES_SHOWN : count, items = shown + (shown < count);

	if (named)
		fprintf(stream, "world %" PRId32 ": ", list->world);
	fputs(count == 1 && list->first == list->last ? "rank " : "ranks ", stream);
	for (size_t i = 0; i < shown; i++) {
		fprintf(stream, "%" PRId32, list[i].first);
		if (list[i].last > list[i].first)
			fprintf(stream, "-%" PRId32, list[i].last);
		fputs(separator(i, items), stream);
	}
	if (shown < count)
		fputs("others", stream);
	if (list->size >= 0)
		fprintf(stream, " of %" PRId32, list->size);
	fputs(" left no stream", stream);
}

char *absences_text(const struct absences *absences, unsigned worlds)
{
	char *text = NULL;
	size_t size, count;
	FILE *stream;

	if (absences->count == 0)
		return NULL;
	stream = open_memstream(&text, &size);
	if (!stream)
		die("out of memory");
	for (size_t i = 0; i < absences->count; i += count) {
		for (count = 1; i + count < absences->count; count++)
			if (absences->list[i + count].world != absences->list[i].world)
				break;
		fputs(i ? "; " : "", stream);
		put_world(stream, &absences->list[i], count, worlds > 1);
	}
	if (fclose(stream))
		die("out of memory");
	return text;
}

void absences_release(struct absences *absences)
{
	free(absences->list);
	memset(absences, 0, sizeof(*absences));
}

/* JSON -------------------------------------------------------------------------------- */

void loss_json(struct json *json, const char *reason, uint64_t records)
{
	json_begin(json, NULL, '{');
	json_put_string(json, "reason", reason);
	json_put_unsigned(json, "records", records);
	json_end(json, '}');
}

void completeness_json(struct json *json, const struct reader *trace)
{
	struct absences absences;
	struct losses losses;

	losses_collect(&losses, trace);
	json_begin(json, "losses", '[');
	for (size_t i = 0; i < losses.count; i++)
		loss_json(json, losses.list[i].reason, losses.list[i].records);
	json_end(json, ']');
	losses_release(&losses);
	absences_collect(&absences, trace);
	json_begin(json, "absent", '[');
	for (size_t i = 0; i < absences.count; i++) {
		json_begin(json, NULL, '{');
		json_put_integer(json, "world", absences.list[i].world);
		json_put_integer(json, "first_rank", absences.list[i].first);
		json_put_integer(json, "last_rank", absences.list[i].last);
		json_put_integer(json, "size", absences.list[i].size);
		json_end(json, '}');
	}
	json_end(json, ']');
	absences_release(&absences);
}

/* Live files -------------------------------------------------------------------------- */

bool stream_is_crash_safe(const struct reader *trace, unsigned stream)
{
	if (meta_is_from_outside(trace, stream)) /* recorded from outside: it has none */
		return true;
	return *meta_text(trace, stream, "live.dir") && !meta_number(trace, stream, "live.private");
}

#ifdef UNIT_TEST
#include "unittest.h"

static void look(struct absences *absences, struct world *world, int32_t number, int32_t rank,
		 int32_t size)
{
	struct reader_stream stream = {.world = number, .rank = rank, .size = size};

	look_at(absences, world, &stream);
}

static void expect_absent(struct absences *absences, struct world *world, const char *expected)
{
	char *text;

	end_world(absences, world);
	text = absences_text(absences, (unsigned)world->number + 1);
	EXPECT_STR(text ? text : "", expected);
	free(text);
	absences_release(absences);
	*world = (struct world){-1, 0, -1, 0};
}

TEST_CASE(absent_ranks_are_named)
{
	struct absences absences = {NULL, 0};
	struct world world = {-1, 0, -1, 0};

	look(&absences, &world, 0, 0, 2);
	look(&absences, &world, 0, 1, 2);
	expect_absent(&absences, &world, "");
	for (int32_t rank = 0; rank < 8; rank++)
		if (rank != 3 && rank != 5)
			look(&absences, &world, 0, rank, 8);
	expect_absent(&absences, &world, "ranks 3 and 5 of 8 left no stream");
	look(&absences, &world, 0, 1, 4);
	expect_absent(&absences, &world, "ranks 0 and 2-3 of 4 left no stream");
	look(&absences, &world, 0, 0, -1);
	look(&absences, &world, 0, 2, -1);
	expect_absent(&absences, &world, "rank 1 left no stream");
	look(&absences, &world, 0, 0, 2);
	look(&absences, &world, 1, 1, 3);
	expect_absent(&absences, &world,
		      "world 0: rank 1 of 2 left no stream; world 1: ranks 0 and 2 of 3 left no "
		      "stream");
}

TEST_CASE(many_absent_ranks_are_cut_short)
{
	struct absences absences = {NULL, 0};
	struct world world = {-1, 0, -1, 0};

	for (int32_t rank = 0; rank < 100; rank += 2)
		look(&absences, &world, 0, rank, 99);
	expect_absent(&absences, &world,
		      "ranks 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31 and others "
		      "of 99 left no stream");
	look(&absences, &world, 0, INT32_MAX, INT32_MAX);
	expect_absent(&absences, &world, "ranks 0-2147483646 of 2147483647 left no stream");
}

TEST_CASE(losses_are_summed_by_reason)
{
	struct losses losses = {NULL, 0};

	add_loss(&losses, "min_free", 2);
	add_loss(&losses, "signal", 1);
	add_loss(&losses, "min_free", 3);
	add_loss(&losses, "signal", UINT64_MAX);
	REQUIRE(losses.count == 2);
	EXPECT_EQ(losses.list[0].records, 5);
	EXPECT_EQ(losses.list[1].records, UINT64_MAX);
	EXPECT_STR(loss_meaning("max_size"), "RECORDER_MAX_SIZE was reached");
	EXPECT_STR(loss_meaning("of a later version"), "");
	losses_release(&losses);
}
#endif
