/* SPDX-License-Identifier: MIT */
/* hdf5_data.c - see hdf5_data.h */
#include "wrap/wrapper.h"

#include <stdatomic.h>

#include "wrap/hdf5_args.h"
#include "wrap/mpi_query.h"
#include "wrap/mpi_table.h"
#include "wrap/object_table.h"

/* Points of whole datasets by handle, with the number of changes that they were asked after. */
static struct mpi_table extents;
static _Atomic uint32_t changes;
static struct mpi_table ranks; /* dimensions of datasets, which do not change */

#define POINTS_BITS 48u

/* The function of the library that `real` is in. */
static void *beside(const struct real *real, unsigned symbol)
{
	return scope_real(symbol, (uintptr_t)real->function).function;
}

#define BESIDE(real, name) ((__typeof__(name) *)beside(real, SYM_##name))

static void keep_points(const struct real *real, int64_t dataset, int64_t points)
{
	uint64_t age = atomic_load_explicit(&changes, memory_order_relaxed);

	if (points >= 0 && points < 1ll << POINTS_BITS)
		mpi_table_set(&extents, object_key(real, dataset),
			      age << POINTS_BITS | (uint64_t)points);
}

static int64_t kept_points(const struct real *real, int64_t dataset)
{
	uint64_t age = atomic_load_explicit(&changes, memory_order_relaxed);
	uint64_t value = mpi_table_find(&extents, object_key(real, dataset));

	if (value == MPI_TABLE_NONE || value >> POINTS_BITS != (uint16_t)age)
		return -1;
	return (int64_t)(value & ((1ull << POINTS_BITS) - 1));
}

void hdf5_extents_changed(void)
{
	atomic_fetch_add_explicit(&changes, 1, memory_order_relaxed);
}

void hid_created(const struct real *real, int64_t id, int64_t at, const char *name, int64_t space)
{
	__typeof__(H5Sget_simple_extent_npoints) *npoints =
		BESIDE(real, H5Sget_simple_extent_npoints);
	struct mpi_query query;

	hid_opened(real, id, HID_DATASET, at, name);
	if (!npoints || !hid_is(real, space, HID_DATASPACE))
		return;
	mpi_query_begin(&query);
	keep_points(real, id, npoints(space));
	mpi_query_end(&query);
}

void hdf5_extent_forget(const struct real *real, int64_t id)
{
	uintptr_t key = object_key(real, id);

	if (mpi_table_find(&extents, key) != MPI_TABLE_NONE)
		mpi_table_remove(&extents, key);
	if (mpi_table_find(&ranks, key) != MPI_TABLE_NONE)
		mpi_table_remove(&ranks, key);
}

/* Points of the whole dataset. */
static int64_t ask_extent(const struct real *real, int64_t dataset)
{
	__typeof__(H5Sget_simple_extent_npoints) *npoints =
		BESIDE(real, H5Sget_simple_extent_npoints);
	__typeof__(H5Dget_space) *get_space = BESIDE(real, H5Dget_space);
	__typeof__(H5Sclose) *close_space = BESIDE(real, H5Sclose);
	int64_t points = kept_points(real, dataset);
	hid_t space;

	if (points >= 0 || !npoints || !get_space || !close_space ||
	    !hid_is(real, dataset, HID_DATASET))
		return points;
	space = get_space(dataset);
	if (space < 0)
		return -1;
	points = npoints(space);
	close_space(space);
	keep_points(real, dataset, points);
	return points;
}

static int64_t ask_points(const struct real *real, int64_t dataset, int64_t memory_space,
			  int64_t file_space)
{
	__typeof__(H5Sget_select_npoints) *npoints = BESIDE(real, H5Sget_select_npoints);
	int64_t space = memory_space == H5S_ALL ? file_space : memory_space;

	if (space == H5S_ALL)
		return ask_extent(real, dataset);
	if (!npoints || !hid_is(real, space, HID_DATASPACE))
		return -1;
	return npoints(space);
}

int64_t hdf5_transfer_bytes(const struct real *real, int64_t dataset, int64_t type,
			    int64_t memory_space, int64_t file_space)
{
	__typeof__(H5Tget_size) *get_size = BESIDE(real, H5Tget_size);
	struct mpi_query query;
	int64_t points, bytes = -1;

	if (!get_size || !hid_is(real, type, HID_DATATYPE))
		return -1;
	mpi_query_begin(&query);
	points = ask_points(real, dataset, memory_space, file_space);
	if (points < 0 || __builtin_mul_overflow(points, get_size(type), &bytes))
		bytes = -1;
	mpi_query_end(&query);
	return bytes;
}

int64_t hdf5_attribute_bytes(const struct real *real, int64_t attribute)
{
	__typeof__(H5Aget_storage_size) *get_size = BESIDE(real, H5Aget_storage_size);
	struct mpi_query query;
	int64_t bytes;

	if (!get_size || !hid_is(real, attribute, HID_ATTRIBUTE))
		return -1;
	mpi_query_begin(&query);
	bytes = (int64_t)get_size(attribute);
	mpi_query_end(&query);
	return bytes;
}

static int64_t ask_rank(const struct real *real, int64_t id)
{
	__typeof__(H5Sget_simple_extent_ndims) *ndims = BESIDE(real, H5Sget_simple_extent_ndims);
	__typeof__(H5Dget_space) *get_space = BESIDE(real, H5Dget_space);
	__typeof__(H5Sclose) *close_space = BESIDE(real, H5Sclose);
	int64_t rank = 0;
	hid_t space;

	if (!ndims || !get_space || !close_space)
		return 0;
	if (hid_is(real, id, HID_DATASPACE))
		return ndims(id);
	if (!hid_is(real, id, HID_DATASET))
		return 0;
	space = get_space(id);
	if (space >= 0) {
		rank = ndims(space);
		close_space(space);
		mpi_table_set(&ranks, object_key(real, id), (uint64_t)rank);
	}
	return rank;
}

int64_t length_rank(const struct real *real, int64_t id)
{
	uint64_t kept = mpi_table_find(&ranks, object_key(real, id));
	struct mpi_query query;
	int64_t rank;

	if (kept != MPI_TABLE_NONE)
		return (int64_t)kept;
	mpi_query_begin(&query);
	rank = ask_rank(real, id);
	mpi_query_end(&query);
	return rank;
}
