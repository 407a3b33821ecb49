#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# MPI programs on 4 ranks: they tell which records they expect, and a counting PMPI library behind
# the recorder is the witness.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

need_mpi
check="${PYTHON:-python3} $TOP_SRCDIR/test/mpi/check.py"
witness=$TEST_BIN/mpi/.libs/witness.so
ranks=4
# traced NAME PROGRAM [WORD]: leaves trace/, counts/ and work/want.RANK in the folder NAME
traced()
{
	here "$1" || return 1
	run_mpi $ranks -x LD_PRELOAD="${TEST_PRELOAD:+$TEST_PRELOAD:}$RECORDER_SO:$witness" \
		"$TEST_BIN/mpi/$2" ${3+"$3"} >../err 2>&1 || {
		echo "exit status $?" >>../err
		return 1
	}
	cd .. && [ ! -s err ]
}

# Every rank's records, as recorder2text and as the second reader tell them.
lines()
{
	cd "$1" || return 1
	for rank in 0 1 2 3; do
		recorder2text --layers mpi,mpiio --ranks $rank trace >text.$rank 2>>err || return 1
		cut -d ' ' -f 5- text.$rank >got.$rank
	done
	$check lines trace got work/want 4 >>err 2>&1
}

counts()
{
	$check counts "$1/trace" "$1/counts" >>"$1/err" 2>&1 && $check comms "$1/trace" >>"$1/err" 2>&1
}

# A look completes nothing; a call that waits for a request completes that one, whatever handles have come again.
completed()
{
	cd "$test_dir/completion" && recorder2text --layers mpi --ranks 0 --show mpi trace >shown 2>>err || return 1
	grep 'MPI_Request_get_status(.* completes=' shown >>err && return 1
	sed -n 's/.* MPI_Wait(request=\([1-9][0-9]*\),.* completes=\[\([0-9]*\) .*/\1 \2/p' shown >pairs
	[ "$(grep -c ' MPI_Wait(request=[1-9]' shown)" = "$(wc -l <pairs)" ] && awk '$1 != $2 { exit 1 }' pairs
}

# Without the records of some functions the rest is as before: the tables are kept all the same.
filtered()
{
	RECORDER_FUNCTIONS='-MPI_I*,-MPI_Wait' traced filtered completion || return 1
	for rank in 0 1 2 3; do
		recorder2text --layers mpi --ranks $rank trace >text.$rank 2>>err || return 1
		cut -d ' ' -f 5- text.$rank >got.$rank
		sed -e '/^0 mpi MPI_I/d' -e '/^0 mpi MPI_Wait(/d' work/want.$rank >left.$rank
		$check same got.$rank left.$rank >>err 2>&1 || return 1
	done
}

threads()
{
	traced threads threads
	# this MPI has no MPI_THREAD_MULTIPLE
	grep -q 'exit status 77' "$test_dir/threads/err" && return 0
	cd "$test_dir/threads" && $check counts trace counts >>err 2>&1 && $check requests trace >>err 2>&1
}

# MPI_Abort is stored before it ends the process; who waited for it is in flight.
aborted()
{
	# who is killed leaves live files, which go with the test
	RECORDER_LIVE_DIR=$test_dir traced abort abort
	cd "$test_dir/abort" && : >err
	recorder2text --layers mpi --ranks 1 trace 2>>err | tail -n 4 | cut -d ' ' -f 7- >got
	# nothing between MPI_Pcontrol(0) and MPI_Pcontrol(1)
	echo 'MPI_Comm_rank(comm=MPI_COMM_WORLD, rank=1) = MPI_SUCCESS' >want
	echo 'MPI_Pcontrol(level=1) = MPI_SUCCESS' >>want
	echo 'MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS' >>want
	echo 'MPI_Abort(comm=MPI_COMM_WORLD, errorcode=3) = ?' >>want
	recorder2text --layers mpi --ranks 0,2,3 trace 2>>err | grep -c ' MPI_Recv(.*, status=?) = ? in_flight$' >>got
	echo 3 >>want
	diff want got >>err 2>&1
}

# Two worlds, the records of both sides of the same calls.
spawned()
{
	ranks=2 traced spawn spawn || return 1
	for world in '' 1:; do
		recorder2text --layers mpi trace 2>>err | sed -n "s/^${world}[01] .* MPI_Bcast/MPI_Bcast/p" >got
		[ "$(wc -l <got)" = 2 ] || {
			echo "world '$world' has other calls" >>err
			return 1
		}
	done
	$check counts trace counts >>err 2>&1
}

# Each communicator has an identity of its own, which all members know, on 8 ranks; also with processes of other worlds.
identities()
{
	ranks=8 traced "$1" identity ${3+"$3"} || return 1
	$check identities trace "$2" >>err 2>&1 && $check counts trace counts >>err 2>&1
}

other_worlds()
{
	identities worlds 45 worlds || return 1
	# whom a rank of an intercommunicator means
	recorder2text --show mpi --functions MPI_Recv,MPI_Send trace >peers 2>>err
	grep -q '^0 .* MPI_Recv(.* {source_world=1:0,' peers && grep -q '^0 .* MPI_Send(.* {dest_world=2:0,' peers &&
		grep -q '^1:0 .* MPI_Send(.* {dest_world=0:0,' peers || {
		cat peers >>err
		return 1
	}
}

programs='p2p completion edges collective objects io rare'
# those of MPI-4.0 end with 77 where there is none
"$TEST_BIN/mpi/four" >/dev/null 2>&1
[ $? = 77 ] || programs="$programs four sessions"
# shellcheck disable=SC2086 # a list
set -- $programs
echo 1..$((3 * $# + 8))
for program in $programs; do
	(traced $program $program)
	report $? "$program runs as without the recorder" "$test_dir/$program/err"
	(lines $program)
	report $? "$program: every call with its arguments" "$test_dir/$program/err"
	counts $program
	report $? "$program: the counts of the witness, one identity for each communicator" "$test_dir/$program/err"
done
(identities identity 65)
report $? "8 ranks: one identity for each communicator, and another for each other one" "$test_dir/identity/err"
(completed)
report $? "what is only looked at is not completed, and each request by the call that names it" "$test_dir/completion/err"
(filtered)
report $? "what is filtered out is still known to the others" "$test_dir/filtered/err"
(threads)
report $? "threads: each request is made and completed once" "$test_dir/threads/err"
(mkdir nompi && cd nompi && preload "$TEST_BIN/mpi/nompi" >err 2>&1)
report $? "a program without MPI sees that it has none" "$test_dir/nompi/err"
(aborted)
report $? "a job that is aborted" "$test_dir/abort/err"
if run_mpi 2 "$TEST_BIN/mpi/spawn" >/dev/null 2>&1; then
	(spawned)
	report $? "processes that are spawned" "$test_dir/spawn/err"
else
	report_skip "this MPI cannot spawn processes"
fi
case $MPI_KIND in
openmpi)
	(other_worlds)
	report $? "worlds that are spawned and connected: one identity on both sides, members by world" "$test_dir/worlds/err"
	;;
*)
	report_skip "processes of other worlds are known by PMIx_Connect(), which this MPI does not call"
	;;
esac
