/* SPDX-License-Identifier: MIT */
/*
 * analyse.h - runs libanalysis for a command: by options.filter and options.jobs, with progress.
 */
#ifndef RECORDER_TOOLS_ANALYSE_H
#define RECORDER_TOOLS_ANALYSE_H

#include <recorder/analysis.h>

/* Ends the process with a message if it cannot be done. To be given to analysis_free(). */
struct analysis *analyse(struct reader *trace);

#endif
