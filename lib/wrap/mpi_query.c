/* SPDX-License-Identifier: MIT */
/* mpi_query.c - see mpi_query.h */
#include "wrap/mpi_query.h"

#include <errno.h>

#include "record/thread.h"

void mpi_query_begin(struct mpi_query *query)
{
	struct thread *thread = thread_tls.self;

	query->saved_errno = errno;
	query->was_idle = thread_is_idle(thread);
	if (thread != &thread_detached && query->was_idle)
		thread_set_busy(thread);
	runtime_enter();
	compiler_barrier();
}

void mpi_query_end(const struct mpi_query *query)
{
	struct thread *thread = thread_tls.self;

	compiler_barrier();
	runtime_leave();
	if (thread != &thread_detached && query->was_idle)
		thread_set_idle(thread);
	errno = query->saved_errno;
}
