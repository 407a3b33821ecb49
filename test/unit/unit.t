#!/bin/sh
# SPDX-License-Identifier: MIT
# All unit tests of all files, as TAP. ONLY_MPI=1: of those that depend on the MPI.
[ -z "${ONLY_MPI:-}" ] && program=unittest || program=mpitest
# shellcheck disable=SC2086 # a command with its options, or none
exec ${EMULATOR:-} "${TOP_BUILDDIR:?}/test/unit/$program"
