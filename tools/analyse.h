/* SPDX-License-Identifier: MIT */
/*
 * analyse.h - runs libanalysis for a command: by options.filter, with the threads of --jobs, or together with the other ranks of a launcher.
 */
#ifndef RECORDER_TOOLS_ANALYSE_H
#define RECORDER_TOOLS_ANALYSE_H

#include <recorder/analysis.h>

/*
 * Opens the trace `dir` (NULL: the newest) and analyses it. Says on stderr what is wrong with it; ends the process with a message if it cannot be done. Of ranks that
 * work together the first one gets what all have found; the others end here.
 */
struct analysis *analyse(const char *dir, struct reader **trace, struct reader_info *info);
/* The same by this process alone, whoever else there is. */
struct analysis *analyse_alone(const char *dir, struct reader **trace, struct reader_info *info);

#endif
