/* SPDX-License-Identifier: MIT */
/*
 * scope.h - the real functions as the calling object sees them.
 *
 * HDF5, netCDF and PnetCDF are often loaded late and privately (by Python modules, RTLD_LOCAL), and a process can have two of them: with and
 * without MPI, or each Python package its own. So there is not one real function but one for each object that calls it. What was found is
 * kept per calling object and forgotten when objects are closed. Libraries are numbered: handles that two of them
 * give may be equal.
 */
#ifndef RECORDER_RECORD_SCOPE_H
#define RECORDER_RECORD_SCOPE_H

#include <stdint.h>

struct real {
	void *function;   /* NULL: no library of the process has it */
	uint32_t library; /* number of the library that it is in, 0 not known */
};

/* The real function for a call that returns to `site`. Keeps errno. */
struct real scope_real(unsigned symbol, uintptr_t site);

/* After a dlclose(): forgets what may be gone. */
void scopes_closed(void);
/* In a forked child: lets go of what other threads held. */
void scopes_forked(void);

#endif
