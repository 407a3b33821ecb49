/* SPDX-License-Identifier: MIT */
/*
 * perprocess.h - events in one file a process, as DFTracer has them: PREFIX-APP-PID.pfw.gz.
 *
 * APP is the script of an interpreter, else the program. What a process was before it called exec has files of its own if it was another program. Where two hosts have
 * a process of that name and number, the second one's file has its host behind the number.
 */
#ifndef RECORDER_TOOLS_PERPROCESS_H
#define RECORDER_TOOLS_PERPROCESS_H

#include "to_events.h"

struct per_process {
	const char *prefix, *ending;     /* "logs/trace", "pfw.gz" */
	struct convert_options *convert; /* whose `jobs` is how many files are made at a time */
	unsigned number, count;          /* this one, from 0, of ranks that share the work */
};

/*
 * One for each process of which the filter lets something through. Returns how many, of all ranks; walk->records counts what is in them if one process makes them all. Ends with a
 * message if it fails; files that are complete stay.
 */
unsigned convert_per_process(struct walk *walk, const struct per_process *per);

#endif
