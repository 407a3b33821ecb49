#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the trace of a program that uses HDF5, netCDF or PnetCDF against what others say of it; reads it with the second reader.

    check.py counts TRACE DIR PATTERN    the counts of the witness in DIR (witness.py) of functions that it knows by PATTERN
    check.py nested TRACE LAYER...       each layer has calls that were made inside one of the layer before
    check.py within TRACE GROUP=PATH...  the datasets of the group are in the file that has this path now, 200 of them
"""
import collections
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import decode  # noqa: E402


# What the recorder itself asks (hdf5_data.c, netcdf_books.c of lib/wrap): the witness behind it sees that, too.
ASKED = {"H5Aget_storage_size", "H5Dget_space", "H5Sclose", "H5Sget_select_npoints",
         "H5Sget_simple_extent_ndims", "H5Sget_simple_extent_npoints", "H5Tget_size",
         "nc_inq_dimlen", "nc_inq_dim", "nc_inq_vardimid", "nc_inq_varname", "nc_inq_varndims",
         "nc_inq_vartype", "nc_inq_var"}


def fail(what):
    sys.exit(f"check.py: {what}")


def check_counts(where, folder, pattern):
    counted = collections.Counter()
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="ascii") as file:
            for line in file:
                function, count = line.split()
                counted[function] += int(count)
    found = collections.Counter()
    for stream in decode.read_whole(where).streams:
        for (_, function), count in stream.functions.items():
            if re.fullmatch(pattern, function):
                found[function] += count
    if not counted:
        fail("the witness saw nothing")
    wrong = [name for name in sorted(found | counted)
             if found[name] != counted[name] and (name not in ASKED or found[name] > counted[name])]
    if wrong:
        fail("\n".join(f"{name}: {found[name]} records, {counted[name]} calls" for name in wrong))


class Nesting:
    """Records come in the order in which the calls ended: those inside of a call before it."""

    def __init__(self):
        self.inside = collections.defaultdict(lambda: collections.defaultdict(set))
        self.pairs = set()

    def __call__(self, stream, thread, records):
        levels = self.inside[stream, thread]
        for record in records:
            for layer in levels.pop(record.level + 1, ()):
                self.pairs.add((record.function.layer, layer))
            levels[record.level].add(record.function.layer)


def check_nested(where, *layers):
    nesting = Nesting()
    decode.read_whole(where, nesting)
    for pair in zip(layers, layers[1:]):
        if pair not in nesting.pairs:
            fail(f"no call of {pair[1]} in one of {pair[0]}: {sorted(nesting.pairs)}")


def check_within(where, *pairs):
    stream, = decode.read_whole(where).streams
    for group, path in (pair.split("=") for pair in pairs):
        inodes = [stream.defs["FILE"][thing["file"]]["inode"] for thing in stream.defs["OBJECT"].values()
                  if thing["kind"] == b"dataset" and thing["name"].startswith(f"/{group}/".encode())]
        if inodes != [os.stat(path).st_ino] * 200:
            fail(f"datasets of {group} are in {inodes}, {path} is {os.stat(path).st_ino}")


COMMANDS = {"counts": check_counts, "nested": check_nested, "within": check_within}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
