/* SPDX-License-Identifier: MIT */
/* hdf5_args.h - what the wrappers of layer hdf5 are written with. */
#ifndef RECORDER_WRAP_HDF5_ARGS_H
#define RECORDER_WRAP_HDF5_ARGS_H

#include <H5pubconf.h>

#ifdef H5_HAVE_PARALLEL
/* before hdf5.h, which includes mpi.h */
#include "wrap/mpi_args.h"
#endif

#include <hdf5.h>

#include "wrap/hdf5_data.h"
#include "wrap/hdf5_handles.h"

/* Handles of other width are those of HDF5 1.8. */
_Static_assert(sizeof(hid_t) == 8, "HDF5 1.10 or later is needed");

#endif
