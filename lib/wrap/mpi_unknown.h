/* SPDX-License-Identifier: MIT */
/*
 * mpi_unknown.h - handles that no call made in our sight: they may come from a library that calls PMPI, and they may be none at all.
 *
 * MPI must not be asked about what is no handle: it would call the program's error handler, or crash, before the program's
 * own call could fail in its way. So such a handle gets a number when it is seen, and is described only when the call that it was
 * handed to has succeeded.
 */
#ifndef RECORDER_WRAP_MPI_UNKNOWN_H
#define RECORDER_WRAP_MPI_UNKNOWN_H

#include "record/call.h"
#include "wrap/mpi_predefined.h"

/* Before the call: describe this handle if it succeeds. */
void mpi_unknown_add(struct call *call, enum mpi_object object, uintptr_t handle);

void mpi_unknown_settle_slow(struct call *call, bool succeeded);

/* After it. An open record that has unknown handles bears a number of its own in its reserved word, which is 0 else. */
static inline void mpi_unknown_settle(struct call *call, bool succeeded)
{
	if (unlikely(call->record->reserved1 != 0))
		mpi_unknown_settle_slow(call, succeeded);
}

#endif
