/* SPDX-License-Identifier: MIT */
/*
 * rundir.h - the trace directory of a run for who records it from outside: that which the runtime has made for the run already, else one that is made here, by the same rules (lib/record/tracedir.c):
 * a directory of another run is never mixed into, DIR.2, DIR.3 ... are next.
 */
#ifndef RECORDER_TOOLS_RUNDIR_H
#define RECORDER_TOOLS_RUNDIR_H

#include <limits.h>

/* `asked`: absolute; `command`: what recorder.gm says was run. The descriptor of the directory, and its path; or a negative errno. */
int rundir_open(const char *asked, const char *run_id, const char *command, char path[PATH_MAX]);

#endif
