/* SPDX-License-Identifier: MIT */
/*
 * tracedir.h - the trace directory: its name, and who may write into it.
 *
 * All processes of a run must end in the same directory, and two runs never in one, without talking to each other. The rule:
 * candidates are DIR, DIR.2, DIR.3 ...; the one whose recorder.gm bears this run's id is ours; if none does, the first without a
 * recorder.gm is claimed by creating one. Creation is atomic with its content (written under a private name, then
 * link(2)ed), so whoever loses the race finds the winner's id and judges by it.
 */
#ifndef RECORDER_RECORD_TRACEDIR_H
#define RECORDER_RECORD_TRACEDIR_H

#include <limits.h>
#include <stdbool.h>

/* Absolute path of the directory once found; "" before. */
extern char tracedir_path[PATH_MAX];

/* A path that was given relative is so from here on for children, too, wherever they are by then. */
void tracedir_export(void);

/* Finds or claims the directory. 0, or a negative errno. To be called once per process, before the first record. *claimed: whether
 * this process was the one to create the trace. */
int tracedir_open(bool *claimed);

#endif
