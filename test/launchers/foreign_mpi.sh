#!/bin/sh
# SPDX-License-Identifier: MIT
# A program of MPICH under a recorder built for Open MPI: one note, its MPI calls pass untouched, all else is recorded.
# timeout: 120
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need mpicc.mpich libmpich-dev
need mpiexec.hydra mpich
# shellcheck source=test/launchers/ranks.sh
. "$TOP_SRCDIR/test/launchers/ranks.sh"

mpicc.mpich -w -o app "$TOP_SRCDIR/test/launchers/foreign_app.c" || fail "cannot compile"
mpiexec.hydra -n 3 ./app || fail "the program without the recorder"
recorder run -o trace -- mpiexec.hydra -n 3 ./app >out 2>err || fail "status $?: $(cat out err)"
expect_eq "" "$(cat out)" "stdout"
expect_eq 1 "$(grep -c 'the recorder was built for' err)" "notes"
grep -q 'libmpich.so' err || fail "the note does not name the library: $(cat err)"
expect_ranks trace 3 20 PMI_RANK
expect_eq 0 "$(recorder2text -q --layers mpi,mpiio trace | wc -l)" "MPI calls"
python3 "$TOP_SRCDIR/test/privacy/plain.py" trace >plain
grep -aq 'mpi.other' plain || fail "the trace does not name the MPI"

# and no note for the MPI that it was built for
if command -v mpicc.openmpi >/dev/null; then
	mpicc.openmpi -w -o own "$TOP_SRCDIR/test/launchers/foreign_app.c" || fail "cannot compile"
	recorder run -o own.trace -- mpirun -np 2 ./own 2>err || fail "Open MPI: $(cat err)"
	grep 'built for' err && fail "a note for the right MPI"
	[ "$(recorder2text -q --layers mpi own.trace | wc -l)" -gt 1000 ] || fail "no MPI calls of the right MPI"
fi
exit 0
