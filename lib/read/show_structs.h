/* SPDX-License-Identifier: MIT */
/*
 * show_structs.h - structures that were recorded word by word, as text: statuses of MPI and locks of files.
 */
#ifndef RECORDER_READ_SHOW_STRUCTS_H
#define RECORDER_READ_SHOW_STRUCTS_H

#include <stdint.h>

#include "read/show_names.h"
#include "read/text_out.h"

/* Statuses of four words each; one that is alone is no list. */
void show_statuses(struct text_out *out, const struct shown *shown);
/* A struct flock, of FLOCK_WORDS words. */
void show_flock(struct text_out *out, const struct shown *shown);
/* A cut array ends in "..." and the number of elements it had. */
void show_cut(struct text_out *out, uint32_t count, uint32_t original);

#endif
