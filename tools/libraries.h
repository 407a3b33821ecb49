/* SPDX-License-Identifier: MIT */
/*
 * libraries.h - which librecorder.so: one can be installed for each MPI, in LIBDIR/recorder/MPI/, and LIBDIR/librecorder.so
 * is the first of them.
 */
#ifndef RECORDER_TOOLS_LIBRARIES_H
#define RECORDER_TOOLS_LIBRARIES_H

#include <limits.h>

#include "options.h"

struct library {
	char path[PATH_MAX]; /* absolute */
	const char *mpi;     /* that it was built for: "openmpi", "mpich", "nompi" */
};

/* --mpi, for the tables of the commands. */
extern const struct option_row option_rows_mpi[];
/* What it says; NULL: it was not given. */
const char *library_asked(void);

/*
 * The library for an MPI, or, where there is none or `mpi` is NULL, the one that is there: in a build tree its own, else where
 * they were installed, or there relative to this program. Ends the process if there is none, or not the one that --mpi asks for.
 */
void library_find(const char *mpi, struct library *library);

/* "Open MPI" for "openmpi" ... */
const char *library_mpi_name(const char *mpi);

#endif
