/* SPDX-License-Identifier: MIT */
/* mpi_unknown.c - handles to be described after the call that they are in */
#include "wrap/mpi_unknown.h"

#include "record/bulk.h"
#include "wrap/mpi_comms.h"
#include "wrap/mpi_handles.h"

/* Of all threads; when there are more, the oldest stay unknown. */
#define UNKNOWN_MAX 256u

static struct unknown {
	uint32_t call; /* 0: none */
	enum mpi_object object;
	uintptr_t handle;
} unknown[UNKNOWN_MAX] BULK;

static uint32_t last_call, next;
static struct mpi_lock unknown_lock;

void mpi_unknown_add(struct call *call, enum mpi_object object, uintptr_t handle)
{
	mpi_lock(&unknown_lock);
	if (call->record->reserved1 == 0) {
		last_call += last_call == UINT32_MAX ? 2 : 1;
		call->record->reserved1 = last_call;
	}
	unknown[next++ % UNKNOWN_MAX] = (struct unknown){call->record->reserved1, object, handle};
	mpi_unlock(&unknown_lock);
}

/* Takes one handle of a call; false: it has no more. */
static bool take(uint32_t call, struct unknown *taken)
{
	bool found = false;

	mpi_lock(&unknown_lock);
	for (uint32_t at = 0; !found && at < UNKNOWN_MAX; at++) {
		if (unknown[at].call != call)
			continue;
		*taken = unknown[at];
		unknown[at].call = 0;
		found = true;
	}
	mpi_unlock(&unknown_lock);
	return found;
}

void mpi_unknown_settle_slow(struct call *call, bool succeeded)
{
	uint32_t number = call->record->reserved1;
	struct unknown taken;

	call->record->reserved1 = 0;
	while (take(number, &taken)) {
		if (succeeded && taken.object == MPI_OBJECT_COMM)
			mpi_comm_get((MPI_Comm)taken.handle);
		else if (succeeded)
			mpi_handle_number(taken.object, taken.handle);
	}
}
