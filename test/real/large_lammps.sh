#!/bin/sh
# SPDX-License-Identifier: MIT
# lammps.sh at length: 32,000 atoms, 1,000 steps.
# timeout: 900
MELT_SIZE=20 MELT_STEPS=1000 exec "${TOP_SRCDIR:?}/test/real/lammps.sh"
