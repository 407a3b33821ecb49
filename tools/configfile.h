/* SPDX-License-Identifier: MIT */
/*
 * configfile.h - a file of YAML that says what options of a command say: `recorder run -c FILE`.
 *
 * Keys are the long options, and for each setting of the runtime also its name in small letters (RECORDER_TARGETS: targets). What the command line says comes before the file, the file before
 * the environment.
 */
#ifndef RECORDER_TOOLS_CONFIGFILE_H
#define RECORDER_TOOLS_CONFIGFILE_H

#include "options.h"

/* Of -c, for the tables of the commands. */
extern const struct option_row option_rows_config[];

/* Those that recorder run has and recorder env has not. */
extern const struct option_row option_rows_run[];

/*
 * Behind options_parse(): takes what the file of -c says, if there is one, but for what the command line has said. `others`: rows of other commands that read the same file; what it says of them
 * is passed over. NULL: none. Ends the process with a line for each thing that is wrong.
 */
void config_file_apply(const struct command *command, const struct option_row *others);

#endif
