#!/bin/sh
# SPDX-License-Identifier: MIT
# Open MPI's mpirun starts programs that know nothing of MPI: the line of recorder env, recorder run around it and inside it.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need mpirun openmpi-bin
# shellcheck source=test/launchers/ranks.sh
. "$TOP_SRCDIR/test/launchers/ranks.sh"
export RECORDER_QUIET=1

eval "$(recorder env --launcher openmpi -o "a trace" --tags 'two, "words"') -np 3 \"\$rank\" 20" || fail "mpirun"
expect_ranks "a trace" 3 20 OMPI_COMM_WORLD_RANK
recorder info "a trace" >/dev/null
python3 "$TOP_SRCDIR/test/privacy/plain.py" "a trace" >plain
grep -aq 'two, "words"' plain || fail "the tag did not arrive"
recorder run -o around -- mpirun -np 2 "$rank" 20 || fail "recorder run mpirun"
expect_ranks around 2 20 OMPI_COMM_WORLD_RANK
mpirun -np 2 recorder run -o inside -- "$rank" 20 || fail "mpirun recorder run"
expect_ranks inside 2 20 OMPI_COMM_WORLD_RANK
exit 0
