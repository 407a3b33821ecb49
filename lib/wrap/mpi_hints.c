/* SPDX-License-Identifier: MIT */
/* mpi_hints.c - what an MPI_Info says */
#include "wrap/mpi_args.h"

#include "record/text.h"

/* Of all of them together, as much as a string of a record has room for. */
#define HINTS_MAX 4096

/* Only an info that was made in our sight, and not freed, is surely one. */
static bool may_be_asked(MPI_Info info)
{
	uint64_t value = mpi_table_find(&mpi_handle_tables[MPI_OBJECT_INFO], (uintptr_t)info);

	return value != MPI_TABLE_NONE && (uint32_t)value != 0;
}

static bool add_hint(const struct mpi_library *mpi, MPI_Info info, int number, struct textbuf *text)
{
	char key[MPI_MAX_INFO_KEY + 1] = "", value[MPI_MAX_INFO_VAL + 1] = "";
	int there = 0;

	if (mpi->Info_get_nthkey(info, number, key) != MPI_SUCCESS ||
	    mpi->Info_get(info, key, MPI_MAX_INFO_VAL, value, &there) != MPI_SUCCESS)
		return false;
	text_add(text, key);
	text_add(text, "=");
	text_add(text, value);
	return true;
}

void arg_hints(struct call *call, unsigned index, MPI_Info info)
{
	const struct mpi_library *mpi = mpi_running();
	struct mpi_query query;
	int count = 0;
	char *bytes;
	size_t used = 0;

	arg_int(call, index, BLOCK_ABSENT);
	if (!mpi || !may_be_asked(info))
		return;
	bytes = mpi_scratch_take(HINTS_MAX);
	if (!bytes)
		return;
	mpi_query_begin(&query);
	mpi->Info_get_nkeys(info, &count);
	for (int at = 0; at < count && used < HINTS_MAX; at++) {
		struct textbuf text = text_in(bytes + used, HINTS_MAX - used);

		if (add_hint(mpi, info, at, &text))
			used += strlen(bytes + used) + 1;
	}
	mpi_query_end(&query);
	arg_bytes(call, index, bytes, used);
	mpi_scratch_give(bytes);
}
