/* SPDX-License-Identifier: MIT */
/* options.c - see options.h */
#include <recorder/analysis.h>

#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layers.h"
#include "message.h"

#define OPTIONS_MAX 64
#define FIRST_NUMBER 256 /* getopt's value for row 0: above every letter */

struct options options = {.color = "auto",
			  .file_classes = 1u << ANALYSIS_DATA,
			  .filter = {.sz = sizeof(struct reader_filter)}};

static int parse_time_window(const char *value);
static int parse_color(const char *value);
static int warn_of_layers(const char *list);

const struct option_row option_rows_filter[] = {
	{OPTION_TEXT, 0, "ranks", "LIST", "only these ranks: 0,4-7,::64", &options.filter.ranks,
	 NULL},
	{OPTION_TEXT, 0, "worlds", "LIST", "only these worlds (jobs, spawned jobs)",
	 &options.filter.worlds, NULL},
	{OPTION_TEXT, 0, "tids", "LIST", "only these thread ids", &options.filter.tids, NULL},
	{OPTION_TEXT, 0, "streams", "LIST", "only these streams, by number",
	 &options.filter.streams, NULL},
	{OPTION_TEXT, 0, "levels", "LIST", "only calls of these nesting depths",
	 &options.filter.levels, NULL},
	{OPTION_CALL, 0, "time", "A..B", "only calls within: 1.5s..2s, 10ms.., ..3", NULL,
	 parse_time_window},
	{OPTION_TEXT, 0, "layers", "LIST", "only these layers: mpi,posix; -mpi leaves one out",
	 &options.filter.layers, warn_of_layers},
	{OPTION_TEXT, 0, "functions", "GLOBS",
	 "only these functions: 'MPI_*,pwrite'; -GLOB leaves out", &options.filter.functions, NULL},
	{OPTION_TEXT, 0, "files", "GLOB", "only calls that work on these files",
	 &options.filter.files, NULL},
	{OPTION_DURATION, 0, "min-duration", "TIME", "only calls that lasted this long: 1ms",
	 &options.filter.min_duration, NULL},
	{OPTION_TEXT, 0, "callers", "GLOBS",
	 "only calls made in these functions, files or libraries: main,io.c:42", &options.callers,
	 NULL},
	{OPTION_TEXT, 0, "symbols", "PATH",
	 "folders (a:b) to look for moved programs and libraries", &options.symbols, NULL},
	OPTION_ROWS_END,
};

const struct option_row option_rows_general[] = {
	{OPTION_FLAG, 'q', "quiet", NULL, "no notes and warnings on stderr", &options.quiet, NULL},
	{OPTION_FLAG, 'v', "verbose", NULL, "say more", &options.verbose, NULL},
	{OPTION_CALL, 0, "color", "WHEN", "auto, always or never", NULL, parse_color},
	{OPTION_END, 'h', "help", NULL, "this text", NULL, NULL},
	{OPTION_END, 'V', "version", NULL, "version of the program", NULL, NULL},
	OPTION_ROWS_END,
};

const struct option_row option_rows_table[] = {
	{OPTION_FLAG, 0, "json", NULL, "the same as JSON", &options.json, NULL},
	{OPTION_FLAG, 0, "csv", NULL, "the same as comma-separated values", &options.csv, NULL},
	OPTION_ROWS_END,
};

/* --help and --version end a table's rows in type only: they have no target. */
static bool row_is_last(const struct option_row *row)
{
	return row->type == OPTION_END && !row->name;
}

int duration_parse(const char *text, int64_t *ns)
{
	static const struct {
		const char *name;
		double factor;
	} units[] = {{"", 1e9},   {"s", 1e9},  {"ms", 1e6},  {"us", 1e3},
		     {"ns", 1.0}, {"m", 60e9}, {"h", 3600e9}};
	double number;
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return -EINVAL;
	errno = 0;
	number = strtod(text, &end);
	if (end == text || errno == ERANGE)
		return -EINVAL;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name) != 0)
			continue;
		if (!(number * units[i].factor < 9e18))
			return -EINVAL;
		*ns = (int64_t)llround(number * units[i].factor);
		return 0;
	}
	return -EINVAL;
}

static int parse_time_window(const char *value)
{
	const char *dots = strstr(value, "..");
	char first[64];
	int error = 0;

	if (!dots || (size_t)(dots - value) >= sizeof(first))
		return -EINVAL;
	memcpy(first, value, (size_t)(dots - value));
	first[dots - value] = '\0';
	if (first[0])
		error = duration_parse(first, &options.filter.after);
	if (!error && dots[2])
		error = duration_parse(dots + 2, &options.filter.before);
	/* 0 means "no limit" to the reader; a window that ends at 0 or before it begins is a slip */
	if (!error && dots[2] && options.filter.before <= options.filter.after)
		error = -EINVAL;
	return error;
}

static void unknown_layer(const char *word)
{
	message_warn("there is no layer '%s'", word);
}

/* A trace of a later version may have others. */
static int warn_of_layers(const char *list)
{
	return layers_check(list, unknown_layer) == -ENOMEM ? -ENOMEM : 0;
}

int options_parse_class(const char *value)
{
	options.file_classes = analysis_file_class_set(value);
	return options.file_classes ? 0 : -EINVAL;
}

static int parse_color(const char *value)
{
	if (strcmp(value, "auto") && strcmp(value, "always") && strcmp(value, "never"))
		return -EINVAL;
	options.color = value;
	return 0;
}

unsigned options_jobs(void)
{
	cpu_set_t set;

	if (options.jobs)
		return options.jobs;
	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

bool options_color(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");

	if (!strcmp(options.color, "auto"))
		return isatty(fd) && !(no_color && *no_color) &&
		       !(terminal && !strcmp(terminal, "dumb"));
	return !strcmp(options.color, "always");
}

static void print_row(const struct option_row *row)
{
	char left[64];

	snprintf(left, sizeof(left), "%c%c%s --%s%s%s", row->letter ? '-' : ' ',
		 row->letter ? row->letter : ' ', row->letter ? "," : " ", row->name,
		 row->value && *row->value != '[' ? " " : "", row->value ? row->value : "");
	if (strlen(left) > 28)
		printf("  %s\n  %-28s  %s\n", left, "", row->help);
	else
		printf("  %-28s  %s\n", left, row->help);
}

static void print_help(const struct command *command)
{
	printf("usage: %s %s\n\n%s\n", command->name, command->synopsis, command->summary);
	for (const struct option_group *group = command->groups; group->rows; group++) {
		printf("\n%s:\n", group->title);
		for (const struct option_row *row = group->rows; !row_is_last(row); row++)
			print_row(row);
	}
	printf("\nexamples:\n%s", command->examples);
}

void options_usage_error(const struct command *command, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	message_error("%s (try '%s --help')", text, command->name);
	exit(message_failed == EXIT_FAILED ? EXIT_USAGE : message_failed);
}

static int parse_count(const char *value, unsigned *count)
{
	char *end;
	unsigned long number = strtoul(value, &end, 10);

	if (!isdigit((unsigned char)*value) || *end || number < 1 || number > UINT_MAX)
		return -EINVAL;
	*count = (unsigned)number;
	return 0;
}

static _Noreturn void answer(const struct command *command, const struct option_row *row)
{
	if (row->letter == 'V')
		printf("%s (Recorder) %s\n", command->name, RECORDER_VERSION);
	else
		print_help(command);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write to stdout: %s", strerror(errno));
	exit(EXIT_DONE);
}

/* Those that were given, in turn. */
static const struct option_row *given[OPTIONS_MAX];
static unsigned given_count;

bool options_given(const struct option_row *row)
{
	for (unsigned i = 0; i < given_count; i++)
		if (given[i] == row)
			return true;
	return false;
}

bool options_said(const void *target)
{
	for (unsigned i = 0; i < given_count; i++)
		if (given[i]->target == target)
			return true;
	return false;
}

int options_take(const struct option_row *row, const char *value)
{
	int error = 0;

	if (!options_given(row) && given_count < OPTIONS_MAX)
		given[given_count++] = row;
	switch (row->type) {
	case OPTION_END:
		break;
	case OPTION_FLAG:
		*(bool *)row->target = !value || *value;
		break;
	case OPTION_TEXT:
		*(const char **)row->target = value;
		error = *value ? 0 : -EINVAL;
		if (!error && row->call)
			error = row->call(value);
		break;
	case OPTION_COUNT:
		error = parse_count(value, row->target);
		break;
	case OPTION_DURATION:
		error = duration_parse(value, row->target);
		break;
	case OPTION_CALL:
		error = row->call(value);
		break;
	}
	return error;
}

/* getopt's tables from ours. */
struct parser {
	const struct option_row *rows[OPTIONS_MAX];
	struct option longs[OPTIONS_MAX + 1];
	char shorts[2 * OPTIONS_MAX + 3];
};

static void parser_init(struct parser *parser, const struct command *command)
{
	unsigned count = 0;
	char *p = parser->shorts;

	memset(parser->longs, 0, sizeof(parser->longs));
	*p++ = command->stops_at_operand ? '+' : ':';
	if (command->stops_at_operand)
		*p++ = ':';
	for (const struct option_group *group = command->groups; group->rows; group++) {
		for (const struct option_row *row = group->rows;
		     !row_is_last(row) && count < OPTIONS_MAX; row++, count++) {
			parser->rows[count] = row;
			parser->longs[count].name = row->name;
			parser->longs[count].has_arg = !row->value          ? no_argument
						       : *row->value == '[' ? optional_argument
									    : required_argument;
			parser->longs[count].val = FIRST_NUMBER + (int)count;
			if (!row->letter)
				continue;
			*p++ = row->letter;
			if (row->value)
				*p++ = ':';
		}
	}
	*p = '\0';
}

static const struct option_row *parser_row(const struct parser *parser, int found)
{
	if (found >= FIRST_NUMBER)
		return parser->rows[found - FIRST_NUMBER];
	for (unsigned i = 0; parser->longs[i].name; i++)
		if (parser->rows[i]->letter == found)
			return parser->rows[i];
	return NULL;
}

int options_parse(const struct command *command, int argc, char **argv)
{
	const struct option_row *row;
	struct parser parser;
	int found;

	message_program = command->name;
	parser_init(&parser, command);
	opterr = 0;
	while ((found = getopt_long(argc, argv, parser.shorts, parser.longs, NULL)) != -1) {
		if (found == ':')
			options_usage_error(command, "option '%s' needs a value", argv[optind - 1]);
		if (found == '?' && optopt && optopt < FIRST_NUMBER)
			options_usage_error(command, "unknown option '-%c'", optopt);
		if (found == '?')
			options_usage_error(command, "cannot understand option '%s'",
					    argv[optind - 1]);
		row = parser_row(&parser, found);
		if (row->type == OPTION_END)
			answer(command, row);
		if (options_take(row, optarg))
			options_usage_error(command, "--%s: cannot understand '%s'", row->name,
					    optarg);
	}
	if (options.json && options.csv)
		options_usage_error(command, "either --json or --csv");
	message_quiet = options.quiet;
	return optind;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(durations_have_units)
{
	int64_t ns = 0;

	EXPECT_EQ(duration_parse("1.5s", &ns), 0);
	EXPECT_EQ(ns, 1500000000);
	EXPECT_EQ(duration_parse("20us", &ns), 0);
	EXPECT_EQ(ns, 20000);
	EXPECT_EQ(duration_parse("2", &ns), 0);
	EXPECT_EQ(ns, 2000000000);
	EXPECT_EQ(duration_parse("-1s", &ns), -EINVAL);
	EXPECT_EQ(duration_parse("1 parsec", &ns), -EINVAL);
	EXPECT_EQ(duration_parse("1e30s", &ns), -EINVAL);
	EXPECT_EQ(duration_parse("", &ns), -EINVAL);
}

TEST_CASE(time_windows_may_be_open)
{
	EXPECT_EQ(parse_time_window("10ms..2s"), 0);
	EXPECT_EQ(options.filter.after, 10000000);
	EXPECT_EQ(options.filter.before, 2000000000);
	EXPECT_EQ(parse_time_window("2s..1s"), -EINVAL);
	EXPECT_EQ(parse_time_window("5"), -EINVAL);
	options.filter.after = options.filter.before = 0;
	EXPECT_EQ(parse_time_window("..1s"), 0);
	EXPECT_EQ(options.filter.after, 0);
	EXPECT_EQ(options.filter.before, 1000000000);
	options.filter.before = 0;
}
#endif
