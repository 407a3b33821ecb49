#!/bin/sh
# SPDX-License-Identifier: MIT
# Clocks between ranks. Each is made a machine of its own with a wrong clock (RECORDER_TEST_CLOCK): seconds off, 50 ppm too fast or slow.
# What is measured when MPI begins and ends undoes that; and nobody waits for a rank that is not there.
# CLOCKS_RANKS, CLOCKS_SECONDS, CLOCKS_TIMES: a longer form.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpi
need_mpiexec
so=$TOP_BUILDDIR/test/.libs/librecorder_hooked.so
program=$TEST_BIN/mpi/clocks
python=${PYTHON:-python3}
RECORDER_TEST_CLOCK=0:0,5000000000:50000,-5000000000:-50000,1234567:20000,-3000000000:-30000
RECORDER_CLOCK_SYNC=all RECORDER_QUIET=1
export RECORDER_TEST_CLOCK RECORDER_CLOCK_SYNC RECORDER_QUIET
# MPICH never gives up the processor
[ "$MPI_KIND" = openmpi ] && most=5 || most=2

# traced NAME RANKS SECONDS [FINALIZE]: the program traced into NAME, the truth in NAME.truth
traced()
{
	name=$1 ranks=$2
	shift 2
	rm -rf "$name" "$name.truth"
	mkdir "$name.truth"
	RECORDER_TRACES_DIR=$PWD/$name
	export RECORDER_TRACES_DIR
	run_mpi "$ranks" -x LD_PRELOAD="$so" "$program" "$name.truth" "$@" >"$name.out" 2>&1 ||
		{ echo "the program ended with $?"; cat "$name.out"; return 1; }
}

judged()
{
	name=$1
	shift
	"$python" -B "$TOP_SRCDIR/test/mpi/check_clocks.py" "$@" "$name.truth" "$name"
}

# traced and judged. On a busy machine the range that is measured may be wider than a message takes: the bound says so, always, and then there
# is another try to see nothing received before it was sent.
right()
{
	for _ in $(seq 20); do
		traced "$@" && judged "$1" --bound || return 1
		judged "$1" && return 0
	done
	return 1
}

# points NAME: how many were measured by each rank but the first
points()
{
	recorder info --json "$1" | sed -n 's/.*"points": \([0-9]*\).*/\1/p' | sed 1d | sort -u | tr '\n' ' '
}

undone()
{
	for _ in $(seq "${CLOCKS_TIMES:-1}"); do
		right undone "${CLOCKS_RANKS:-$most}" "${CLOCKS_SECONDS:-1.1}" || return 1
		[ "$(points undone)" = "2 " ] || { echo "points: $(points undone)"; return 1; }
	done
	[ "$(find undone -name '.*' | wc -l)" = 0 ] || { ls -a undone; return 1; }
	recorder info undone | grep '^clocks .* apart' && recorder check --strict undone &&
		"$python" -B "$TOP_SRCDIR/test/format/readers_agree.py" undone
}

# without the measurement the same check fails
wrong()
{
	RECORDER_CLOCK_SYNC=off
	traced wrong 2 0.1 || return 1
	! judged wrong && [ "$(points wrong)" = "0 " ]
}

# ranks of one machine are not measured
together()
{
	RECORDER_CLOCK_SYNC=auto
	unset RECORDER_TEST_CLOCK
	traced together 2 0.1 && judged together && [ "$(points together)" = "0 " ]
}

# also after each of the barriers, of which there are 12; on a busy machine some tell nothing, and are not stored
barriers()
{
	RECORDER_CLOCK_SYNC=all,barrier
	right barriers 2 0.5 || return 1
	measured=$(points barriers)
	echo "points: $measured"
	[ "${measured% }" -gt 2 ] && [ "${measured% }" -le 14 ]
}

# one rank comes to MPI_Finalize later than the others wait for it: the first point is there, the bound grows by 50 ppm
late()
{
	traced late 2 0.2 1.3 && judged late --bound && [ "$(points late)" = "1 " ]
}

# a rank without the recorder: the others are measured, nobody waits
without()
{
	cat >some.sh <<END2
case \${OMPI_COMM_WORLD_RANK-\$PMI_RANK} in
1) ;;
*) export LD_PRELOAD=$so ;;
esac
exec "\$@"
END2
	RECORDER_TRACES_DIR=$PWD/without
	export RECORDER_TRACES_DIR
	mkdir without.truth
	run_mpi 3 sh ./some.sh "$program" without.truth 0.1 || return 1
	[ "$(recorder info --json without | grep -c '"points": 2')" = 1 ]
}

# a program that uses MPI without MPI_Init
sessions()
{
	RECORDER_TRACES_DIR=$PWD/sessions
	export RECORDER_TRACES_DIR
	run_mpi 2 -x LD_PRELOAD="$so" "$TEST_BIN/mpi/sessions" >sessions.out 2>&1 || { cat sessions.out; return 1; }
	[ "$(points sessions)" = "2 " ] || { recorder info --json sessions; return 1; }
}

# case NAME: in a shell of its own
clock_case()
{
	(
		"$1"
	) >"$1.log" 2>&1
	report $? "$1" "$1.log"
}

names="undone wrong together barriers late without"
"$TEST_BIN/mpi/four" >has.out 2>&1
[ $? = 77 ] || names="$names sessions"
echo "1..$(echo "$names" | wc -w)"
for name in $names; do
	clock_case "$name"
done
