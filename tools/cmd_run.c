/* SPDX-License-Identifier: MIT */
/*
 * cmd_run.c - recorder run: runs a command recorded.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "configfile.h"
#include "dftracerconf.h"
#include "environment.h"
#include "eventchoice.h"
#include "fold.h"
#include "forwarding.h"
#include "kernelmode.h"
#include "kernelside.h"
#include "libraries.h"
#include "message.h"
#include "options.h"
#include "program.h"
#include "program_mpi.h"
#include "runcommand.h"
#include "runpfw.h"
#include "runs.h"
#include "sampling.h"
#include "settings.h"
#include "targeted.h"
#include "gmsummary.h"
#include "hosts_seen.h"
#include "instant.h"
#include "untraced_list.h"

#define STRAGGLER_PAUSES 60 /* of 50 ms */

static const char *directory, *pfw_prefix;
static bool pack, strict, with_kernel;

/* recorder env reads the same configuration files, and passes over these. */
const struct option_row option_rows_run[] = {
	{OPTION_TEXT, 'o', "output", "DIR",
	 "trace directory (recorder-PROGRAM-JOB); %j job, %e program, %h host, %t time", &directory,
	 NULL},
	{OPTION_FLAG, 0, "pack", NULL, "at the end also make one file of the trace, DIR.rtrace",
	 &pack, NULL},
	{OPTION_TEXT, 0, "pfw", "PREFIX",
	 "at the end also make PREFIX-APP-PID.pfw.gz of each process, as DFTracer does",
	 &pfw_prefix, NULL},
	{OPTION_FLAG, 0, "system", NULL,
	 "also record system calls in the kernel (recorder system), in the same trace",
	 &with_kernel, NULL},
	EVENTCHOICE_OPTION,
	KERNELMODE_OPTIONS("system-mode"),
	KERNELSIDE_OPTION_RING,
	SAMPLING_OPTION,
	{OPTION_FLAG, 0, "strict", NULL, "exit 125 if a function of -t is nowhere", &strict, NULL},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", option_rows_run},
					     {"configuration", option_rows_config},
					     {"library", option_rows_mpi},
					     {"what to record", option_rows_settings},
					     {"functions by name", option_rows_targets},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder run",
	.synopsis = "[options] [--] CMD [ARGS...]",
	.summary = "Runs CMD and records it and what it starts. The exit status and the signal are "
		   "CMD's;\n"
		   "125: recorder itself failed (or --strict), 126: CMD cannot be run, 127: CMD "
		   "was not found.",
	.groups = groups,
	.examples = "  recorder run -- mpirun -np 4 ./app\n"
		    "  mpirun -np 4 recorder run -o trace -- ./app\n"
		    "  recorder run -c recorder.yaml -- mpirun -np 4 ./app\n"
		    "  recorder run --layers posix,stdio --tags before-tuning -- python3 train.py\n"
		    "  recorder run -t 'solve*' -t libfoo.so:bar -- ./app\n"
		    "  recorder run -t 'solve*' --via uprobe -o trace -- ./app\n"
		    "  recorder run --dry-run -t 'solve*' -- ./app\n"
		    "  recorder run -t json.decoder:JSONDecoder.raw_decode -- python3 train.py\n",
	.stops_at_operand = true,
};

/* Before --------------------------------------------------------------------------- */

/* What cannot be recorded is said at the end; what it starts may be. */
static void look_at_program(const char *name, struct program_facts *facts,
			    struct untraced *untraced)
{
	char path[PATH_MAX];
	struct stat status;

	memset(facts, 0, sizeof(*facts));
	if (program_find(name, path, sizeof(path)) || program_read(path, facts))
		return;
	if (facts->untraced)
		untraced_add(untraced, path, facts->untraced);
	else if (!stat(path, &status) &&
		 ((status.st_mode & S_ISUID && status.st_uid != geteuid()) ||
		  (status.st_mode & S_ISGID && status.st_gid != getegid())))
		untraced_add(untraced, path, "setuid");
}

/* How the run is known when it is over. */
struct run {
	char **argv;
	char *asked; /* directory that the runtime was told, NULL: its default */
	char id[512];
	bool is_rank;
	struct untraced untraced;
	unsigned missing;                /* targets that no function is */
	struct kernelside *kernel;       /* NULL: not recorded there */
	struct sampling *sampling;       /* NULL: nothing is sampled */
	char without_kernel[1024];       /* why it is not, though it was asked for */
	struct functionpoints functions; /* --via uprobe */
};

static void choose_directory(struct run *run, struct environment *environment)
{
	const char *inherited = getenv("RECORDER_TRACES_DIR");

	if (directory)
		run->asked = environment_directory(directory);
	else if (inherited && *inherited)
		run->asked = environment_directory(inherited);
	else if (!run->is_rank)
		run->asked = run_default_directory(run->argv);
	if (run->asked)
		environment_add(environment, "RECORDER_TRACES_DIR", run->asked);
}

/* The ranks of a job must agree on the run: where a launcher has named it, they all find that name by themselves. */
static void choose_id(struct run *run, struct environment *environment)
{
	const char *given = environment_value(environment, "RECORDER_RUN_ID");
	bool known = false;

	if (given)
		snprintf(run->id, sizeof(run->id), "%s", given);
	else if (run->is_rank)
		known = run_id_of_ranks(run->id, sizeof(run->id));
	else
		run_id_make(run->id, sizeof(run->id));
	if (!known)
		environment_add(environment, "RECORDER_RUN_ID", run->id);
}

/* The one for the program's MPI; where there is only one for another, that is said, by one rank. */
static void choose_library(const struct run *run, struct library *library)
{
	char program[PATH_MAX];
	const char *mpi = NULL;

	if (!library_asked())
		mpi = program_mpi(run->argv, program);
	library_find(mpi, library);
	if (mpi && *program && strcmp(library->mpi, mpi) != 0 &&
	    (!run->is_rank || environment_rank() == 0))
		message_note("'%s' is of %s, and %s is for %s: calls of MPI are not recorded",
			     program, library_mpi_name(mpi), library->path,
			     library_mpi_name(library->mpi));
}

static void prepare(struct run *run, struct environment *environment)
{
	struct program_facts facts;
	struct library library;

	run->is_rank = environment_is_rank();
	choose_library(run, &library);
	look_at_program(run->argv[0], &facts, &run->untraced);
	environment_init(environment, library.path, facts.asan);
	choose_directory(run, environment);
	choose_id(run, environment);
	run->argv = forwarding_add(run->argv, environment);
}

/* Meanwhile ------------------------------------------------------------------------ */

#define NO_DIRECTORY "name the trace's directory by -o, without %"

/* Names of directories that the runtime makes up are not known here. */
static bool is_named(const struct run *run)
{
	return run->asked && !strchr(run->asked, '%');
}

static void find_functions(struct run *run)
{
	const char *targets = environment_targets();

	if (!environment_via_uprobe() || !targets || environment_dry_run())
		return;
	functionpoints_find(&run->functions, targets, run->argv);
	run->missing = run->functions.missing;
}

/* Where the kernel takes no programs, the run goes on without. */
static void open_kernelside(struct run *run, const struct environment *environment)
{
	char *why = run->without_kernel;
	struct kernelside_job job = {
		.asked = run->asked,
		.run_id = run->id,
		.command = run->argv[0],
		.log_argv = environment_value(environment, "RECORDER_LOG_ARGV"),
		.functions = run->functions.point_count > 0 ? &run->functions : NULL,
		.functions_alone = !with_kernel,
	};

	snprintf(why, sizeof(run->without_kernel), "%s", NO_DIRECTORY);
	if (is_named(run))
		run->kernel = kernelside_open(&job, why, sizeof(run->without_kernel));
	if (!run->kernel)
		message_warn("without %s: %s",
			     with_kernel ? "system calls in the kernel" : "functions", why);
}

static void open_sampling(struct run *run)
{
	const char *instead = with_kernel && !run->kernel ? run->without_kernel : NULL;
	char why[PATH_MAX + 64] = NO_DIRECTORY;

	if (is_named(run))
		run->sampling =
			sampling_open(run->asked, run->id, run->argv[0], instead, why, sizeof(why));
	if (!run->sampling)
		message_warn("without samples: %s", why);
}

static void close_all(void *context)
{
	struct run *run = context;

	if (run->sampling)
		sampling_close(run->sampling);
	if (run->kernel)
		kernelside_close(run->kernel, false);
}

/* After ---------------------------------------------------------------------------- */

static void say_untraced(struct run *run)
{
	char *text = untraced_text(&run->untraced);

	if (text)
		message_note("not recorded, because a preload does not reach them: %s", text);
	free(text);
}

/* Of the ranks of a job each has met the same names, mostly; one tells. `path` NULL: nothing was recorded. */
static void say_missing(struct run *run, const char *path)
{
	struct reader_options reader_options = {.sz = sizeof(reader_options)};
	const char *targets = environment_targets();
	struct reader *trace;

	if (!targets || environment_via_uprobe() || (run->is_rank && environment_rank() != 0))
		return;
	trace = path ? reader_open(path, &reader_options) : NULL;
	run->missing = targeted_missing(targets, trace);
	reader_close(trace);
}

/* Of other nodes than this one. */
static void say_unseen(const struct reader *trace)
{
	char *text = hosts_seen_text(trace);

	if (text)
		message_note("%s", text);
	free(text);
}

static void say_where(struct run *run, const char *path, const struct fold_result *folded)
{
	struct reader_options reader_options = {.sz = sizeof(reader_options)};
	struct reader_info info = {.sz = sizeof(info)};
	struct reader *trace;

	/* the other ranks may be at work still: their sums would be wrong, and one line is enough */
	if (run->is_rank) {
		if (environment_rank() == 0)
			message_note("the trace is in %s; 'recorder info %s' tells what it holds",
				     path, path);
		return;
	}
	trace = reader_open(path, &reader_options);
	if (!trace) {
		message_warn("cannot read %s: %s", path, reader_error(NULL));
		return;
	}
	reader_info(trace, &info);
	if (info.lost + info.unreadable > 0)
		message_warn("%" PRIu64 " records were lost", info.lost + info.unreadable);
	if (folded->elsewhere > 0)
		message_warn(
			"%u processes left records on other nodes: run 'recorder repair %s' on %s",
			folded->elsewhere, path, folded->elsewhere_host);
	message_note("%" PRIu64 " records of %u rank%s in %s; 'recorder summary %s' tells more",
		     info.records, info.ranks, info.ranks == 1 ? "" : "s", path, path);
	untraced_collect(&run->untraced, trace);
	say_unseen(trace);
	reader_close(trace);
}

/*
 * A launcher may end a moment before the last of the ranks that it kills. And what was killed may take a while to die; what merely runs
 * on, as daemons do, is not waited for.
 */
static bool is_worth_waiting(const struct run *run, const struct fold_result *folded)
{
	return folded->dying > 0 || (folded->running > 0 && program_is_launcher(run->argv[0]));
}

static int fold_all(const struct run *run, const char *path, struct fold_result *folded)
{
	static const struct timespec pause = {0, 50000000};
	int error = fold_trace(path, instant_of(CLOCK_REALTIME), false, folded);

	for (unsigned i = 0; i < STRAGGLER_PAUSES && !error && is_worth_waiting(run, folded); i++) {
		nanosleep(&pause, NULL);
		error = fold_trace(path, instant_of(CLOCK_REALTIME), false, folded);
	}
	return error;
}

/* By a process of its own: what may go wrong there is not the command's failure. */
static void pack_trace(const struct run *run, const char *path)
{
	char file[PATH_MAX + 8];
	int status = -1;
	pid_t child;

	if (run->is_rank) {
		if (environment_rank() == 0)
			message_warn("not packed, as other ranks may be at work: run 'recorder "
				     "pack %s' when all have ended",
				     path);
		return;
	}
	snprintf(file, sizeof(file), "%s.rtrace", path);
	fflush(NULL);
	child = fork();
	if (child == 0) {
		execl("/proc/self/exe", "recorder", "pack", message_quiet ? "-q" : "-v", "-o", file,
		      path, NULL);
		_exit(EXIT_FAILED);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		message_warn("%s is not packed", path);
}

/* Where --pfw or, as for DFTracer, the environment wants files to be. */
static void give_pfw(const struct run *run, const char *path)
{
	const char *prefix = pfw_prefix ? pfw_prefix : getenv("DFTRACER_LOG_FILE");

	if (prefix && *prefix)
		run_pfw(path, prefix, run->is_rank ? environment_rank() : RUN_PFW_ALL);
}

/* `status`: as waited for. A command that could not be run has been told of. */
static void finish(struct run *run, int status)
{
	bool ran = !WIFEXITED(status) || (WEXITSTATUS(status) != RUNCOMMAND_NOT_FOUND &&
					  WEXITSTATUS(status) != RUNCOMMAND_NOT_EXECUTABLE);

	struct fold_result folded;
	char path[PATH_MAX];
	int error;

	if (environment_dry_run())
		return;
	if (!run_find_directory(run->asked, run->id, path)) {
		if (ran && (!run->is_rank || environment_rank() == 0))
			message_note("nothing was recorded");
		if (ran)
			say_missing(run, NULL);
		return;
	}
	error = fold_all(run, path, &folded);
	if (!error)
		say_where(run, path, &folded);
	if (!error)
		say_missing(run, path);
	/* where each rank has its own `recorder run`, that of the last one sees nobody at work */
	if (!error && folded.running + folded.elsewhere == 0)
		error = gmsummary_write(path);
	if (error) {
		message_warn("cannot complete %s: %s", path, strerror(-error));
		return;
	}
	if (pack)
		pack_trace(run, path);
	give_pfw(run, path);
}

int cmd_run(int argc, char **argv)
{
	struct environment environment;
	struct run run = {0};
	const char *quiet;
	int at, status;

	message_failed = RUNCOMMAND_OWN_FAILURE;
	at = options_parse(&command, argc, argv);
	config_file_apply(&command, NULL);
	if (at == argc)
		options_usage_error(&command, "which command?");
	quiet = getenv("RECORDER_QUIET");
	message_quiet |= quiet && !strcmp(quiet, "1") && !options_said(&options.quiet);
	message_program = "recorder";
	dftracerconf_apply();
	run.argv = argv + at;
	prepare(&run, &environment);
	find_functions(&run);
	if ((with_kernel || run.functions.point_count > 0) && !environment_dry_run())
		open_kernelside(&run, &environment);
	if (sampling_asked() && !environment_dry_run())
		open_sampling(&run);
	status = runcommand(&(struct runcommand){run.argv, &environment, run.kernel, run.sampling},
			    close_all, &run);
	finish(&run, status);
	say_untraced(&run);
	untraced_release(&run.untraced);
	if (run.argv != argv + at)
		free(run.argv);
	free(run.asked);
	functionpoints_release(&run.functions);
	environment_release(&environment);
	fflush(NULL);
	return strict && run.missing > 0 ? RUNCOMMAND_OWN_FAILURE : runcommand_end_as(status);
}
