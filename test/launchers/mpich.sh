#!/bin/sh
# SPDX-License-Identifier: MIT
# MPICH's launcher, hydra, starts programs that know nothing of MPI: rank and size come from PMI, its daemons stay untraced.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need mpiexec.hydra mpich
# shellcheck source=test/launchers/ranks.sh
. "$TOP_SRCDIR/test/launchers/ranks.sh"
export RECORDER_QUIET=1

# what the line calls by its usual name
mkdir bin
printf '#!/bin/sh\nexec mpiexec.hydra "$@"\n' >bin/mpiexec
chmod +x bin/mpiexec
PATH=$PWD/bin:$PATH

eval "$(recorder env --launcher mpich -o "a trace" --tags 'two, "words"') -n 3 \"\$rank\" 20" || fail "mpiexec"
expect_ranks "a trace" 3 20 PMI_RANK
python3 "$TOP_SRCDIR/test/privacy/plain.py" "a trace" >plain
grep -aq 'two, "words"' plain || fail "the tag did not arrive"
recorder run -o around -- mpiexec.hydra -n 2 "$rank" 20 || fail "recorder run mpiexec.hydra"
expect_ranks around 2 20 PMI_RANK
mpiexec.hydra -n 2 recorder run -o inside -- "$rank" 20 || fail "mpiexec.hydra recorder run"
expect_ranks inside 2 20 PMI_RANK
exit 0
