# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by test/real/*.sh: a program does the same without and with the recorder, and the trace of
# it is sound.
#
#   both CMD...         runs CMD twice in a copy of "input": bare, recorded. Leaves its files in
#                       bare/ and traced/, what it said in *.out, *.err and *.status, and trace/.
#                       Fails where these differ, or the trace is not sound
#   normal_text         filter over stdout and stderr before they are compared: redefine it
#   normal_files DIR    edits the files of DIR before they are compared: redefine it
#   launch CMD...       how the second run is recorded: redefine it
#   of_mpi FILE         the program is linked as FILE is: $mpiexec starts its ranks, and `launch` records them with the counting
#                       library behind the recorder. $foreign: it is of another MPI than the recorder was built for
#   mpi_witnessed       the calls of MPI are those that the library counted; of another MPI there are none, and the trace says so
#   killed=N            so many processes end by a signal while they are in a call (0)
#   sound TRACE         is whole, both readers agree on it, nothing is left in memory
#   info TRACE EXPR     an expression of Python over "info", what recorder info says
#   calls [OPTION...]   "layer function(arguments) = result" of each record of trace/
#   count FUNCTION...   records of these functions in trace/; count_by_rank: "RANK COUNT" lines
#   at_least MIN GOT WHAT
#   witnessed FILES CMD...  a third run, under strace, makes as many calls on each file that matches
#                       as trace/ has. Redefine witnessed_calls: only what is a system call one to
#                       one, and what stdio does not make inside itself, which only strace sees
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
PYTHON=${PYTHON:-python3}

# Hash seeds, dates and names that only the environment makes random
PYTHONHASHSEED=0
export PYTHONHASHSEED

killed=0

normal_text()
{
	cat
}

normal_files()
{
	:
}

launch()
{
	recorder run -q -o "$test_dir/trace" -- "$@"
}

of_mpi()
{
	witness=$TEST_BIN/mpi/.libs/witness.so
	[ -f "$witness" ] || skip "built without MPI"
	of_mpi_kind=$(mpi_of "$1")
	[ -n "$of_mpi_kind" ] || fail "$1 is linked with no MPI"
	mpiexec=$(mpiexec_of "$of_mpi_kind")
	need "$mpiexec"
	foreign=1 of_mpi_witness=
	[ "$of_mpi_kind" != "$MPI_KIND" ] || foreign='' of_mpi_witness=:$witness
	mkdir counts

	launch()
	{
		WITNESS_DIR=$test_dir/counts RECORDER_QUIET=1 RECORDER_TRACES_DIR=$test_dir/trace \
			LD_PRELOAD=$RECORDER_SO$of_mpi_witness "$@"
	}
}

mpi_witnessed()
{
	if [ -z "$foreign" ]; then
		"$PYTHON" "$TOP_SRCDIR/test/mpi/check.py" counts trace counts ||
			fail "MPI calls are not those of the witness"
		return
	fi
	expect_eq 0 "$(calls --layers mpi,mpiio | wc -l)" "calls of another MPI"
	"$PYTHON" -B "$TOP_SRCDIR/test/privacy/plain.py" trace >plain || fail "plain.py"
	grep -aq 'mpi.other' plain || fail "the trace does not say that the program is of another MPI"
}

# once NAME CMD...: runs CMD in work/, which becomes NAME/
once()
{
	once_name=$1
	shift
	if [ -d input ]; then cp -a input work; else mkdir work; fi
	once_status=0
	(cd work && "$@") >"$once_name.out" 2>"$once_name.err" </dev/null || once_status=$?
	echo $once_status >"$once_name.status"
	mv work "$once_name"
}

# Names, kinds and permissions of all files below $1
listing()
{
	(cd "$1" && find . -printf '%y %m %P %l\n' | sort)
}

same()
{
	diff bare.status traced.status || fail "exit status differs: $(tail -n 5 traced.err)"
	for same_stream in out err; do
		normal_text <bare.$same_stream >bare.$same_stream.normal
		normal_text <traced.$same_stream >traced.$same_stream.normal
		diff bare.$same_stream.normal traced.$same_stream.normal || fail "std$same_stream differs"
	done
	normal_files bare
	normal_files traced
	listing bare >bare.list
	listing traced >traced.list
	diff bare.list traced.list || fail "other files"
	diff -r bare traced || fail "files have other content"
}

# info TRACE EXPRESSION: of Python, over what recorder info says
info()
{
	recorder info -q --json "$1" | "$PYTHON" -c '
import json, sys
info = json.load(sys.stdin)
print(eval(sys.argv[1]))' "$2"
}

# Each process names the directory of its live files: it must be gone.
nothing_left()
{
	grep -h -a -o '/[^[:cntrl:]]*/recorder-[0-9]*-[0-9a-f]\{16\}' "$1"/*.lm | sort -u >live
	[ -s live ] || fail "$1: no process tells where its live files are"
	while read -r nothing_left_dir; do
		[ ! -e "$nothing_left_dir" ] || fail "$1: left behind: $(ls -l "$nothing_left_dir")"
	done <live
}

sound()
{
	recorder check "$1" >check.out 2>check.err || fail "recorder check: $(cat check.out)"
	[ ! -s check.err ] || fail "recorder check: $(cat check.err)"
	expect_eq "True 0 0 $killed []" \
		"$(info "$1" '"{complete} {lost} {unreadable} {in_flight} {problems}".format(**info)')" \
		"$1: complete, lost, unreadable, in flight, problems"
	[ "$(info "$1" 'info["records"]')" -gt 0 ] || fail "$1: no records"
	expect_eq "$killed" "$(info "$1" 'sum(s["reason"] == "repaired" for s in info["streams"])')" \
		"$1: processes killed"
	nothing_left "$1"
	"$PYTHON" -B "$TOP_SRCDIR/test/format/readers_agree.py" "$1" >readers || fail "$(cat readers)"
	"$PYTHON" -B "$TOP_SRCDIR/test/decode.py" "$1" >/dev/null || fail "$1: decode.py sees damage"
}

both()
{
	once bare "$@"
	once traced launch "$@"
	same
	sound trace
}

calls()
{
	recorder2text -q "$@" trace | cut -d' ' -f6-
}

count()
{
	count_names=$(echo "$*" | tr ' ' ',')
	recorder2text -q --functions "$count_names" trace | wc -l
}

count_by_rank()
{
	count_names=$(echo "$*" | tr ' ' ',')
	recorder2text -q --functions "$count_names" trace | cut -d' ' -f1 | sort -n | uniq -c |
		awk '{ print $2, $1 }'
}

at_least()
{
	[ "$2" -ge "$1" ] || fail "$3: at least $1 expected, got $2"
}

witnessed_calls='read|write|pread|pwrite|lseek|fsync|fdatasync|ftruncate'

witnessed()
{
	need strace
	strace -o probe true 2>/dev/null || {
		echo "strace may not trace here: the counts have no witness"
		return 0
	}
	witnessed_files=$1
	shift
	once strace strace -f -y -o "$test_dir/strace.log" "$@"
	sed -n "s|^[0-9]* *\([a-z0-9_]*\)([0-9]*<$(pwd -P)/work/\([^>]*\)>.*|\1 \2|p" strace.log |
		sed -e 's/64 / /' -e 's| .*/| |' | grep -E "^($witnessed_calls) $witnessed_files\$" |
		sort | uniq -c | awk '{ print $2, $3, $1 }' >strace.counts
	recorder2text -q trace |
		sed -n "s|.* posix \([a-z]*\)(fd=[0-9]* \"$(pwd -P)/work/\([^\"]*\)\".*|\1 \2|p" |
		sed -e 's| .*/| |' | grep -E "^($witnessed_calls) $witnessed_files\$" |
		sort | uniq -c | awk '{ print $2, $3, $1 }' >trace.counts
	[ -s strace.counts ] || fail "strace saw no calls"
	diff strace.counts trace.counts || fail "strace (<) and trace (>) differ"
}
