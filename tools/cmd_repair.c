/* SPDX-License-Identifier: MIT */
/* cmd_repair.c - recorder repair: completes what killed processes left */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "fold.h"
#include "message.h"
#include "options.h"
#include "gmsummary.h"
#include "instant.h"

static int64_t died;

/* "now", or Unix time in seconds. */
static int set_died(const char *value)
{
	if (strcmp(value, "now"))
		return duration_parse(value, &died);
	died = instant_of(CLOCK_REALTIME);
	return 0;
}

static const struct option_row own_rows[] = {
	{OPTION_CALL, 0, "died", "TIME",
	 "when the processes died, where nothing else tells: Unix seconds, or 'now'", NULL,
	 set_died},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder repair",
	.synopsis = "[options] DIR",
	.summary = "Completes a trace whose processes were killed: takes their newest records out "
		   "of the\n"
		   "memory of this machine, cuts off what was written by half, completes the "
		   "metadata.\n"
		   "Doing it again changes nothing. Run it on every node that lost processes.",
	.groups = groups,
	.examples = "  recorder repair trace\n"
		    "  pdsh -w node[01-16] recorder repair /scratch/trace\n",
};

int cmd_repair(int argc, char **argv)
{
	struct fold_result result;
	int error, at = options_parse(&command, argc, argv);

	if (argc - at != 1)
		options_usage_error(&command, "which trace?");
	error = fold_trace(argv[at], died, true, &result);
	if (error == -ENOTDIR)
		die("'%s' is no directory; traces are repaired before they are packed", argv[at]);
	if (error)
		die("cannot read '%s': %s", argv[at], strerror(-error));
	if (result.folded + result.clean + result.running + result.elsewhere + result.failed == 0)
		die("'%s' is not a trace", argv[at]);
	if (result.running + result.elsewhere == 0) {
		error = gmsummary_write(argv[at]);
		if (error)
			message_warn("cannot complete '%s/recorder.gm': %s", argv[at],
				     strerror(-error));
	}
	if (result.running > 0)
		message_warn("%u processes still run; their streams are left as they are",
			     result.running);
	if (result.elsewhere > 0)
		message_warn("%u streams are to be repaired on other machines, one of them %s",
			     result.elsewhere, result.elsewhere_host);
	if (!options.quiet)
		printf("%s: %u streams completed, %u needed nothing; %" PRIu64
		       " records rescued, %" PRIu64 " calls in flight\n",
		       argv[at], result.folded, result.clean, result.records, result.in_flight);
	return result.failed > 0 || fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
}
