/* SPDX-License-Identifier: MIT */
/* aliases.c - see aliases.h */
#include "record/aliases.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "record/bulk.h"
#include "record/text.h"

#define PREFIX "RECORDER_"
#define PREFIX_LENGTH (sizeof(PREFIX) - 1)

enum alias_type {
	ALIAS_LAYER, /* 0: these layers are left out */
	ALIAS_INCLUDE,
	ALIAS_EXCLUDE,
	ALIAS_NOTHING,
};

static const struct alias {
	const char *name;
	enum alias_type type;
	const char *without; /* for RECORDER_LAYERS */
} aliases[] = {
	{"POSIX_TRACING", ALIAS_LAYER, ",-posix,-stdio"},
	{"MPI_TRACING", ALIAS_LAYER, ",-mpi"},
	{"MPIIO_TRACING", ALIAS_LAYER, ",-mpiio"},
	{"HDF5_TRACING", ALIAS_LAYER, ",-hdf5"},
	{"NETCDF_TRACING", ALIAS_LAYER, ",-netcdf"},
	{"PNETCDF_TRACING", ALIAS_LAYER, ",-pnetcdf"},
	{"INCLUSION_FILE", ALIAS_INCLUDE, NULL},
	{"EXCLUSION_FILE", ALIAS_EXCLUDE, NULL},
	{"WITH_NON_MPI", ALIAS_NOTHING, NULL},
	{"STORE_TID", ALIAS_NOTHING, NULL},
	{"STORE_CALL_DEPTH", ALIAS_NOTHING, NULL},
	{"LOG_TID", ALIAS_NOTHING, NULL},
	{"LOG_LEVEL", ALIAS_NOTHING, NULL},
	{"INTERPROCESS_COMPRESSION", ALIAS_NOTHING, NULL},
	{"INTERPROCESS_PATTERN_RECOGNITION", ALIAS_NOTHING, NULL},
	{"INTRAPROCESS_PATTERN_RECOGNITION", ALIAS_NOTHING, NULL},
	{"TIME_COMPRESSION", ALIAS_NOTHING, NULL},
	/* where Recorder's tools look for its library */
	{"INSTALL_PATH", ALIAS_NOTHING, NULL},
};

#define ALIAS_COUNT (sizeof(aliases) / sizeof(aliases[0]))

/* Of DFTracer, by their whole names. What else there is of them is for `recorder run`, or changes nothing. */
#define OTHERS "DFTRACER_"
#define OTHERS_LENGTH (sizeof(OTHERS) - 1)

static const struct {
	const char *name;
	const char *without; /* where it is 1, as above */
} switches[] = {
	{"DISABLE_IO", ",-posix,-stdio"},
	{"DISABLE_POSIX", ",-posix"},
	{"DISABLE_STDIO", ",-stdio"},
};

#define SWITCH_COUNT (sizeof(switches) / sizeof(switches[0]))

static const struct alias *find(const char *name, size_t length)
{
	for (size_t i = 0; i < ALIAS_COUNT; i++)
		if (strlen(aliases[i].name) == length && !memcmp(aliases[i].name, name, length))
			return &aliases[i];
	return NULL;
}

/* Recorder reads them by atoi(). */
static bool is_flag(const char *value)
{
	return (value[0] == '0' || value[0] == '1') && !value[1];
}

bool aliases_know(const char *name, size_t length, const char *value, bool *understood)
{
	const struct alias *alias = find(name, length);

	*understood = alias && (alias->type != ALIAS_LAYER || is_flag(value));
	return alias != NULL;
}

/* A list that is read from a file. The environment may be overwritten (setproctitle): it is copied. */
static const char *list_file(char *room, size_t size, const char *path)
{
	struct textbuf text = text_in(room, size);

	text_add(&text, "@");
	text_add(&text, path);
	return *path && !text.cut ? room : NULL;
}

static void apply(const struct alias *alias, const char *value, struct textbuf *layers,
		  struct config *into)
{
	static char include_file[PATH_MAX + 1] BULK, exclude_file[PATH_MAX + 1] BULK;

	switch (alias->type) {
	case ALIAS_LAYER:
		if (is_flag(value) && *value == '0')
			text_add(layers, alias->without);
		break;
	case ALIAS_INCLUDE:
		if (!into->include)
			into->include = list_file(include_file, sizeof(include_file), value);
		break;
	case ALIAS_EXCLUDE:
		if (!into->exclude)
			into->exclude = list_file(exclude_file, sizeof(exclude_file), value);
		break;
	case ALIAS_NOTHING:
		break;
	}
}

/* Whether `variable`, behind the prefix, is this one; then *value is what it is set to. */
static bool is_named(const char *variable, const char *name, const char **value)
{
	size_t length = strlen(name);

	*value = variable + length + 1;
	return !strncmp(variable, name, length) && variable[length] == '=';
}

/* "all" is everything, as is none; the environment may be overwritten. */
static void apply_directories(const char *value, struct config *into)
{
	static char directories[PATH_MAX] BULK;
	struct textbuf text = text_in(directories, sizeof(directories));

	text_add(&text, value);
	if (*value && *value != '@' && strcmp(value, "all") != 0 && !into->include && !text.cut)
		into->include = directories;
}

static void apply_other(const char *variable, bool may_switch_off, struct textbuf *layers,
			struct config *into)
{
	const char *value;

	for (size_t i = 0; i < SWITCH_COUNT; i++)
		if (is_named(variable, switches[i].name, &value) && !strcmp(value, "1"))
			text_add(layers, switches[i].without);
	if (is_named(variable, "DATA_DIR", &value))
		apply_directories(value, into);
	else if (is_named(variable, "ENABLE", &value) && may_switch_off && !strcmp(value, "0"))
		into->enable = false;
}

static bool is_set(const char *name)
{
	const char *value;

	for (char **variable = environ; variable && *variable; variable++)
		if (is_named(*variable, name, &value))
			return true;
	return false;
}

static void apply_others(struct textbuf *layers, struct config *into)
{
	bool may_switch_off = !is_set(PREFIX "ENABLE");

	for (char **variable = environ; variable && *variable; variable++)
		if (!strncmp(*variable, OTHERS, OTHERS_LENGTH))
			apply_other(*variable + OTHERS_LENGTH, may_switch_off, layers, into);
}

void aliases_apply(struct config *into)
{
	static char room[192]; /* more than all of them take */
	struct textbuf layers = text_in(room, sizeof(room));
	size_t length;

	text_add(&layers, "default");
	length = layers.length;
	for (char **variable = environ; variable && *variable; variable++) {
		const char *name = *variable + PREFIX_LENGTH, *equals;
		const struct alias *alias;

		if (strncmp(*variable, PREFIX, PREFIX_LENGTH) != 0 || !(equals = strchr(name, '=')))
			continue;
		alias = find(name, (size_t)(equals - name));
		if (alias)
			apply(alias, equals + 1, &layers, into);
	}
	apply_others(&layers, into);
	if (!into->layers && layers.length > length && !layers.cut)
		into->layers = room;
}

#ifdef UNIT_TEST
#include "unittest.h"

/* What some variables make of a configuration. */
static struct config applied(char **variables, struct config given)
{
	char **before = environ;

	environ = variables;
	aliases_apply(&given);
	environ = before;
	return given;
}

TEST_CASE(aliases_of_layers)
{
	char posix_off[] = "RECORDER_POSIX_TRACING=0", mpi_on[] = "RECORDER_MPI_TRACING=1",
	     hdf5_off[] = "RECORDER_HDF5_TRACING=0", odd[] = "RECORDER_MPIIO_TRACING=maybe";
	char *none[] = {mpi_on, odd, NULL}, *some[] = {posix_off, mpi_on, hdf5_off, NULL};

	EXPECT_TRUE(!applied(none, (struct config){0}).layers);
	EXPECT_TRUE(
		!strcmp(applied(some, (struct config){0}).layers, "default,-posix,-stdio,-hdf5"));
	EXPECT_TRUE(!strcmp(applied(some, (struct config){.layers = "mpi"}).layers, "mpi"));
}

TEST_CASE(aliases_of_files)
{
	char in[] = "RECORDER_INCLUSION_FILE=/a/b", out[] = "RECORDER_EXCLUSION_FILE=c",
	     empty[] = "RECORDER_INCLUSION_FILE=";
	char *both[] = {in, out, NULL}, *none[] = {empty, NULL};
	struct config made = applied(both, (struct config){0});

	EXPECT_TRUE(!strcmp(made.include, "@/a/b") && !strcmp(made.exclude, "@c"));
	EXPECT_TRUE(!applied(none, (struct config){0}).include);
	EXPECT_TRUE(!strcmp(applied(both, (struct config){.exclude = "x"}).exclude, "x"));
}

TEST_CASE(aliases_of_dftracer)
{
	char off[] = "DFTRACER_ENABLE=0", on[] = "RECORDER_ENABLE=1",
	     io[] = "DFTRACER_DISABLE_IO=1", stdio[] = "DFTRACER_DISABLE_STDIO=1",
	     posix[] = "DFTRACER_DISABLE_POSIX=0", dirs[] = "DFTRACER_DATA_DIR=/a:./b",
	     all[] = "DFTRACER_DATA_DIR=all", odd[] = "DFTRACER_ENABLED=0";
	char *switched_off[] = {off, NULL}, *ours[] = {off, on, NULL}, *both[] = {io, dirs, NULL},
	     *one[] = {stdio, posix, all, odd, NULL};
	struct config given = {.enable = true}, made;

	EXPECT_TRUE(!applied(switched_off, given).enable);
	EXPECT_TRUE(applied(ours, given).enable);
	made = applied(both, given);
	EXPECT_TRUE(made.enable && !strcmp(made.layers, "default,-posix,-stdio"));
	EXPECT_TRUE(!strcmp(made.include, "/a:./b"));
	made = applied(one, given);
	EXPECT_TRUE(made.enable && !made.include && !strcmp(made.layers, "default,-stdio"));
	given.include = "/c";
	EXPECT_TRUE(!strcmp(applied(both, given).include, "/c"));
}

TEST_CASE(aliases_known)
{
	bool understood;

	EXPECT_TRUE(aliases_know("STORE_TID", 9, "x", &understood) && understood);
	EXPECT_TRUE(aliases_know("MPI_TRACING", 11, "1", &understood) && understood);
	EXPECT_TRUE(aliases_know("MPI_TRACING", 11, "2", &understood) && !understood);
	EXPECT_TRUE(!aliases_know("MPI_TRACIN", 10, "1", &understood));
	EXPECT_TRUE(!aliases_know("STORE_TIDE", 10, "1", &understood));
}
#endif
