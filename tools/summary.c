/* SPDX-License-Identifier: MIT */
/* summary.c - from the words of a command to what it prints of an analysis, see summaries.h */
#include <unistd.h>

#include "analyse.h"
#include "options.h"
#include "summaries.h"
#include "walk.h"

#define TOP_DEFAULT 8u

struct summary_options summary_options;

void summary_open(struct summary *summary, const struct command *command, int count, char **names)
{
	if (count > 1)
		options_usage_error(command, "more than one trace");
	summary->info.sz = sizeof(summary->info);
	summary->analysis = analyse(count ? names[0] : NULL, &summary->trace, &summary->info);
	summary->whole = trace_is_whole(summary->trace);
	summary->top = summary_options.all   ? 0
		       : summary_options.top ? summary_options.top
					     : TOP_DEFAULT;
	summary->color = options_color(STDOUT_FILENO);
}

void summary_print(const struct summary *summary,
		   void (*put)(struct output *output, const struct summary *summary))
{
	struct output output;

	output_begin_stdout(&output);
	put(&output, summary);
	output_end(&output);
}

void summary_close(struct summary *summary)
{
	analysis_free(summary->analysis);
	reader_close(summary->trace);
}
