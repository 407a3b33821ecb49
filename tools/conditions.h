/* SPDX-License-Identifier: MIT */
/* conditions.h - the options that filter, in words. */
#ifndef RECORDER_TOOLS_CONDITIONS_H
#define RECORDER_TOOLS_CONDITIONS_H

/* options.filter as it is on a command line that a shell takes, "--ranks 0 --layers 'mpi,posix'"; "" none. To be freed. */
char *conditions_text(void);

#endif
