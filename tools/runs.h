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
/*
 * The id of the launcher's job that this process is a rank of: its name, or else that of the process which started all ranks of the
 * node. True: its ranks know it without RECORDER_RUN_ID.
 */
bool run_id_of_ranks(char *id, size_t size);
/* "recorder-PROGRAM-JOB" in the working directory, absolute. Free it. */
char *run_default_directory(char *const command[]);
/*
 * The directory of run `id`. `asked` is what the runtime was told, absolute, or NULL: its own
 * default. False: there is none.
 */
bool run_find_directory(const char *asked, const char *id, char path[PATH_MAX]);
/* Whether that is the trace directory of run `id`. */
bool run_directory_is(const char *dir, const char *id);

#endif
