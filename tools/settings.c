/* SPDX-License-Identifier: MIT */
/* settings.c - see settings.h */
#include "settings.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "format/scaled.h"
#include "layers.h"
#include "message.h"

#define KEEP_MOST 64u /* these two as in the runtime */
#define FRAMES_MOST 128u
#define RIGHTS_MOST 0666u

/* ---- values ---- */

static void unknown_layer(const char *word)
{
	message_error("there is no layer '%s'", word);
}

static int check_layers(const char *list)
{
	return layers_check(list, unknown_layer);
}

static int check_time(const char *value)
{
	uint64_t ns;

	return scaled_time(value, &ns) ? 0 : -EINVAL;
}

static int check_size(const char *value)
{
	uint64_t bytes;

	return scaled_size(value, &bytes) ? 0 : -EINVAL;
}

static int check_rotate(const char *value)
{
	return check_size(value) && check_time(value) ? -EINVAL : 0;
}

/* Digits of a base. */
static int check_number(const char *value, int base, unsigned long most)
{
	const char *digits = base == 8 ? "01234567" : "0123456789";

	if (!*value || strspn(value, digits) != strlen(value) || strlen(value) > 9)
		return -EINVAL;
	return strtoul(value, NULL, base) <= most ? 0 : -EINVAL;
}

static int check_keep(const char *value)
{
	return check_number(value, 10, KEEP_MOST);
}

static int check_frames(const char *value)
{
	return check_number(value, 10, FRAMES_MOST);
}

static int check_rights(const char *value)
{
	return check_number(value, 8, RIGHTS_MOST);
}

static int check_words(const char *value, const char *const *words)
{
	for (; *words; words++)
		if (!strcasecmp(value, *words))
			return 0;
	return -EINVAL;
}

static int check_switch(const char *value)
{
	return check_words(value, (const char *const[]){"0", "1", "no", "yes", "off", "on", "false",
							"true", NULL});
}

static int check_argv(const char *value)
{
	return check_words(value, (const char *const[]){"0", "1", "raw", NULL});
}

static int check_timing(const char *value)
{
	return check_words(value, (const char *const[]){"stamps", "summary", NULL});
}

static int check_mode(const char *value)
{
	return check_words(value, (const char *const[]){"full", "flight", NULL});
}

static int check_aggregate(const char *value)
{
	return check_words(value, (const char *const[]){"auto", "node", "none", NULL});
}

static int check_clocks(const char *value)
{
	return check_words(value, (const char *const[]){"off", "auto", "all", "barrier",
							"all,barrier", NULL});
}

static const struct setting_form
	form_text = {.what = "a text"},
	form_commas = {.what = "a list", .separator = ','},
	form_paths = {.what = "a list of paths", .separator = ':'},
	form_layers = {.what = "a list of layers", .separator = ',', .check = check_layers},
	form_switch = {.what = "yes or no", .is_switch = true, .check = check_switch},
	form_time = {.what = "a time, as 10us, 1.5ms or 2 (seconds)", .check = check_time},
	form_size = {.what = "a size, as 64k, 4m or 1g", .check = check_size},
	form_rotate = {.what = "a size, as 64m, or a time, as 10s", .check = check_rotate},
	form_keep = {.what = "a number up to 64", .check = check_keep},
	form_frames = {.what = "a number up to 128", .check = check_frames},
	form_rights = {.what = "rights in octal, as 640", .check = check_rights},
	form_argv = {.what = "no, yes or raw", .has_switch = true, .check = check_argv},
	form_timing = {.what = "stamps or summary", .check = check_timing},
	form_mode = {.what = "full or flight", .check = check_mode},
	form_aggregate = {.what = "auto, node or none", .check = check_aggregate},
	form_clocks = {.what = "off, auto, all, barrier or all,barrier", .check = check_clocks};

/* ---- the table ---- */

/* RECORDER_ variable, option, value, help, form; doc/environment.md has the whole story of each. */
#define SETTINGS(SETTING)                                                                          \
	SETTING(ENABLE, "enable", "0|1", "0: record nothing", switch)                              \
	SETTING(PAUSED, "paused", "0|1", "1: begin without recording", switch)                     \
	SETTING(RUN_ID, "run-id", "ID", "processes with the same ID make one trace", text)         \
	SETTING(TRACES_MODE, "traces-mode", "MODE", "rights on the trace's files: 640 (600)",      \
		rights)                                                                            \
	SETTING(LAYERS, "layers", "LIST", "record these layers: mpi,posix; -mpi; all", layers)     \
	SETTING(FUNCTIONS, "functions", "GLOBS", "record these functions; -GLOB: all but those",   \
		commas)                                                                            \
	SETTING(RANKS, "ranks", "LIST", "record these ranks: 0,8-15,::64", commas)                 \
	SETTING(PROGRAMS, "programs", "GLOBS", "record these programs", commas)                    \
	SETTING(INCLUDE, "include", "PATHS", "record calls on these files: colon list, @FILE",     \
		paths)                                                                             \
	SETTING(EXCLUDE, "exclude", "PATHS", "do not record calls on these files", paths)          \
	SETTING(MIN_DURATION, "min-duration", "TIME", "drop shorter calls: 10us", time)            \
	SETTING(MEM_INTERVAL, "mem-interval", "TIME",                                              \
		"sums of layer mem are of this long (100ms)", time)                                \
	SETTING(TIME_RESOLUTION, "time-resolution", "TIME", "store times as exact as this (10ns)", \
		time)                                                                              \
	SETTING(TIMING, "timing", "MODE", "summary: histograms of times in place of stamps",       \
		timing)                                                                            \
	SETTING(BUFFER_SIZE, "buffer-size", "SIZE", "largest ring of a thread (4m)", size)         \
	SETTING(LIVE_DIR, "live-dir", "DIR", "where the rings lie (/dev/shm)", text)               \
	SETTING(LIVE_MAX, "live-max", "SIZE", "the most that a process's rings take (256m)", size) \
	SETTING(FLUSH, "flush", "TIME", "age at which a ring is written out (10s)", time)          \
	SETTING(MAX_SIZE, "max-size", "SIZE", "the most that a process stores", size)              \
	SETTING(MIN_FREE, "min-free", "SIZE", "what stays free on the trace's file system", size)  \
	SETTING(MODE, "mode", "MODE", "flight: keep the latest records alone", mode)               \
	SETTING(ROTATE, "rotate", "SIZE", "begin a new file after this size, or time: 64m, 10s",   \
		rotate)                                                                            \
	SETTING(KEEP, "keep", "N", "files of --rotate that stay (all)", keep)                      \
	SETTING(FOLD, "fold", "0|1", "0: each poll and character is a record of its own", switch)  \
	SETTING(AGGREGATE, "aggregate", "HOW", "one file a node: auto, node, none", aggregate)     \
	SETTING(CLOCK_SYNC, "clock-sync", "HOW", "measure clocks: auto, off, all, barrier",        \
		clocks)                                                                            \
	SETTING(STACKS, "stacks", "N", "store the call stack of each call, up to N frames",        \
		frames)                                                                            \
	SETTING(LOG_POINTER, "log-pointer", "0|1", "record addresses, not only NULL or not",       \
		switch)                                                                            \
	SETTING(LOG_ARGV, "log-argv", "0|1|raw", "record command lines; raw: secrets too", argv)   \
	SETTING(LOG_ENV, "log-env", "NAMES", "store these environment variables: OMP_*,LANG",      \
		commas)                                                                            \
	SETTING(TAGS, "tags", "TEXT", "store TEXT with the trace", text)

enum setting {
#define SETTING(variable, option, value, help, form) SETTING_##variable,
	SETTINGS(SETTING)
#undef SETTING
		SETTING_COUNT
};

static const char *const variables[SETTING_COUNT] = {
#define SETTING(variable, option, value, help, form) "RECORDER_" #variable,
	SETTINGS(SETTING)
#undef SETTING
};

static const struct setting_form *const forms[SETTING_COUNT] = {
#define SETTING(variable, option, value, help, form) &form_##form,
	SETTINGS(SETTING)
#undef SETTING
};

static const char *values[SETTING_COUNT];

/* By setting, as an option has only its value to look at. */
#define SETTING(variable, option, value, help, form)                                               \
	static int check_##variable(const char *text)                                              \
	{                                                                                          \
		return form_##form.check ? form_##form.check(text) : 0;                            \
	}
SETTINGS(SETTING)
#undef SETTING

const struct option_row option_rows_settings[] = {
#define SETTING(variable, option, value, help, form)                                               \
	{OPTION_TEXT, 0, option, value, help, &values[SETTING_##variable], check_##variable},
	SETTINGS(SETTING)
#undef SETTING
		OPTION_ROWS_END,
};

const struct setting_form *setting_form(const struct option_row *row)
{
	if (row < option_rows_settings || row >= option_rows_settings + SETTING_COUNT)
		return NULL;
	return forms[row - option_rows_settings];
}

void settings_each(void (*visit)(void *data, const char *name, const char *value), void *data)
{
	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (values[i])
			visit(data, variables[i], values[i]);
}
