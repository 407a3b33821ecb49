/* SPDX-License-Identifier: MIT */
/*
 * pfw_marks.h - lines of .pfw for what is no call: instants, counters, spans across threads, what is true of the process, and sums of calls.
 */
#ifndef RECORDER_TOOLS_PFW_MARKS_H
#define RECORDER_TOOLS_PFW_MARKS_H

#include "pfw_lines.h"

/* 0 or -ENOMEM */
int pfw_put_mark(struct out_events *events, const struct pfw_call *call, enum mark mark);

#endif
