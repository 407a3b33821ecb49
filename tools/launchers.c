/* SPDX-License-Identifier: MIT */
/* launchers.c - see launchers.h */
#include "launchers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"

struct launcher {
	const char *name;
	const char *command; /* with the options that are always there */
	void (*print)(const struct launcher *launcher, const struct environment *environment,
		      const char *library);
	const char *option;  /* before each variable */
	const char *between; /* name and value */
	const char *bind;    /* containers: option before a path that is to be seen inside */
	const char *mpi;     /* whose it is, NULL: of any */
};

/* Words ----------------------------------------------------------------------------- */

/* What a shell takes as it is. */
static bool is_plain(const char *text)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "%+,-./:=@_";

	return *text && !text[strspn(text, plain)];
}

static void put_word(const char *before, const char *text)
{
	if (is_plain(text)) {
		printf("%s%s", before, text);
		return;
	}
	fputs(before, stdout);
	environment_print_quoted(text);
}

/* " OPTION NAME=VALUE" or " OPTION NAME VALUE" */
static void put_variable(const struct launcher *launcher, const char *name, const char *value)
{
	char *pair;

	if (*launcher->between != '=') {
		printf(" %s %s", launcher->option, name);
		put_word(launcher->between, value);
		return;
	}
	if (asprintf(&pair, "%s=%s", name, value) < 0)
		die("out of memory");
	printf(" %s", launcher->option);
	put_word(launcher->option[strlen(launcher->option) - 1] == '=' ? "" : " ", pair);
	free(pair);
}

static const char *value_of(const struct environment *environment, const char *name)
{
	for (unsigned i = 0; i < environment->count; i++)
		if (!strcmp(environment->variables[i].name, name))
			return environment->variables[i].value;
	return "";
}

static bool is_preload(const char *name)
{
	return !strcmp(name, "LD_PRELOAD");
}

static void refuse(const struct launcher *launcher, const char *what, const char *value,
		   const char *signs)
{
	if (strpbrk(value, signs))
		die("%s of %s cannot hold any of '%s': %s", what, launcher->name, signs, value);
}

/* Launchers ------------------------------------------------------------------------- */

static void print_options(const struct launcher *launcher, const struct environment *environment,
			  const char *library)
{
	(void)library;
	fputs(launcher->command, stdout);
	for (unsigned i = 0; i < environment->count; i++)
		put_variable(launcher, environment->variables[i].name,
			     environment->variables[i].value);
}

/* Open MPI's list of variables ends each at a semicolon. */
static void print_openmpi(const struct launcher *launcher, const struct environment *environment,
			  const char *library)
{
	for (unsigned i = 0; i < environment->count; i++)
		refuse(launcher, "-x", environment->variables[i].value, ";");
	print_options(launcher, environment, library);
}

/* Hydra tells the ranks no name of the job: without one, those of each node would make a trace of their own. */
static void print_mpich(const struct launcher *launcher, const struct environment *environment,
			const char *library)
{
	print_options(launcher, environment, library);
	if (!*value_of(environment, "RECORDER_RUN_ID"))
		printf(" %s RECORDER_RUN_ID \"$(hostname)-$$-$(date +%%s%%N)\"", launcher->option);
}

/* --export is a list with commas; what has no need to be kept from srun itself goes by its environment. */
static void print_slurm(const struct launcher *launcher, const struct environment *environment,
			const char *library)
{
	(void)library;
	for (unsigned i = 0; i < environment->count; i++)
		if (!is_preload(environment->variables[i].name)) {
			printf("%s=", environment->variables[i].name);
			put_word("", environment->variables[i].value);
			putchar(' ');
		}
	refuse(launcher, "--export", value_of(environment, "LD_PRELOAD"), ",");
	printf("%s", launcher->command);
	put_word("", value_of(environment, "LD_PRELOAD"));
}

/* In --env=NAME=VALUE flux puts in what $X stands for; $$ is a dollar. */
static void print_flux(const struct launcher *launcher, const struct environment *environment,
		       const char *library)
{
	(void)library;
	fputs(launcher->command, stdout);
	for (unsigned i = 0; i < environment->count; i++) {
		const char *value = environment->variables[i].value;
		char *escaped = malloc(2 * strlen(value) + 1), *p = escaped;

		if (!escaped)
			die("out of memory");
		for (; *value; value++) {
			if (*value == '$')
				*p++ = '$';
			*p++ = *value;
		}
		*p = '\0';
		put_variable(launcher, environment->variables[i].name, escaped);
		free(escaped);
	}
}

/* Containers ------------------------------------------------------------------------ */

/* The part of a path that is there already, before any %j. */
static void existing_part(const char *path, char part[PATH_MAX])
{
	struct stat status;

	snprintf(part, PATH_MAX, "%s", path);
	if (strchr(part, '%'))
		*strchr(part, '%') = '\0';
	else if (!stat(part, &status) && S_ISDIR(status.st_mode))
		return;
	do {
		char *slash = strrchr(part, '/');

		if (!slash)
			break;
		slash[slash == part] = '\0'; /* "/" stays */
	} while (stat(part, &status) && strcmp(part, "/") != 0);
}

static void put_bind(const struct launcher *launcher, const char *path, const char *how)
{
	char *bind;

	refuse(launcher, launcher->bind, path, ":,");
	if (asprintf(&bind, "%s:%s%s", path, path, how) < 0)
		die("out of memory");
	printf(" %s", launcher->bind);
	put_word(" ", bind);
	free(bind);
}

/* Of a container the preload is ours alone: one library, or with that of layer mem two. */
static void put_libraries(const struct launcher *launcher, const struct environment *environment)
{
	char *list = strdup(value_of(environment, "LD_PRELOAD")), *rest = NULL;

	if (!list)
		die("out of memory");
	for (char *part = strtok_r(list, ":", &rest); part; part = strtok_r(NULL, ":", &rest))
		put_bind(launcher, part, ":ro");
	free(list);
}

static void put_binds(const struct launcher *launcher, const struct environment *environment)
{
	const char *live = value_of(environment, "RECORDER_LIVE_DIR");
	char traces[PATH_MAX];

	existing_part(value_of(environment, "RECORDER_TRACES_DIR"), traces);
	put_libraries(launcher, environment);
	put_bind(launcher, traces, "");
	put_bind(launcher, *live ? live : "/dev/shm", "");
}

static void print_docker(const struct launcher *launcher, const struct environment *environment,
			 const char *library)
{
	print_options(launcher, environment, library);
	put_binds(launcher, environment);
}

/* --env takes lists with commas; what APPTAINERENV_ gives has no such rules, but the preload would be looked for too early. */
static void print_apptainer(const struct launcher *launcher, const struct environment *environment,
			    const char *library)
{
	(void)library;
	for (unsigned i = 0; i < environment->count; i++)
		if (!is_preload(environment->variables[i].name)) {
			printf("APPTAINERENV_%s=", environment->variables[i].name);
			put_word("", environment->variables[i].value);
			putchar(' ');
		}
	fputs(launcher->command, stdout);
	refuse(launcher, "--env", value_of(environment, "LD_PRELOAD"), ",");
	put_variable(launcher, "LD_PRELOAD", value_of(environment, "LD_PRELOAD"));
	put_binds(launcher, environment);
}

static const struct launcher launchers[] = {
	{"openmpi", "mpirun", print_openmpi, "-x", "=", NULL, "openmpi"},
	{"mpich", "mpiexec", print_mpich, "-genv", " ", NULL, "mpich"},
	{"slurm", "srun --export=ALL,LD_PRELOAD=", print_slurm, NULL, NULL, NULL, NULL},
	{"flux", "flux run", print_flux, "--env=", "=", NULL, NULL},
	{"pals", "mpiexec", print_options, "--env", "=", NULL, NULL},
	{"apptainer", "apptainer exec", print_apptainer, "--env", "=", "--bind", NULL},
	/* the process numbers in the trace are to be those of the machine */
	{"docker", "docker run --pid=host", print_docker, "-e", "=", "-v", NULL},
};

const struct launcher *launcher_find(const char *name)
{
	for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++)
		if (!strcmp(launchers[i].name, name))
			return &launchers[i];
	return NULL;
}

const char *launcher_mpi(const struct launcher *launcher)
{
	return launcher->mpi;
}

bool launcher_is_container(const struct launcher *launcher)
{
	return launcher->bind != NULL;
}

void launcher_print(const struct launcher *launcher, const struct environment *environment,
		    const char *library)
{
	launcher->print(launcher, environment, library);
	putchar('\n');
}
