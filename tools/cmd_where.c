/* SPDX-License-Identifier: MIT */
/* cmd_where.c - recorder where: the calls that every rank is or was in */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "inflight.h"
#include "instant.h"
#include "json.h"
#include "liveprocess.h"
#include "message.h"
#include "options.h"
#include "ranks.h"
#include "walk.h"

static const struct option_group groups[] = {{"output", option_rows_table},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder where",
	.synopsis = "[options] [PID|DIR]",
	.summary = "Says in which call every rank is, or was when it died: calls, peer or file, "
		   "ranks, seconds.\n"
		   "With a PID: what it and the processes below it do now. With a trace: what is "
		   "in flight there.\n"
		   "DIR defaults to the newest trace in the working directory.",
	.groups = groups,
	.examples = "  recorder where $(pidof mpirun)\n"
		    "  recorder where trace\n"
		    "  recorder where --json trace | jq '.groups[] | select(.function == "
		    "\"MPI_Recv\")'\n",
};

/* Ranks -------------------------------------------------------------------------- */

static void put_rank(struct output *output, int32_t world, int32_t rank)
{
	if (world > 0) {
		output_i64(output, world);
		output_char(output, ':');
	}
	output_i64(output, rank);
}

/* Places of one group, by rank, as "0,4-7". */
static void put_ranks(struct output *output, const struct place *group, unsigned count)
{
	for (unsigned i = 0; i < count;) {
		unsigned last = i;

		while (last + 1 < count && group[last + 1].world == group[i].world &&
		       group[last + 1].rank - group[last].rank <= 1)
			last++;
		if (i > 0)
			output_char(output, ',');
		put_rank(output, group[i].world, group[i].rank);
		if (group[last].rank > group[i].rank) {
			output_char(output, '-');
			put_rank(output, group[last].world, group[last].rank);
		}
		i = last + 1;
	}
}

static void span_of(const struct place *group, unsigned count, int64_t *shortest, int64_t *longest)
{
	*shortest = *longest = group[0].lasted;
	for (unsigned i = 1; i < count; i++) {
		*shortest = group[i].lasted < *shortest ? group[i].lasted : *shortest;
		*longest = group[i].lasted > *longest ? group[i].lasted : *longest;
	}
}

/* Whether the time of one of them is known only as a lower bound. */
static bool is_bound(const struct place *group, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (group[i].at_least)
			return true;
	return false;
}

/* Main streams that are in no call: they compute, or are in something that is not recorded. */
static bool is_nowhere(const struct places *places, unsigned index,
		       const struct reader_stream *stream)
{
	if (!stream->main || (stream->state == READER_CLEAN && !stream->died))
		return false;
	for (unsigned i = 0; i < places->count; i++)
		if (places->list[i].stream == index)
			return false;
	return true;
}

/* Text --------------------------------------------------------------------------- */

static void put_group(struct output *output, const struct place *group, unsigned count)
{
	int64_t shortest, longest;

	span_of(group, count, &shortest, &longest);
	output_text(output, count > 1 ? "ranks " : "rank ");
	put_ranks(output, group, count);
	output_text(output, group->alive ? " in " : group->died ? " died in " : " ended in ");
	output_printable(output, group->calls);
	output_char(output, '(');
	output_printable(output, group->target);
	output_char(output, ')');
	if (group->peer >= 0) {
		output_text(output, ", peer rank ");
		output_i64(output, group->peer);
	}
	if (*group->file) {
		output_text(output, ", file ");
		output_printable(output, group->file);
	}
	output_text(output, is_bound(group, count) ? ", for at least " : ", for ");
	output_decimal(output, shortest / 1000000, 3);
	if (longest / 1000000 > shortest / 1000000) {
		output_text(output, " to ");
		output_decimal(output, longest / 1000000, 3);
	}
	output_text(output, " s\n");
}

static void put_nowhere(struct output *output, const struct reader *trace,
			const struct places *places, inflight_want *want, const void *data)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	for (unsigned i = 0; !reader_stream(trace, i, &stream); i++) {
		if ((want && !want(data, stream.pid)) || !is_nowhere(places, i, &stream))
			continue;
		output_text(output, "rank ");
		put_rank(output, stream.world, stream.rank);
		output_text(output, stream.state == READER_RUNNING ? " is in no recorded call\n"
								   : " died in no recorded call\n");
	}
}

/* The length of the group that begins at place `at`. */
static unsigned group_length(const struct places *places, unsigned at)
{
	unsigned count = 1;

	while (at + count < places->count &&
	       places_equal(&places->list[at], &places->list[at + count]))
		count++;
	return count;
}

/* JSON and CSV --------------------------------------------------------------------- */

static void json_group(struct json *json, const struct place *group, unsigned count)
{
	int64_t shortest, longest;

	span_of(group, count, &shortest, &longest);
	json_begin(json, NULL, '{');
	json_put_string(json, "function",
			strrchr(group->calls, ' ') ? strrchr(group->calls, ' ') + 1 : group->calls);
	json_put_string(json, "calls", group->calls);
	json_put_string(json, "arguments", group->target);
	json_put_string(json, "file", group->file);
	json_put_integer(json, "peer", group->peer);
	json_put_bool(json, "alive", group->alive);
	json_put_bool(json, "died", group->died);
	json_put_seconds(json, "seconds_min", shortest);
	json_put_seconds(json, "seconds_max", longest);
	json_begin(json, "threads", '[');
	for (unsigned i = 0; i < count; i++) {
		json_begin(json, NULL, '{');
		json_put_integer(json, "world", group[i].world);
		json_put_integer(json, "rank", group[i].rank);
		json_put_unsigned(json, "pid", group[i].pid);
		json_put_unsigned(json, "tid", group[i].tid);
		json_put_seconds(json, "since", group[i].since);
		json_put_seconds(json, "seconds", group[i].lasted);
		json_put_bool(json, "at_least", group[i].at_least);
		json_end(json, '}');
	}
	json_end(json, ']');
	json_end(json, '}');
}

static void put_json(struct output *output, const struct reader *trace, const struct places *places,
		     inflight_want *want, const void *data)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	struct reader_info info = {.sz = sizeof(info)};
	struct json json = {.output = output};

	reader_info(trace, &info);
	json_begin(&json, NULL, '{');
	json_put_string(&json, "dir", info.dir);
	json_put_bool(&json, "running", info.running);
	json_begin(&json, "groups", '[');
	for (unsigned i = 0; i < places->count; i += group_length(places, i))
		json_group(&json, &places->list[i], group_length(places, i));
	json_end(&json, ']');
	json_begin(&json, "in_no_call", '[');
	for (unsigned i = 0; !reader_stream(trace, i, &stream); i++) {
		if ((want && !want(data, stream.pid)) || !is_nowhere(places, i, &stream))
			continue;
		json_begin(&json, NULL, '{');
		json_put_integer(&json, "world", stream.world);
		json_put_integer(&json, "rank", stream.rank);
		json_put_unsigned(&json, "pid", stream.pid);
		json_end(&json, '}');
	}
	json_end(&json, ']');
	json_end(&json, '}');
}

static void put_csv(struct output *output, const struct places *places)
{
	output_text(output, "world,rank,pid,tid,calls,arguments,file,peer,alive,seconds,"
			    "at_least\n");
	for (unsigned i = 0; i < places->count; i++) {
		const struct place *place = &places->list[i];
		char numbers[128];

		snprintf(numbers, sizeof(numbers),
			 "%" PRId32 ",%" PRId32 ",%" PRIu32 ",%" PRIu32 ",", place->world,
			 place->rank, place->pid, place->tid);
		output_text(output, numbers);
		output_csv(output, place->calls);
		output_char(output, ',');
		output_csv(output, place->target);
		output_char(output, ',');
		output_csv(output, place->file);
		snprintf(numbers, sizeof(numbers), ",%" PRId32 ",%d,", place->peer, place->alive);
		output_text(output, numbers);
		output_decimal(output, place->lasted, 9);
		output_text(output, place->at_least ? ",1\n" : ",0\n");
	}
}

/* Traces --------------------------------------------------------------------------- */

static void show_trace(struct reader *trace, inflight_want *want, const void *data)
{
	struct places places;
	struct output output;
	int error = places_find(trace, instant_of(CLOCK_REALTIME), want, data, &places);

	if (error)
		die("%s: %s", reader_error(trace), strerror(-error));
	output_begin_stdout(&output);
	if (options.json)
		put_json(&output, trace, &places, want, data);
	else if (options.csv)
		put_csv(&output, &places);
	else
		for (unsigned i = 0; i < places.count; i += group_length(&places, i))
			put_group(&output, &places.list[i], group_length(&places, i));
	if (!options.json && !options.csv)
		put_nowhere(&output, trace, &places, want, data);
	output_end(&output);
	if (places.count == 0)
		message_note("no call is in flight");
	places_release(&places);
}

static bool is_below(const void *data, uint32_t pid)
{
	const struct live_processes *processes = data;

	for (unsigned i = 0; i < processes->count; i++)
		if (processes->list[i].pid == pid)
			return true;
	return false;
}

static void show_processes(uint32_t pid)
{
	struct live_processes processes;
	int error = live_processes_below(pid, &processes);

	if (error)
		die("process %" PRIu32 ": %s", pid, strerror(-error));
	if (processes.count == 0)
		die("neither process %" PRIu32 " nor one below it is being recorded", pid);
	for (unsigned i = 0; i < processes.count; i++) {
		struct reader *trace;
		unsigned k = 0;

		while (strcmp(processes.list[k].trace, processes.list[i].trace) != 0)
			k++;
		if (k < i)
			continue; /* shown with the first process of it */
		trace = trace_open(processes.list[i].trace);
		show_trace(trace, is_below, &processes);
		reader_close(trace);
	}
	live_processes_release(&processes);
}

/* A number that is no directory. */
static bool is_pid(const char *text, uint32_t *pid)
{
	struct stat status;
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (!isdigit((unsigned char)*text) || *end || number == 0 || number > INT32_MAX ||
	    !stat(text, &status))
		return false;
	*pid = (uint32_t)number;
	return true;
}

int cmd_where(int argc, char **argv)
{
	int at = options_parse(&command, argc, argv);
	struct reader *trace;
	uint32_t pid;

	if (argc - at > 1)
		options_usage_error(&command, "one process or trace at a time, not '%s' too",
				    argv[at + 1]);
	if (argv[at] && is_pid(argv[at], &pid)) {
		show_processes(pid);
		return EXIT_DONE;
	}
	ranks_leave_to_first();
	trace = trace_open(argv[at]);
	show_trace(trace, NULL, NULL);
	reader_close(trace);
	return EXIT_DONE;
}
