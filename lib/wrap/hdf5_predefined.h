/* SPDX-License-Identifier: MIT */
/*
 * hdf5_predefined.h - handles that HDF5 has from the beginning: types like H5T_NATIVE_INT, classes of property lists.
 */
#ifndef RECORDER_WRAP_HDF5_PREDEFINED_H
#define RECORDER_WRAP_HDF5_PREDEFINED_H

#include <stdbool.h>
#include <stdint.h>

#include "record/scope.h"

typedef void hdf5_predefined_set(const struct real *real, int64_t id, const char *name);

/*
 * Calls `set` for each that the library of `real` has, if that was not tried too often already; whether `wanted` is one of them.
 */
bool hdf5_predefined(const struct real *real, int64_t wanted, hdf5_predefined_set *set);

#endif
