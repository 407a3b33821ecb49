/* SPDX-License-Identifier: MIT */
/*
 * hdf5_data.h - how many bytes a transfer of HDF5 moves.
 *
 * That only the library knows: the points selected in a dataspace, the size of a type. It is asked before the real call, and only
 * about handles that are known to be of the right kind: so the questions cannot fail (a failure would be printed), and that they clear
 * the error stack is not seen, as the call that follows does the same. One of them makes a handle, H5Dget_space() for a dataset that
 * was opened and is transferred whole: handles that the program gets later have other numbers.
 */
#ifndef RECORDER_WRAP_HDF5_DATA_H
#define RECORDER_WRAP_HDF5_DATA_H

#include <stdint.h>

#include "record/scope.h"

/* A dataset was created with this dataspace: entered like hid_opened(). */
void hid_created(const struct real *real, int64_t id, int64_t at, const char *name, int64_t space);

/* Some dataset has another extent now. */
void hdf5_extents_changed(void);

/* A handle is gone. */
void hdf5_extent_forget(const struct real *real, int64_t id);

/* Bytes of an H5Dread() or H5Dwrite(); -1 not known. */
int64_t hdf5_transfer_bytes(const struct real *real, int64_t dataset, int64_t type,
			    int64_t memory_space, int64_t file_space);
int64_t hdf5_attribute_bytes(const struct real *real, int64_t attribute);

/* Dimensions of a dataspace or dataset; 0 not known. */
int64_t length_rank(const struct real *real, int64_t id);

#endif
