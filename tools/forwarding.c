/* SPDX-License-Identifier: MIT */
/* forwarding.c - see forwarding.h */
#include "forwarding.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "program.h"

/* The user gives variables to remote ranks with -x already, which does not mix with the other way. */
static bool has_x_option(char **argv)
{
	for (char **word = argv + 1; *word; word++)
		if (!strcmp(*word, "-x") || !strcmp(*word, "--x"))
			return true;
	return false;
}

static bool goes_to_ranks(const char *name)
{
	return !strncmp(name, "RECORDER_", 9) || !strcmp(name, "LD_PRELOAD");
}

/* Open MPI's own way to hand variables to other nodes: "NAME;NAME" of what is set here. */
static void add_forward_list(struct environment *environment)
{
	const char *before = getenv("OMPI_MCA_mca_base_env_list");
	char list[4096];
	size_t used;

	used = (size_t)snprintf(list, sizeof(list), "%s", before ? before : "");
	for (unsigned i = 0; i < environment->count && used < sizeof(list); i++)
		if (goes_to_ranks(environment->variables[i].name))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
						 used ? ";" : "", environment->variables[i].name);
	if (used < sizeof(list))
		environment_add(environment, "OMPI_MCA_mca_base_env_list", list);
}

/* argv with "-x NAME" for each variable behind the launcher's name. */
static char **add_x_options(char **argv, const struct environment *environment)
{
	static char option[] = "-x";
	size_t count = 0, at = 1;
	char **longer;

	while (argv[count])
		count++;
	longer = calloc(count + 2 * environment->count + 1, sizeof(*longer));
	if (!longer)
		die("out of memory");
	longer[0] = argv[0];
	for (unsigned i = 0; i < environment->count; i++) {
		if (!goes_to_ranks(environment->variables[i].name))
			continue;
		longer[at++] = option;
		longer[at++] = (char *)environment->variables[i].name;
	}
	memcpy(longer + at, argv + 1, count * sizeof(*argv));
	return longer;
}

static bool is_open_mpi_launcher(const char *name)
{
	static const char *const names[] = {"mpirun", "mpiexec", "orterun", "mpirun.openmpi",
					    "mpiexec.openmpi"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(program_base(name), names[i]))
			return true;
	return false;
}

char **forwarding_add(char **argv, struct environment *environment)
{
	if (!is_open_mpi_launcher(argv[0]))
		return argv;
	if (has_x_option(argv))
		return add_x_options(argv, environment);
	add_forward_list(environment);
	return argv;
}
