/* SPDX-License-Identifier: MIT */
/* config.c - reads RECORDER_* from the environment. */
#include "record/config.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "format/scaled.h"
#include "record/aliases.h"
#include "record/bulk.h"
#include "record/note.h"
#include "record/text.h"

#define PREFIX "RECORDER_"
#define PREFIX_LENGTH (sizeof(PREFIX) - 1)

#define FLIGHT_SIZE (64u << 20)
#define FLIGHT_KEEP 3

struct config config;

enum value_type {
	VALUE_BOOL,
	VALUE_STRING,
	VALUE_SIZE,
	VALUE_BUFFER, /* a size; a bare number is MiB, as in Recorder of UIUC */
	VALUE_TIME,
	VALUE_ROTATE,    /* a size or a time: rotate_size, rotate_time */
	VALUE_COUNT,     /* up to CONFIG_KEEP_MAX */
	VALUE_DEPTH,     /* of stacks, up to CONFIG_DEPTH_MAX */
	VALUE_MODE,      /* full or flight */
	VALUE_TIMING,    /* stamps or summary */
	VALUE_RIGHTS,    /* 640 */
	VALUE_AGGREGATE, /* auto, none or node */
	VALUE_CLOCK,     /* off, auto, all, barrier or all,barrier */
};

struct setting {
	const char *name; /* without RECORDER_ */
	enum value_type type;
	size_t offset; /* in struct config */
};

#define SETTING(name, type, field)                                                                 \
	{                                                                                          \
		name, type, offsetof(struct config, field)                                         \
	}

static const struct setting settings[] = {
	SETTING("ENABLE", VALUE_BOOL, enable),
	SETTING("QUIET", VALUE_BOOL, quiet),
	SETTING("VERBOSE", VALUE_BOOL, verbose),
	SETTING("PAUSED", VALUE_BOOL, paused),
	SETTING("TRACES_DIR", VALUE_STRING, traces_dir),
	SETTING("RUN_ID", VALUE_STRING, run_id),
	SETTING("MAIN_PID", VALUE_STRING, main_pid),
	SETTING("IMAGE", VALUE_STRING, image),
	SETTING("TRACES_MODE", VALUE_RIGHTS, traces_mode),
	SETTING("LAYERS", VALUE_STRING, layers),
	SETTING("FUNCTIONS", VALUE_STRING, functions),
	SETTING("INCLUDE", VALUE_STRING, include),
	SETTING("EXCLUDE", VALUE_STRING, exclude),
	SETTING("RANKS", VALUE_STRING, ranks),
	SETTING("PROGRAMS", VALUE_STRING, programs),
	SETTING("MIN_DURATION", VALUE_TIME, min_duration),
	SETTING("MEM_INTERVAL", VALUE_TIME, mem_interval),
	SETTING("TIME_RESOLUTION", VALUE_TIME, time_resolution),
	SETTING("TIMING", VALUE_TIMING, summed_times),
	SETTING("BUFFER_SIZE", VALUE_BUFFER, buffer_size),
	SETTING("LIVE_DIR", VALUE_STRING, live_dir),
	SETTING("LIVE_MAX", VALUE_SIZE, live_max),
	SETTING("FLUSH", VALUE_TIME, flush),
	SETTING("MAX_SIZE", VALUE_SIZE, max_size),
	SETTING("MODE", VALUE_MODE, flight),
	SETTING("ROTATE", VALUE_ROTATE, rotate_size),
	SETTING("KEEP", VALUE_COUNT, keep),
	SETTING("MIN_FREE", VALUE_SIZE, min_free),
	SETTING("STACKS", VALUE_DEPTH, stacks),
	SETTING("LOG_POINTER", VALUE_BOOL, log_pointer),
	SETTING("FOLD", VALUE_BOOL, fold),
	SETTING("LOG_ARGV", VALUE_STRING, log_argv),
	SETTING("LOG_ENV", VALUE_STRING, log_env),
	SETTING("TAGS", VALUE_STRING, tags),
	SETTING("TARGETS", VALUE_STRING, targets),
	SETTING("ARGUMENTS", VALUE_STRING, arguments),
	SETTING("RESULTS", VALUE_STRING, results),
	SETTING("DRY_RUN", VALUE_BOOL, dry_run),
	SETTING("USAGE", VALUE_BOOL, usage),
	SETTING("CLOCK_SYNC", VALUE_CLOCK, clock_sync),
	SETTING("AGGREGATE", VALUE_AGGREGATE, aggregate),
};

#define SETTING_COUNT (sizeof(settings) / sizeof(settings[0]))

static bool same_word(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if ((*a | 0x20) != *b)
			return false;
	return !*a && !*b;
}

static bool parse_bool(const char *text, bool *value)
{
	static const char *const yes[] = {"1", "yes", "on", "true"};
	static const char *const no[] = {"0", "no", "off", "false", ""};

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		if (same_word(text, yes[i]))
			return *value = true;
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		if (same_word(text, no[i])) {
			*value = false;
			return true;
		}
	return false;
}

static bool parse_count(const char *text, uint64_t limit, uint64_t *value)
{
	uint64_t number;

	if (!text_read_u64(&text, &number) || *text || number > limit)
		return false;
	*value = number;
	return true;
}

/* Whether it is the second of two words. */
static bool parse_choice(const char *text, const char *first, const char *second, bool *value)
{
	if (!same_word(text, first) && !same_word(text, second))
		return false;
	*value = same_word(text, second);
	return true;
}

static bool parse_aggregate(const char *text, uint8_t *aggregate)
{
	static const char *const words[] = {[CONFIG_AGGREGATE_AUTO] = "auto",
					    [CONFIG_AGGREGATE_NONE] = "none",
					    [CONFIG_AGGREGATE_NODE] = "node"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (same_word(text, words[i])) {
			*aggregate = (uint8_t)i;
			return true;
		}
	return false;
}

/* "640" in octal; the owner can always read and write. */
static bool parse_rights(const char *text, unsigned *rights)
{
	unsigned value = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '7')
			return false;
		value = value * 8 + (unsigned)(*text - '0');
		if (value > 0666)
			return false;
	}
	*rights = value | 0600;
	return true;
}

static bool parse_clock(const char *text, uint8_t *clock)
{
	static const struct {
		const char *word;
		uint8_t clock;
	} words[] = {{"off", 0},
		     {"auto", CONFIG_CLOCK_AUTO},
		     {"all", CONFIG_CLOCK_ALL},
		     {"barrier", CONFIG_CLOCK_AUTO | CONFIG_CLOCK_BARRIER},
		     {"all,barrier", CONFIG_CLOCK_ALL | CONFIG_CLOCK_BARRIER}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (same_word(text, words[i].word)) {
			*clock = words[i].clock;
			return true;
		}
	return false;
}

/* A copy: programs overwrite their environment (setproctitle). */
static const char *keep(const char *value)
{
	static char store[16384] BULK;
	static size_t used;
	size_t size = strlen(value) + 1;
	char *copy = store + used;

	if (size > sizeof(store) - used)
		return value;
	used += size;
	return memcpy(copy, value, size);
}

static bool setting_parse(const struct setting *setting, const char *value, struct config *into)
{
	void *field = (char *)into + setting->offset;

	switch (setting->type) {
	case VALUE_BOOL:
		return parse_bool(value, field);
	case VALUE_STRING:
		*(const char **)field = *value ? keep(value) : NULL;
		return true;
	case VALUE_SIZE:
		return scaled_size(value, field);
	case VALUE_BUFFER:
		return scaled_megabytes(value, field);
	case VALUE_TIME:
		return scaled_time(value, field);
	case VALUE_ROTATE:
		return scaled_size(value, &into->rotate_size) ||
		       scaled_time(value, &into->rotate_time);
	case VALUE_COUNT:
		return parse_count(value, CONFIG_KEEP_MAX, field);
	case VALUE_DEPTH:
		return parse_count(value, CONFIG_DEPTH_MAX, field);
	case VALUE_RIGHTS:
		return parse_rights(value, field);
	case VALUE_MODE:
		return parse_choice(value, "full", "flight", field);
	case VALUE_TIMING:
		return parse_choice(value, "stamps", "summary", field);
	case VALUE_AGGREGATE:
		return parse_aggregate(value, field);
	case VALUE_CLOCK:
		return parse_clock(value, field);
	}
	return false;
}

/* The setting that "RECORDER_X=..." names; *value is set behind the '='. NULL: none, or not ours. */
static const struct setting *setting_of(const char *variable, const char **value)
{
	const char *name = variable + PREFIX_LENGTH;
	const char *equals = strchr(name, '=');

	if (!equals)
		return NULL;
	*value = equals + 1;
	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (strlen(settings[i].name) == (size_t)(equals - name) &&
		    !memcmp(settings[i].name, name, (size_t)(equals - name)))
			return &settings[i];
	return NULL;
}

static bool is_ours(const char *variable)
{
	return !strncmp(variable, PREFIX, PREFIX_LENGTH);
}

/* The latest that fits into RECORDER_MAX_SIZE, in parts that are dropped one by one. */
static void apply_flight(void)
{
	uint64_t size = config.max_size ? config.max_size : FLIGHT_SIZE;

	if (!config.rotate_size && !config.rotate_time)
		config.rotate_size = size / (FLIGHT_KEEP + 1);
	if (!config.keep)
		config.keep = FLIGHT_KEEP;
	config.max_size = 0;
}

/* Less than a thread needs would leave the process with nothing that is safe; 0 asks for that. */
static bool is_too_little(uint64_t live_max)
{
	return live_max > 0 && live_max < CONFIG_LIVE_MAX_MIN;
}

void config_init(void)
{
	config = (struct config){
		.enable = true,
		.fold = true,
		.traces_mode = 0600,
		.time_resolution = 10,
		.buffer_size = 4u << 20,
		.live_max = 256u << 20,
		.flush = 10000000000,
		.mem_interval = 100000000,
		.clock_sync = CONFIG_CLOCK_AUTO,
		.min_free = CONFIG_DEFAULT,
	};
	for (char **variable = environ; variable && *variable; variable++) {
		const struct setting *setting;
		const char *value;

		if (is_ours(*variable) && (setting = setting_of(*variable, &value)))
			setting_parse(setting, value, &config);
	}
	aliases_apply(&config);
	if (config.mem_interval < CONFIG_MEM_INTERVAL_MIN)
		config.mem_interval = CONFIG_MEM_INTERVAL_MIN;
	if (is_too_little(config.live_max))
		config.live_max = CONFIG_LIVE_MAX_MIN;
	if (config.time_resolution == 0)
		config.time_resolution = 1;
	if (config.flight)
		apply_flight();
	/* so that a chunk is a small part of a segment */
	if (config.rotate_size && config.buffer_size > config.rotate_size)
		config.buffer_size = config.rotate_size;
}

static void warn_of(const struct setting *setting, const char *name, const char *value)
{
	struct config asked = {0};

	if (setting->type != VALUE_STRING && !setting_parse(setting, value, &asked))
		note("cannot understand ", name, "=", value, "; the default is used", NULL);
	else if (is_too_little(asked.live_max))
		note(name, "=", value, " is less than one thread needs; 512k is used", NULL);
}

void config_warn(void)
{
	bool understood;

	for (char **variable = environ; variable && *variable; variable++) {
		const struct setting *setting;
		const char *value = NULL;
		char name[128];
		struct textbuf text = text_in(name, sizeof(name));

		if (!is_ours(*variable))
			continue;
		setting = setting_of(*variable, &value);
		if (!value)
			continue;
		text_add_bytes(&text, *variable, (size_t)(value - 1 - *variable));
		if (!setting && aliases_know(*variable + PREFIX_LENGTH, text.length - PREFIX_LENGTH,
					     value, &understood)) {
			if (!understood)
				note("cannot understand ", name, "=", value, "; it is ignored",
				     NULL);
		} else if (!setting)
			note("unknown variable ", name, " is ignored", NULL);
		else
			warn_of(setting, name, value);
	}
}

void config_each(void (*visit)(void *data, const char *name, const char *value), void *data)
{
	for (char **variable = environ; variable && *variable; variable++) {
		const char *equals;
		char name[128];
		struct textbuf text = text_in(name, sizeof(name));

		if (!is_ours(*variable) || !(equals = strchr(*variable, '=')))
			continue;
		text_add_bytes(&text, *variable, (size_t)(equals - *variable));
		visit(data, name, equals + 1);
	}
}
