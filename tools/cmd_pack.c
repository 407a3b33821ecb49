/* SPDX-License-Identifier: MIT */
/* cmd_pack.c - recorder pack: a trace as one file, in which what ranks have in common is there once */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "packing.h"
#include "walk.h"

static const char *output_path;
static bool force;

static const struct option_row own_rows[] = {
	{OPTION_TEXT, 'o', "output", "FILE", "write to FILE (default: NAME.rtrace here)",
	 &output_path, NULL},
	{OPTION_COUNT, 'j', "jobs", "N", "processes at work (default: as many as CPUs)",
	 &options.jobs, NULL},
	{OPTION_FLAG, 0, "force", NULL, "replace FILE if it exists", &force, NULL},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder pack",
	.synopsis = "[options] [DIR]",
	.summary = "Makes one file of a trace, in which what ranks have in common is there once. "
		   "All commands read\n"
		   "it as it is; 'recorder unpack' makes a directory of it again. DIR defaults to "
		   "the newest trace in\n"
		   "the working directory, and stays as it is.",
	.groups = groups,
	.examples = "  recorder pack trace                   trace.rtrace\n"
		    "  recorder pack -o /scratch/job.rtrace trace && rm -r trace\n"
		    "  mpirun -np 16 recorder pack -o job.rtrace trace\n"
		    "  recorder2text job.rtrace | less\n",
};

/* "DIR/" and "DIR.rtrace" -> "DIR.rtrace" in the working directory. */
static char *default_path(const char *dir)
{
	char *name = trace_name(dir), *path = NULL;
	size_t length = strlen(name);

	if (length > 7 && strcmp(name + length - 7, ".rtrace") == 0)
		length -= 7;
	if (asprintf(&path, "%.*s.rtrace", (int)length, name) < 0)
		die("out of memory");
	free(name);
	return path;
}

/* ---- what cannot be packed ---- */

/* Whether something of the stream lies in memory of this machine. */
static bool has_live_files(const struct reader *trace, unsigned index, const char *name)
{
	struct reader_value dir;
	char path[4096];

	if (reader_meta(trace, index, "live.dir", &dir) || dir.type != READER_BYTES ||
	    (size_t)snprintf(path, sizeof(path), "%s/%s.defs", dir.bytes, name) >= sizeof(path))
		return false;
	return access(path, F_OK) == 0;
}

/* What is in memory only would be lost for the packed trace. */
static void look_at(const struct reader *trace, const struct reader_info *info)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	unsigned died = 0;

	if (info->running)
		die("'%s' is still being written", info->dir);
	for (unsigned i = 0; i < info->streams; i++) {
		if (reader_stream(trace, i, &stream) || stream.state != READER_DIED)
			continue;
		if (has_live_files(trace, i, stream.name))
			die("records of killed processes are still in memory: first run 'recorder "
			    "repair %s'",
			    info->dir);
		died++;
	}
	if (died > 0)
		message_warn("%u processes did not end in order; what they left in memory of other "
			     "machines is not packed",
			     died);
}

static void tell(const struct pack_source *source, const char *path, const struct pack_sizes *sizes)
{
	uint64_t all =
		sizes->data + sizes->words + sizes->shapes + sizes->parts_bytes + sizes->frame;

	if (source->others > 0)
		message_warn("%" PRIu32 " files that are not of the trace are not in it, one of "
			     "them '%s'",
			     source->others, source->other);
	message_note("%" PRIu64 " bytes in %s", all, path);
	if (options.verbose)
		message_note("%" PRIu64 " parts; times %" PRIu64 " bytes, %" PRIu64 " of %" PRIu64
			     " tables %" PRIu64 ", shapes %" PRIu64 ", parts %" PRIu64
			     ", frame %" PRIu64,
			     sizes->parts, sizes->data, sizes->blobs, sizes->blobs_asked,
			     sizes->words, sizes->shapes, sizes->parts_bytes, sizes->frame);
}

int cmd_pack(int argc, char **argv)
{
	int at = options_parse(&command, argc, argv);
	struct reader_info info = {.sz = sizeof(info)};
	struct packing packing = {0};
	struct pack_source source;
	struct pack_sizes sizes;
	struct reader *trace;
	char *path = NULL;

	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	trace = trace_open(argv[at]);
	reader_info(trace, &info);
	look_at(trace, &info);
	if (!output_path)
		output_path = path = default_path(info.dir);
	packing = (struct packing){output_path, output_path, options_jobs(), force};
	pack_source_open(&source, info.dir);
	if (packing_run(&packing, &source, &sizes))
		tell(&source, output_path, &sizes);
	pack_source_close(&source);
	reader_close(trace);
	free(path);
	return EXIT_DONE;
}
