/* SPDX-License-Identifier: MIT */
/* netcdf_args.h - what the wrappers of layer netcdf are written with. */
#ifndef RECORDER_WRAP_NETCDF_ARGS_H
#define RECORDER_WRAP_NETCDF_ARGS_H

#ifdef HAVE_NETCDF_PAR
/* before netcdf_par.h, which includes mpi.h */
#include "wrap/mpi_args.h"
#endif

#include <netcdf.h>
#include <netcdf_filter.h>
#include <netcdf_mem.h>
#ifdef HAVE_NETCDF_PAR
#include <netcdf_par.h>
#endif

#include "wrap/netcdf_books.h"
#include "wrap/netcdf_bytes.h"

#endif
