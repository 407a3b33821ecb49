/* SPDX-License-Identifier: MIT */
/*
 * leftover.h - what the launcher of a rank (mpirun, orted, hydra_pmi_proxy ...) does for ranks that were killed.
 *
 * It records nothing, but it is there when they are not any more: at its own end it lets `recorder repair` complete their
 * streams from the live files that they left. Ranks are known by the number of the process that started them, which
 * is in their live files. Where nothing was left, the only cost is a look into the directories of live files.
 */
#ifndef RECORDER_RECORD_LEFTOVER_H
#define RECORDER_RECORD_LEFTOVER_H

#include <stdint.h>

/* When a launcher starts. */
void leftover_init(void);
/* When it learns, now, that a child has ended. */
void leftover_note_death(uint32_t pid);
/* When it ends. Takes a minute at most; the program's children, signals and status are left alone. */
void leftover_fold(void);

#endif
