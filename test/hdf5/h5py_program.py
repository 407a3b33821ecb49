# SPDX-License-Identifier: MIT
"""Writes and reads a file with h5py: test/hdf5/hdf5.t. With an argument all ranks of an MPI job do it together."""
import sys

import h5py
import numpy

options = {}
rank = 0
if len(sys.argv) > 1:
    from mpi4py import MPI
    rank = MPI.COMM_WORLD.rank
    options = {"driver": "mpio", "comm": MPI.COMM_WORLD}

with h5py.File("data.h5", "w", **options) as file:
    data = file.create_dataset("grp/x", (16,), dtype="f8")
    data.attrs["units"] = numpy.int32(3)
    data[rank * 4:rank * 4 + 4] = numpy.arange(4.0)
with h5py.File("data.h5", "r", **options) as file:
    assert file["/grp/x"][rank * 4 + 1] == 1.0
    assert file["grp/x"].attrs["units"] == 3
