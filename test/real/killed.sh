#!/bin/sh
# SPDX-License-Identifier: MIT
# One rank of a job is killed with SIGKILL, the launcher ends the others: what the trace holds is
# known to the call, and every tool reads it, repaired or not.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3
PYTHON=${PYTHON:-python3}
victim=$TEST_BIN/real/victim
need_mpi
# what Open MPI leaves when it is killed goes with the test
OMPI_MCA_btl_vader_backing_directory=$PWD
RECORDER_LIVE_DIR=$PWD/live
export OMPI_MCA_btl_vader_backing_directory RECORDER_LIVE_DIR
mkdir live work

# kill_one CMD...: runs CMD, kills rank 2 when all ranks are where they wait for ever
kill_one()
{
	(cd work && exec "$@" >../out 2>../err) &
	job=$!
	tries=0
	until recorder where -q --csv $job >where 2>/dev/null &&
		[ "$(grep -c -E '"MPI_(Recv|Barrier)"' where)" = 4 ]; do
		tries=$((tries + 1))
		if [ $tries -gt 600 ]; then
			kill $job
			fail "the ranks never got where they wait: $(cat where out err)"
		fi
		sleep 0.1
	done
	kill -KILL "$(awk -F, '$2 == 2 { print $3 }' where)"
	wait $job
	expect_eq "$mpi_killed" $? "status of the launcher"
	# the launcher does not wait for ranks that it has killed
	for pid in $(awk -F, '$3 + 0 > 0 { print $3 }' where); do
		tries=0
		while kill -0 "$pid" 2>/dev/null; do
			tries=$((tries + 1))
			[ $tries -lt 300 ] || fail "process $pid does not end"
			sleep 0.1
		done
	done
}

# info TRACE EXPRESSION [WORD]: of Python over "info"; the word is sys.argv[2]
info()
{
	info_trace=$1
	shift
	recorder info -q --json "$info_trace" | "$PYTHON" -c '
import json, sys
info = json.load(sys.stdin)
print(eval(sys.argv[1]))' "$@"
}

cat >in_flight <<'END'
0 0 mpi MPI_Barrier(comm=MPI_COMM_WORLD) = ? in_flight
1 0 mpi MPI_Recv(count=1, datatype=MPI_INT, source=2, tag=7, comm=MPI_COMM_WORLD, status=?) = ? in_flight
2 0 mpi MPI_Recv(count=1, datatype=MPI_INT, source=3, tag=7, comm=MPI_COMM_WORLD, status=?) = ? in_flight
3 0 mpi MPI_Recv(count=1, datatype=MPI_INT, source=0, tag=7, comm=MPI_COMM_WORLD, status=?) = ? in_flight
END

# described TRACE STATE REASON WORD: all that must be true of it
described()
{
	recorder check "$1" >check.out 2>check.err || fail "$1: check: $(cat check.out)"
	expect_eq "4 0 0 4 []" \
		"$(info "$1" '"{ranks} {lost} {unreadable} {in_flight} {problems}".format(**info)')" \
		"$1: ranks, lost, unreadable, in flight, problems"
	info "$1" '"\n".join("{rank} {state} {in_flight} {reason}".format(**s) for s in info["streams"])' |
		sort >states
	for rank in 0 1 2 3; do
		echo "$rank $2 1 $3"
	done | diff - states || fail "$1: states of the streams"

	# one line of recorder check for each, with what is there of it
	info "$1" '"\n".join("rank {rank} pid {pid} ".format(**s) + sys.argv[2] +
		": {records} records, 0 lost, 0 unreadable, 1 in flight; {reason}".format(**s)
		for s in info["streams"])' "$4" >want
	sed -n 's/^[^ ]*: \(rank .*\)/\1/p' check.out | diff want - || fail "$1: recorder check"

	recorder2text -q "$1" >text || fail "$1: recorder2text"
	grep 'in_flight$' text | cut -d' ' -f1,5- | sort |
		diff in_flight - || fail "$1: calls in flight"
	expect_eq "$(info "$1" 'info["records"] + info["in_flight"]')" "$(wc -l <text)" "$1: lines"
	for rank in 0 1 2 3; do
		expect_eq $((1000 + rank)) \
			"$(grep -c "^$rank .* pwrite(.*/data\.$rank\", count=4, offset=[0-9]*) = 4\$" text)" \
			"$1: writes of rank $rank"
		expect_eq 1 "$(grep -c "^$rank .* 0 mpi MPI_Sendrecv(" text)" "$1: MPI_Sendrecv of $rank"
	done

	recorder2pfw -q --force --format chrome -o t.json "$1" || fail "$1: chrome"
	expect_eq "$(info "$1" 'info["records"]')" "$("$PYTHON" -c '
import json
print(sum(e["ph"] == "X" for e in json.load(open("t.json"))["traceEvents"]))')" "$1: X events"
	recorder2pfw -q --force -o t.pfw "$1" || fail "$1: pfw"
	"$PYTHON" -B "$TOP_SRCDIR/test/format/readers_agree.py" "$1" >readers || fail "$1: $(cat readers)"
	recorder where -q --csv "$1" | awk -F, 'NR > 1 { print $2, $5 }' | sort | tr -d '"' >places
	printf '%s\n' '0 MPI_Barrier' '1 MPI_Recv' '2 MPI_Recv' '3 MPI_Recv' | diff - places ||
		fail "$1: places"
}

# ---- nobody folds the rings, the launcher has no part in it: they are read where they lie, then repaired ----
# shellcheck disable=SC2046 # words
kill_one "$MPIEXEC" $(mpi_option LD_PRELOAD "$RECORDER_SO") $(mpi_option RECORDER_TRACES_DIR ../bare) -n 4 "$victim"
[ -n "$(ls live)" ] || fail "no live files to read"
described bare died "it did not end in order: killed, crashed, or ended without libc (as Go programs do)" died
expect_eq "False False" "$(info bare 'info["complete"], info["running"]' | tr -d '(),')" \
	"complete, running"
recorder check -q --strict bare >/dev/null 2>&1 && fail "strict check of an incomplete trace"
recorder repair -q bare || fail "repair"
described bare clean repaired died
expect_eq "" "$(find live -type f)" "left behind after repair"

# ---- recorder run does ----
kill_one recorder run -q -o ../folded "$MPIEXEC" -n 4 "$victim"
expect_eq "" "$(find live -type f)" "left behind after recorder run"
described folded clean repaired died
