/* SPDX-License-Identifier: MIT */
/* cmd_findings.c - recorder findings: what to look at first */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyse.h"
#include "analysis/quantities.h"
#include "commands.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "walk.h"

static bool show_rules, as_exit_code;
static unsigned top;

static const struct option_row own_rows[] = {
	{OPTION_FLAG, 0, "rules", NULL, "what is looked for, with thresholds; reads no trace",
	 &show_rules, NULL},
	{OPTION_FLAG, 0, "exit-code", NULL, "exit 1 if there are findings", &as_exit_code, NULL},
	{OPTION_COUNT, 'n', "top", "N", "only the first N", &top, NULL},
	OPTION_ROW_THREADS,
	OPTION_ROW_STRICT,
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"output", option_rows_table},
					     {"filter", option_rows_filter},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder findings",
	.synopsis = "[options] [DIR]",
	.summary =
		"Says what is worth looking at in a run: sentences with evidence and what to do, "
		"those "
		"with most\n"
		"time at stake first. DIR defaults to the newest trace in the working directory.",
	.groups = groups,
	.examples = "  recorder findings trace\n"
		    "  recorder findings --rules\n"
		    "  recorder findings --json --exit-code trace >findings.json || echo look\n",
};

/* ---- rules ---- */

static void put_rules_text(struct output *output)
{
	for (unsigned i = 0; i < analysis_rule_count(); i++) {
		const struct analysis_rule *rule = analysis_rule(i);

		output_text(output, rule->name);
		output_text(output, "\n    when    ");
		output_text(output, rule->when);
		output_text(output, "\n    advice  ");
		output_text(output, rule->advice);
		output_char(output, '\n');
	}
}

static void put_rule_json(struct json *json, const struct analysis_rule *rule)
{
	json_put_string(json, "rule", rule->name);
	json_put_string(json, "when", rule->when);
	json_put_string(json, "advice", rule->advice);
	json_put_string(json, "panel", rule->panel);
}

static void put_rules_json(struct output *output)
{
	struct json json = {.output = output};

	json_begin(&json, NULL, '[');
	for (unsigned i = 0; i < analysis_rule_count(); i++) {
		json_begin(&json, NULL, '{');
		put_rule_json(&json, analysis_rule(i));
		json_end(&json, '}');
	}
	json_end(&json, ']');
}

/* ---- findings ---- */

static unsigned shown(const struct analysis *analysis)
{
	unsigned count = analysis_finding_count(analysis);

	return top && top < count ? top : count;
}

/* "271 ms, 17.2 %", which says how much of what all ranks took. */
static void put_stake(struct output *output, const struct analysis_finding *finding)
{
	char text[QUANTITY_ROOM];

	output_text(output, quantity_time(text, finding->at_stake));
	if (finding->at_stake == 0 || finding->wall == 0)
		return;
	output_text(output, ", ");
	output_text(output, quantity_share(text, (double)finding->at_stake, (double)finding->wall));
}

static void put_text(struct output *output, const struct analysis *analysis)
{
	bool color = options_color(STDOUT_FILENO);
	char line[128];

	if (analysis_finding_count(analysis) == 0)
		output_text(output, "nothing found\n");
	for (unsigned i = 0; i < shown(analysis); i++) {
		const struct analysis_finding *finding = analysis_finding(analysis, i);

		snprintf(line, sizeof(line), "%2u. %s%s%s (", i + 1, color ? "\033[1m" : "",
			 finding->rule->name, color ? "\033[0m" : "");
		output_text(output, line);
		put_stake(output, finding);
		output_text(output, ")\n    ");
		output_printable(output, finding->text);
		output_text(output, "\n    ");
		output_text(output, finding->rule->advice);
		output_char(output, '\n');
	}
}

static void put_csv(struct output *output, const struct analysis *analysis)
{
	output_text(output, "rule,at_stake,wall,text,advice\n");
	for (unsigned i = 0; i < shown(analysis); i++) {
		const struct analysis_finding *finding = analysis_finding(analysis, i);

		output_csv(output, finding->rule->name);
		output_char(output, ',');
		output_decimal(output, finding->at_stake, 9);
		output_char(output, ',');
		output_decimal(output, finding->wall, 9);
		output_char(output, ',');
		output_csv(output, finding->text);
		output_char(output, ',');
		output_csv(output, finding->rule->advice);
		output_char(output, '\n');
	}
}

static void put_json(struct output *output, const struct analysis *analysis)
{
	struct json json = {.output = output};

	json_begin(&json, NULL, '[');
	for (unsigned i = 0; i < shown(analysis); i++) {
		const struct analysis_finding *finding = analysis_finding(analysis, i);

		json_begin(&json, NULL, '{');
		json_put_string(&json, "text", finding->text);
		json_put_seconds(&json, "at_stake", finding->at_stake);
		json_put_seconds(&json, "wall", finding->wall);
		put_rule_json(&json, finding->rule);
		json_end(&json, '}');
	}
	json_end(&json, ']');
}

static void put_findings(struct output *output, const struct analysis *analysis)
{
	if (options.json)
		put_json(output, analysis);
	else if (options.csv)
		put_csv(output, analysis);
	else
		put_text(output, analysis);
}

/* `analysis` NULL: the rules. */
static void put_out(const struct analysis *analysis)
{
	struct output output;

	output_begin_stdout(&output);
	if (analysis)
		put_findings(&output, analysis);
	else if (options.json)
		put_rules_json(&output);
	else
		put_rules_text(&output);
	output_end(&output);
}

int cmd_findings(int argc, char **argv)
{
	struct reader_info info = {.sz = sizeof(info)};
	int first = options_parse(&command, argc, argv);
	struct analysis *analysis;
	struct reader *trace;
	bool whole, found;

	if (first + 1 < argc)
		options_usage_error(&command, "more than one trace");
	if (show_rules) {
		put_out(NULL);
		return EXIT_DONE;
	}
	analysis = analyse(first < argc ? argv[first] : NULL, &trace, &info);
	whole = trace_is_whole(trace);
	put_out(analysis);
	found = analysis_finding_count(analysis) > 0;
	analysis_free(analysis);
	reader_close(trace);
	return (found && as_exit_code) || (!whole && options.strict) ? EXIT_FAILED : EXIT_DONE;
}
