/* SPDX-License-Identifier: MIT */
/* filter.c - see filter.h */
#include "read/filter.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "format/kinds.h"
#include "format/wire.h"
#include "read/globs.h"

/* ---- lists of numbers ---- */

/* A number, or `otherwise` where none stands. */
static bool parse_number(const char **text, int64_t otherwise, int64_t *number)
{
	char *end;

	*number = otherwise;
	if (!isdigit((unsigned char)**text) && **text != '-')
		return true;
	errno = 0;
	*number = strtoll(*text, &end, 10);
	if (errno || end == *text)
		return false;
	*text = end;
	return true;
}

/* "4", "4-7", "first:last:step"; a missing first is 0, a missing last has no end. */
static bool parse_range(const char **text, struct number_range *range)
{
	const char *begin = *text;

	range->step = 1;
	if (!parse_number(text, 0, &range->first))
		return false;
	range->last = range->first;
	if (**text == '-' && *text > begin) {
		++*text;
		begin = *text;
		return parse_number(text, 0, &range->last) && *text > begin;
	}
	if (**text == ':') {
		++*text;
		if (!parse_number(text, INT64_MAX, &range->last))
			return false;
		if (**text == ':') {
			++*text;
			if (!parse_number(text, 1, &range->step))
				return false;
		}
		return range->step > 0;
	}
	return *text > begin;
}

static int parse_numbers(struct number_set *set, const char *name, const char *list)
{
	const char *text = list;

	if (!list)
		return 0;
	for (;;) {
		struct number_range range, *ranges;

		if (!parse_range(&text, &range) || (*text && *text != ','))
			return error_set(-EINVAL,
					 "%s: '%s' is no list of numbers (like 0,4-7,::64)", name,
					 list);
		ranges = realloc(set->ranges, (set->count + 1) * sizeof(*ranges));
		if (!ranges)
			return -ENOMEM;
		set->ranges = ranges;
		ranges[set->count++] = range;
		if (!*text)
			return 0;
		text++;
	}
}

bool number_set_has(const struct number_set *set, int64_t number)
{
	if (set->count == 0)
		return true;
	for (unsigned i = 0; i < set->count; i++) {
		const struct number_range *range = &set->ranges[i];

		if (number >= range->first && number <= range->last &&
		    ((uint64_t)number - (uint64_t)range->first) % (uint64_t)range->step == 0)
			return true;
	}
	return false;
}

/* ---- functions ---- */

/* "all" and "default", as RECORDER_LAYERS has them, are here the layers that are in the trace. */
static bool matches_word(const char *word, const struct reader_function_info *info, bool layers)
{
	if (layers && (!strcmp(word, "all") || !strcmp(word, "default")))
		return true;
	return fnmatch(word, layers ? info->layer : info->name, 0) == 0;
}

/* Words are applied in order; a list that begins by taking away begins with all. */
static void apply_words(uint8_t *chosen, const struct reader *trace, char *list, bool layers)
{
	unsigned count = trace->functions.count;

	memset(chosen, list[0] == '-', count);
	for (char *word = list, *next; word; word = next) {
		size_t length = glob_length(word);
		bool take = word[0] != '-';

		next = word[length] ? word + length + 1 : NULL;
		word[length] = '\0';
		for (unsigned i = 0; i < count; i++) {
			const struct reader_function_info *info = &trace->functions.items[i]->info;

			if (matches_word(word + !take, info, layers))
				chosen[i] = take;
		}
	}
}

/* Narrows filter->functions to those that the list names. */
static int choose(struct filter *filter, const struct reader *trace, const char *list, bool layers)
{
	unsigned count = trace->functions.count;
	uint8_t *chosen;
	char *copy;

	if (!list)
		return 0;
	chosen = malloc(count + 1);
	copy = strdup(list);
	if (!chosen || !copy) {
		free(chosen);
		free(copy);
		return -ENOMEM;
	}
	apply_words(chosen, trace, copy, layers);
	free(copy);
	for (unsigned i = 0; i < count && filter->functions; i++)
		chosen[i] &= filter->functions[i];
	free(filter->functions);
	filter->functions = chosen;
	return 0;
}

/* ---- */

static int parse_lists(struct filter *filter, const struct reader *trace,
		       const struct reader_filter *from)
{
	int error = parse_numbers(&filter->ranks, "ranks", from->ranks);

	if (!error)
		error = parse_numbers(&filter->worlds, "worlds", from->worlds);
	if (!error)
		error = parse_numbers(&filter->tids, "tids", from->tids);
	if (!error)
		error = parse_numbers(&filter->streams, "streams", from->streams);
	if (!error)
		error = parse_numbers(&filter->levels, "levels", from->levels);
	if (!error)
		error = choose(filter, trace, from->layers, true);
	if (!error)
		error = choose(filter, trace, from->functions, false);
	if (!error && from->files) {
		filter->files = strdup(from->files);
		error = filter->files ? 0 : -ENOMEM;
	}
	return error;
}

int filter_parse(struct filter *filter, const struct reader *trace,
		 const struct reader_filter *from)
{
	int error;

	memset(filter, 0, sizeof(*filter));
	filter->after = from->after ? from->after : INT64_MIN;
	filter->before = from->before ? from->before : INT64_MAX;
	filter->min_duration = from->min_duration;
	filter->in_flight = from->in_flight;
	filter->accept = from->accept;
	filter->accept_data = from->accept_data;
	error = parse_lists(filter, trace, from);
	filter->none = filter->after == INT64_MIN && filter->before == INT64_MAX &&
		       filter->min_duration <= 0 && filter->levels.count == 0 && !filter->files &&
		       !filter->accept;
	if (error)
		filter_release(filter);
	return error;
}

void filter_release(struct filter *filter)
{
	free(filter->ranks.ranges);
	free(filter->worlds.ranges);
	free(filter->tids.ranges);
	free(filter->streams.ranges);
	free(filter->levels.ranges);
	free(filter->functions);
	free(filter->files);
	memset(filter, 0, sizeof(*filter));
}

bool filter_stream(const struct filter *filter, const struct stream *stream)
{
	return number_set_has(&filter->worlds, stream->world) &&
	       number_set_has(&filter->ranks, stream->rank) &&
	       number_set_has(&filter->streams, stream->number);
}

void filter_stream_range(const struct filter *filter, unsigned stream_count, unsigned *first,
			 unsigned *end)
{
	const struct number_set *set = &filter->streams;

	*first = set->count > 0 ? stream_count : 0;
	*end = set->count > 0 ? 0 : stream_count;
	for (unsigned i = 0; i < set->count; i++) {
		int64_t low = set->ranges[i].first, high = set->ranges[i].last;

		if (low >= 0 && low < (int64_t)*first)
			*first = (unsigned)low;
		if (high >= (int64_t)*end)
			*end = high < stream_count ? (unsigned)high + 1 : stream_count;
	}
}

bool filter_thread(const struct filter *filter, const struct thread *thread)
{
	return number_set_has(&filter->tids, thread->tid);
}

bool filter_chunk(const struct filter *filter, const struct stream *stream,
		  const struct chunk *chunk)
{
	if (filter->after != INT64_MIN &&
	    timeline_ns(&stream->timeline, chunk->t_max) < filter->after)
		return false;
	return filter->before == INT64_MAX ||
	       timeline_ns(&stream->timeline, chunk->t_min) < filter->before;
}

static bool matches_path(const struct filter *filter, const struct reader_file *file)
{
	return fnmatch(filter->files, file->path, 0) == 0;
}

/* Of an array of descriptors, each with its file. */
static bool matches_files(const struct filter *filter, const struct reader *trace,
			  const struct recorder_record *record, const struct recorder_arg *arg)
{
	struct reader_file file;

	for (uint32_t i = 0; i < arg->count; i++)
		if (reader_file(trace, record->stream, pair_id((uint64_t)arg->elements[i]),
				&file) == 0 &&
		    matches_path(filter, &file))
			return true;
	return false;
}

static bool matches_arg(const struct filter *filter, const struct reader *trace,
			const struct recorder_record *record, unsigned index)
{
	const struct function *function = trace->functions.items[record->func_id];
	const struct recorder_arg *arg = &record->args[index];
	struct reader_file file;

	if (arg->state != RECORDER_ARG_PRESENT)
		return false;
	if (function->kinds[index] == KIND_files || function->kinds[index] == KIND_polled)
		return matches_files(filter, trace, record, arg);
	return reader_arg_file(trace, record, index, &file) == 0 && matches_path(filter, &file);
}

static bool matches_file(const struct filter *filter, const struct reader *trace,
			 const struct recorder_record *record)
{
	const struct function *function;
	struct reader_file file;

	if (reader_record_file(trace, record, &file) == 0 && matches_path(filter, &file))
		return true;
	if (record->func_id >= trace->functions.count)
		return false;
	function = trace->functions.items[record->func_id];
	for (int i = 0; i < record->arg_count; i++)
		/* the handle, if it is of a file, was that of the record */
		if (i != function->handle_arg && matches_arg(filter, trace, record, (unsigned)i))
			return true;
	return false;
}

bool filter_record(const struct filter *filter, const struct reader *trace,
		   const struct recorder_record *record)
{
	if (record->tend < filter->after || record->tstart >= filter->before ||
	    (filter->min_duration > 0 && record->tend - record->tstart < filter->min_duration) ||
	    !number_set_has(&filter->levels, record->level))
		return false;
	if (filter->files && !matches_file(filter, trace, record))
		return false;
	return !filter->accept || filter->accept(filter->accept_data, record);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(filter_numbers)
{
	struct number_set set = {0};

	EXPECT(number_set_has(&set, 5));
	REQUIRE(parse_numbers(&set, "ranks", "0,4-7,100::64") == 0);
	EXPECT(number_set_has(&set, 0) && number_set_has(&set, 4) && number_set_has(&set, 7));
	EXPECT(!number_set_has(&set, 3) && !number_set_has(&set, 8));
	EXPECT(number_set_has(&set, 100) && number_set_has(&set, 164));
	EXPECT(!number_set_has(&set, 101) && !number_set_has(&set, -1));
	free(set.ranges);
	set = (struct number_set){0};
	REQUIRE(parse_numbers(&set, "ranks", "::64") == 0);
	EXPECT(number_set_has(&set, 0) && number_set_has(&set, 128) && !number_set_has(&set, 1));
	free(set.ranges);
}

TEST_CASE(filter_knows_where_its_streams_are)
{
	struct filter filter = {0};
	unsigned first, end;

	filter_stream_range(&filter, 50, &first, &end);
	EXPECT(first == 0 && end == 50);
	REQUIRE(parse_numbers(&filter.streams, "streams", "7,30-39,12") == 0);
	filter_stream_range(&filter, 50, &first, &end);
	EXPECT(first == 7 && end == 40);
	filter_stream_range(&filter, 35, &first, &end);
	EXPECT(first == 7 && end == 35);
	filter_stream_range(&filter, 7, &first, &end);
	EXPECT(first >= end);
	free(filter.streams.ranges);
}

TEST_CASE(filter_refuses_what_is_no_list)
{
	static const char *const lists[] = {
		"", "a", "1,", "1-", "1;2", ",", "1:2:0", "1:2:3:4", "99999999999999999999", "1--"};

	for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct number_set set = {0};

		EXPECT_EQ(parse_numbers(&set, "ranks", lists[i]), -EINVAL);
		free(set.ranges);
	}
}
#endif
