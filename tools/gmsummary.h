/* SPDX-License-Identifier: MIT */
/*
 * gmsummary.h - what recorder.gm says of a whole run, doc/format.md section 8: ranks, worlds, machines and their clocks. Who sees the
 * last process of a run end writes it. Readers find all of it in the streams, too.
 */
#ifndef RECORDER_TOOLS_GMSUMMARY_H
#define RECORDER_TOOLS_GMSUMMARY_H

#include <recorder/reader.h>

/* Appends the summary to the recorder.gm of the trace at `dir`, unless it is there already. 0 or a negative errno. */
int gmsummary_write(const char *dir);

/*
 * Calls `differs` for each number of the summary that the streams do not bear out; not at all if there is no summary. 0 or -ENOMEM.
 */
int gmsummary_compare(const struct reader *trace,
		      void (*differs)(const char *key, uint64_t said, uint64_t found));

#endif
