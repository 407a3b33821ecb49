/* SPDX-License-Identifier: MIT */
/* datatypes.h - arrays of MPI's datatypes, as they are shown by the programs of all layers that pass them. */
#ifndef RECORDER_TEST_SMOKE_DATATYPES_H
#define RECORDER_TEST_SMOKE_DATATYPES_H

#include <mpi.h>

#include "smoke.h"

static inline void smoke_datatypes(unsigned at, const char *name, const MPI_Datatype types[],
				   long long count)
{
	char text[SMOKE_TEXT] = "[";
	size_t size = 1;

	for (long long i = 0; i < count; i++)
		size += (size_t)snprintf(text + size, sizeof(text) - size, "%s%s", i ? ", " : "",
					 smoke_handle_text("datatype", (uintptr_t)types[i], NULL,
							   SMOKE_USE));
	smoke_arg(at, name, "%s]", text);
}

#endif
