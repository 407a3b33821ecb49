/* SPDX-License-Identifier: MIT */
/*
 * variables.h - changes of the process's environment that allocate nothing.
 *
 * setenv(3) calls malloc(), and the recorder may start inside of an allocator: those of jemalloc's kind read their settings by
 * traced calls, under their lock.
 */
#ifndef RECORDER_RECORD_VARIABLES_H
#define RECORDER_RECORD_VARIABLES_H

/* Puts "NAME=value" in the place of the variable that is there, or adds it. `entry` stays in use, as with putenv(3). */
void variable_put(char *entry);

#endif
