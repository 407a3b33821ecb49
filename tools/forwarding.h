/* SPDX-License-Identifier: MIT */
/*
 * forwarding.h - variables of the recorder for ranks on other nodes, to which Open MPI's launcher hands only what it is told (launchers.h: as a command for a shell, also of others).
 */
#ifndef RECORDER_TOOLS_FORWARDING_H
#define RECORDER_TOOLS_FORWARDING_H

#include "environment.h"

/* The command that runs with these variables: `argv`, or a longer one for free(), whose words are those of `argv` and `environment`. Where it needs a variable for that, it is added. */
char **forwarding_add(char **argv, struct environment *environment);

#endif
