/* SPDX-License-Identifier: MIT */
/*
 * runs.h - which trace directory belongs to a run that this program started.
 *
 * The runtime picks the directory (lib/record/tracedir.c): it expands patterns, and goes on to DIR.2, DIR.3
 * ... when another run is there already. The run id in recorder.gm tells which one it was.
 */
#ifndef RECORDER_TOOLS_RUNS_H
#define RECORDER_TOOLS_RUNS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* A new id, that no other run has. */
void run_id_make(char *id, size_t size);
/* The id that the ranks of the launcher's job have without RECORDER_RUN_ID; "" not known. */
void run_id_of_launcher(char *id, size_t size);
/* "recorder-PROGRAM-JOB" in the working directory, absolute. Free it. */
char *run_default_directory(char *const command[]);
/*
 * The directory of run `id`. `asked` is what the runtime was told, absolute, or NULL: its own
 * default. False: there is none.
 */
bool run_find_directory(const char *asked, const char *id, char path[PATH_MAX]);

#endif
