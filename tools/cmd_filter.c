/* SPDX-License-Identifier: MIT */
/* cmd_filter.c - recorder filter: a smaller trace, with the records alone that are asked for */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "conditions.h"
#include "crew.h"
#include "filter_meta.h"
#include "filter_stream.h"
#include "message.h"
#include "itself.h"
#include "newdir.h"
#include "options.h"
#include "output.h"
#include "packing.h"
#include "progress.h"
#include "streamshare.h"
#include "walk.h"

static const char *target;
static bool force;

static const struct option_row own_rows[] = {
	{OPTION_TEXT, 'o', "output", "DIR2", "the new trace: a directory, or FILE.rtrace", &target,
	 NULL},
	{OPTION_FLAG, 0, "force", NULL, "replace a trace that is there", &force, NULL},
	{OPTION_COUNT, 'j', "jobs", "N", "processes that work (default: CPUs)", &options.jobs,
	 NULL},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"filter", option_rows_filter},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder filter",
	.synopsis = "[options] -o DIR2 [DIR]",
	.summary =
		"Writes a smaller trace, with those records alone that the filter lets through: "
		"what every\n"
		"other command shows of it is what the same filter shows of DIR. If the name of "
		"the new trace\n"
		"ends in .rtrace, it is one file, as 'recorder pack' makes it. DIR may be a packed "
		"trace, too; it\n"
		"defaults to the newest one in the working directory. Under a launcher (mpirun) "
		"the "
		"ranks share\n"
		"the work.",
	.groups = groups,
	.examples =
		"  recorder filter --ranks 0 -o rank0 trace\n"
		"  recorder filter --layers mpiio,posix --files '/scratch/*' -o io.rtrace trace\n"
		"  recorder filter --time 10s..20s -o window job.rtrace\n"
		"  mpirun -np 8 recorder filter --functions 'MPI_*' -o mpi trace\n",
};

enum { PLACE = CREW_FIRST_TYPE, SUMS, WHOLE };

/* The new trace is one file: its directory is there for a while. */
static bool packs(void)
{
	size_t length = strlen(target);

	return length > 7 && !strcmp(target + length - 7, ".rtrace");
}

static void copy_streams(struct filter_work *work, const bool *mine)
{
	struct reader *trace = work->trace;

	for (unsigned i = 0; i < trace->stream_count; i++) {
		if (!mine[i])
			continue;
		if (filter_stream(work->filter, trace->streams[i]))
			filter_stream_copy(work, trace->streams[i]);
		else
			filter_stream_leave_out(work, trace->streams[i]);
		progress_report("filtering", i + 1, trace->stream_count);
	}
	progress_clear();
}

/* What was left out before has to be known to the new trace, too. */
static void copy_left_out(struct filter_work *work)
{
	const struct reader *trace = work->trace;

	for (unsigned i = 0; i < trace->left_out; i++)
		filter_stream_leave_out(work, trace->streams[trace->stream_count + i]);
}

/* ---- together ---- */

/* The folder that the leader makes, and its name. */
static int open_place(struct crew *crew, struct buffer *name)
{
	int fd;

	if (crew_number(crew) == 0) {
		const char *place = packs() ? newdir_scratch(target) : newdir_begin(target, force);

		crew_say(crew, PLACE, place, strlen(place) + 1);
		buffer_add(name, place, strlen(place) + 1);
	}
	while (crew_number(crew) > 0 && !crew_hear(crew, 0, 0, PLACE, name))
		crew_wait(crew, 0);
	fd = open((const char *)name->bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		die("cannot open '%s': %s", (const char *)name->bytes, strerror(errno));
	return fd;
}

static struct filter_sums own_sums(const struct filter_work *work)
{
	return (struct filter_sums){work->all_stored, work->all_calls, work->all_lost,
				    reader_problem_count(work->trace)};
}

static struct filter_sums hear_sums(struct crew *crew, const struct ranks *who,
				    const struct filter_work *work)
{
	struct filter_sums sums = own_sums(work), other;
	struct buffer body = {0};

	for (unsigned number = 1; number < who->count; number++) {
		while (!crew_hear(crew, number, 0, SUMS, &body))
			crew_wait(crew, number);
		if (body.size != sizeof(other))
			die("process %u has found something else", number);
		memcpy(&other, body.bytes, sizeof(other));
		sums.stored += other.stored;
		sums.calls += other.calls;
		sums.lost += other.lost;
		sums.problems += other.problems;
	}
	buffer_release(&body);
	return sums;
}

static void write_global(struct filter_work *work, const struct filter_sums *sums)
{
	char *conditions = conditions_text();
	struct chunkfile gm;
	int error = chunkfile_create(&gm, work->to_fd, "recorder.gm", FILE_GLOBAL, 0);

	if (!error)
		filter_meta_global(work, &gm, conditions, sums);
	if (!error && close(gm.fd))
		error = -errno;
	if (error)
		die("cannot write '%s/recorder.gm': %s", target, strerror(-error));
	free(conditions);
}

/* The folder is whole; ranks of a launcher pack it together, else the leader has processes of its own. */
static void pack(const char *place)
{
	struct packing packing = {.path = target, .jobs = options_jobs(), .force = force};
	struct pack_source source;
	struct pack_sizes sizes;
	char *beside = NULL;

	/* what they write for each other goes with the folder */
	if (asprintf(&beside, "%s/pack", place) < 0)
		die("out of memory");
	packing.beside = beside;
	pack_source_open(&source, place);
	packing_run(&packing, &source, &sizes);
	pack_source_close(&source);
	free(beside);
}

static void follow(struct crew *crew, const struct ranks *who, const struct filter_work *work,
		   const char *place)
{
	struct filter_sums sums = own_sums(work);
	struct buffer nothing = {0};

	crew_say(crew, SUMS, &sums, sizeof(sums));
	if (packs() && who->launched) {
		while (!crew_hear(crew, 0, 0, WHOLE, &nothing))
			crew_wait(crew, 0);
		pack(place);
	}
	buffer_release(&nothing);
	crew_leave(crew);
}

static void lead(struct crew *crew, const struct ranks *who, struct filter_work *work,
		 const char *place)
{
	struct filter_sums sums = hear_sums(crew, who, work);

	write_global(work, &sums);
	if (packs()) {
		crew_say(crew, WHOLE, "", 0);
		pack(place);
	}
	crew_gather(crew);
	if (packs())
		newdir_remove();
	else
		newdir_commit();
	crew_end(crew);
	trace_warn_nothing(sums.stored + sums.calls);
	message_note("%" PRIu64 " records in %s", sums.stored, target);
}

static void run(struct reader *trace, const struct filter *filter)
{
	struct buffer place = {0};
	struct filter_work work;
	struct ranks who;
	struct crew *crew;
	bool *mine;
	int fd;

	ranks_init(&who, target, options_jobs(), trace->stream_count);
	crew = crew_start(&who, streams_fingerprint(trace));
	who.number = crew_number(crew);
	fd = open_place(crew, &place);
	filter_work_init(&work, trace, filter, fd);
	mine = streams_deal(trace, NULL, who.count, who.number);
	copy_streams(&work, mine);
	if (who.number == 0) {
		copy_left_out(&work);
		lead(crew, &who, &work, (const char *)place.bytes);
	} else {
		follow(crew, &who, &work, (const char *)place.bytes);
	}
	filter_work_release(&work);
	close(fd);
	buffer_release(&place);
	free(mine);
	ranks_release(&who);
}

/* ---- the command ---- */

int cmd_filter(int argc, char **argv)
{
	int at = options_parse(&command, argc, argv);
	struct filter filter;
	struct reader *trace;

	if (!target)
		options_usage_error(&command, "where to? (-o DIR2)");
	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	message_quiet |= ranks_follows();
	trace = trace_open(argv[at]);
	if (itself_is(target))
		die("'%s' is of the trace itself", target);
	if (packs() && !force && !ranks_follows() && access(target, F_OK) == 0)
		output_die(target, -EEXIST);
	options.filter.in_flight = 1;
	if (filter_parse(&filter, trace, &options.filter)) {
		message_error("%s", reader_error(trace));
		return EXIT_USAGE;
	}
	run(trace, &filter);
	filter_release(&filter);
	reader_close(trace);
	return EXIT_DONE;
}
