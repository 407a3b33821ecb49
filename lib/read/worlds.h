/* SPDX-License-Identifier: MIT */
/* worlds.h - jobs of launchers and their ranks: the order in which streams are, whether all of them are there, and those that are left out. */
#ifndef RECORDER_READ_WORLDS_H
#define RECORDER_READ_WORLDS_H

#include "read/trace.h"

/* Puts streams, which are whole, in the order of worlds and ranks, and numbers them. 0 or -ENOMEM. */
int worlds_order(struct reader *trace);
/* The number of the world of that name, -1 if no stream is of it. */
int32_t worlds_find(const struct reader *trace, const char *name);

#endif
