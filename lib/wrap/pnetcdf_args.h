/* SPDX-License-Identifier: MIT */
/* pnetcdf_args.h - what the wrappers of layer pnetcdf are written with. */
#ifndef RECORDER_WRAP_PNETCDF_ARGS_H
#define RECORDER_WRAP_PNETCDF_ARGS_H

#include "wrap/mpi_args.h"

#include <pnetcdf.h>

#include "wrap/netcdf_books.h"
#include "wrap/netcdf_bytes.h"
#include "wrap/pnetcdf_lists.h"

_Static_assert(sizeof(MPI_Offset) == 8, "arrays of MPI_Offset are read as numbers of 64 bits");

#endif
