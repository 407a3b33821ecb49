/* SPDX-License-Identifier: MIT */
/*
 * launchers.h - how each launcher of parallel jobs, or of containers, is told which environment its ranks get.
 */
#ifndef RECORDER_TOOLS_LAUNCHERS_H
#define RECORDER_TOOLS_LAUNCHERS_H

#include "environment.h"

struct launcher;

/* NULL: there is none of that name. */
const struct launcher *launcher_find(const char *name);
/* "openmpi|mpich|...", for a help text. */
#define LAUNCHER_NAMES "openmpi|mpich|slurm|flux|pals|apptainer|docker"
/* Whether what it starts sees only those files of this machine that it is told. */
/* The MPI whose launcher it is, NULL: that of any. */
const char *launcher_mpi(const struct launcher *launcher);
bool launcher_is_container(const struct launcher *launcher);
/*
 * Prints the begin of a command for a shell, to which the user adds the launcher's other options and the program: one
 * line, everything quoted. `library`: its path. Ends the process if a value cannot be passed through this launcher.
 */
void launcher_print(const struct launcher *launcher, const struct environment *environment,
		    const char *library);

#endif
