#!/bin/sh
# SPDX-License-Identifier: MIT
# Ways of launching. Three of them give equal traces of MPI and MPI-IO calls; a job script run twice
# leaves two traces; settings and directories that are no good are said once, and harm nobody.
# timeout: 300
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3
need_mpi

# The program's own MPI calls, and all that is done with its files, by rank. Numbers of descriptors and processes
# are the launcher's affair.
own_calls()
{
	recorder2text -q "$1" | cut -d' ' -f1,5- | grep -E "^[0-9]+ 0 mpi|$PWD/work/" |
		sed -E -e 's/ = [0-9]+ "/ = N "/' -e 's/\<(fd|pid)=[0-9]+/\1=N/g' |
		sort
}

# ---- three ways, one trace ----

mkdir work
for program in io objects p2p; do
	cd work || fail "no directory"
	"$MPIEXEC" -n 4 recorder run -q -o ../$program.inside -- "$TEST_BIN/mpi/$program" ||
		fail "$program: recorder run inside"
	recorder run -q -o ../$program.around -- "$MPIEXEC" -n 4 "$TEST_BIN/mpi/$program" ||
		fail "$program: recorder run around"
	LD_PRELOAD=$RECORDER_SO RECORDER_QUIET=1 RECORDER_TRACES_DIR=../$program.bare \
		"$MPIEXEC" -n 4 "$TEST_BIN/mpi/$program" || fail "$program: bare preload"
	cd ..
	for way in inside around bare; do
		recorder check -q --strict $program.$way || fail "$program.$way: check"
		own_calls $program.$way >$program.$way.calls
		diff $program.inside.calls $program.$way.calls >differences ||
			fail "$program.$way has other calls: $(head -n 5 differences)"
	done
	for rank in 0 1 2 3; do
		[ "$(grep -c "^$rank 0 mpi MPI_Finalize() = MPI_SUCCESS" $program.bare.calls)" = 1 ] ||
			fail "$program: rank $rank does not finalize once"
	done
done
[ "$(grep -c ' mpiio MPI_File_' io.bare.calls)" -ge 40 ] || fail "few calls of MPI-IO"
[ "$(grep -c ' 1 posix .*/work/shared"' io.bare.calls)" -ge 20 ] || fail "few calls on its file"
expect_eq "" "$(find . -maxdepth 1 -name '*.2')" "second directories"

# ---- the same job script twice: two traces ----

cat >bare.job <<END
export LD_PRELOAD=$RECORDER_SO
"$MPIEXEC" -n 4 $TEST_BIN/mpi/objects
END
cat >named.job <<END
export LD_PRELOAD=$RECORDER_SO RECORDER_TRACES_DIR=named
"$MPIEXEC" -n 4 $TEST_BIN/mpi/objects
END
cat >around.job <<END
recorder run -- "$MPIEXEC" -n 4 $TEST_BIN/mpi/objects
END
cat >inside.job <<END
"$MPIEXEC" -n 4 recorder run -o inside -- $TEST_BIN/mpi/objects
END
for job in bare named around inside; do
	mkdir $job
	(
		cd $job || exit 1
		sh ../$job.job >first 2>&1 && sh ../$job.job >second 2>&1
	) || fail "$job.job: $(cat $job/first $job/second)"
	find $job -name recorder.gm | sed 's|/recorder.gm||' | sort >traces
	expect_eq 2 "$(wc -l <traces)" "traces of $job.job"
	while read -r trace; do
		recorder check -q --strict "$trace" || fail "$trace: check"
		expect_eq 4 "$(recorder2text -q --functions MPI_Finalize "$trace" | wc -l)" \
			"ranks that finalize in $trace"
	done <traces
done
for job in named inside; do
	expect_eq 0 "$(grep -c 'holds another run' $job/first)" "$job.job: notes of the first run"
	expect_eq 1 "$(grep -c "recorder: .*/$job holds another run; this one is in .*/$job\.2\$" \
		$job/second)" "$job.job: notes of the second run"
done

# Built with AddressSanitizer the library is the first of all to start, before libc has the environment
# by which a shell would tell its children what has been said already.
case ${SANITIZERS:-} in
*address*) exit 0 ;;
esac

# ---- what is no good ----

cat >children.sh <<'END'
echo begin; (echo sub-shell; cat /dev/null) | cat; sh -c 'sh -c "cat /dev/null"'
exit 5
END

# bad NAME=VALUE LINES PATTERN: so many lines on stderr, the pattern in them; and all else as ever.
# The launcher kills the other ranks when the first one fails, and what is left in memory is nobody's.
mkdir live
bad()
{
	for command in 'sh children.sh' "$MPIEXEC -n 4 sh children.sh"; do
		# shellcheck disable=SC2086
		env LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR=bad \
			RECORDER_LIVE_DIR="$PWD/live" "$1" $command >out 2>err
		expect_eq 5 $? "$1: status"
		grep '^recorder: ' err >notes
		expect_eq "$2" "$(wc -l <notes)" "$1: notes of '$command': $(cat notes)"
		[ "$2" = 0 ] || grep -q -F "$3" notes || fail "$1: the note says $(cat notes)"
		expect_eq begin "$(head -n 1 out)" "$1: output"
		rm -rf bad
	done
}

bad RECORDER_LAYERZ=mpi 1 'RECORDER_LAYERZ'
bad RECORDER_FLUSH=often 1 'RECORDER_FLUSH=often'
bad RECORDER_TRACES_DIR=/proc/none/trace 1 '/proc/none/trace'
bad RECORDER_TRACES_DIR="$PWD/children.sh/trace" 1 "$PWD/children.sh/trace: Not a directory"
bad RECORDER_TRACES_DIR="$PWD/children.sh" 1 "$PWD/children.sh"
# is there, but nobody may write into it
bad RECORDER_TRACES_DIR=/sys/kernel 1 '/sys/kernel'
if [ "$(id -u)" != 0 ]; then
	mkdir locked
	chmod 500 locked
	bad RECORDER_TRACES_DIR="$PWD/locked/trace" 1 "locked/trace: Permission denied"
fi
exit 0
