#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 120
# What MPI_Wtime returns is a time: it is kept as RECORDER_TIME_RESOLUTION says, exactly with 1ns, and not at all with summed times.
. "${TOP_SRCDIR:?}/test/lib.sh"
need_mpicc
need_openmpi
need python3

cat >wtime.c <<'END'
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	double times[300];

	MPI_Init(&argc, &argv);
	for (int i = 0; i < 300; i++)
		times[i] = MPI_Wtime();
	for (int i = 0; i < 300; i++)
		printf("%.17g\n", times[i]);
	MPI_Finalize();
	return 0;
}
END
"$MPICC" -O1 -o wtime wtime.c || fail "cannot compile"

# RESOLUTION TIMING
record()
{
	rm -rf trace
	RECORDER_TIME_RESOLUTION=$1 RECORDER_TIMING=$2 recorder run -q --layers mpi -o trace -- "$MPIEXEC" -n 1 ./wtime >said ||
		fail "ended with $?"
	recorder2text trace | grep -o 'MPI_Wtime() = .*' | cut -d ' ' -f 3 >kept
	expect_eq 300 "$(wc -l <kept)" "calls"
}

for resolution in 1 10 1000; do
	record "${resolution}ns" stamps
	"${PYTHON:-python3}" - $resolution <<'END' || fail "$resolution ns: other times"
import sys
most = float(sys.argv[1]) * 1e-9 if sys.argv[1] != "1" else 0
said = [float(line) for line in open("said")]
kept = [float(line) for line in open("kept")]
assert len(set(said)) > 50
for a, b in zip(said, kept):
    assert 0 <= a - b <= most, f"{a} is kept as {b}"
END
done
record 10ns summary
expect_eq "nan" "$(sort -u kept)" "what is kept with summed times"
