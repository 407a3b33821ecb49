/* SPDX-License-Identifier: MIT */
/*
 * packing.h - all files of a trace put together in a packed one, by the processes of -j or the ranks of a launcher.
 */
#ifndef RECORDER_TOOLS_PACKING_H
#define RECORDER_TOOLS_PACKING_H

#include "pack_source.h"
#include "pack_store.h"

struct packing {
	const char *path;   /* of the packed trace, which appears whole or not at all */
	const char *beside; /* files of ranks have names that begin so */
	unsigned jobs;
	bool force; /* replaces what is there */
};

/* False: this process is a rank that has done its share. Ends the process with a message if the file cannot be written. */
bool packing_run(const struct packing *packing, const struct pack_source *source,
		 struct pack_sizes *sizes);

#endif
