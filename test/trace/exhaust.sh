#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that uses up all its descriptors sees the same with and without the recorder, and all its
# calls are in the trace: with limits that can be exceeded and with limits that cannot.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

exhaust=$TEST_BIN/trace/exhaust

# limited SOFT HARD CMD...: no descriptors but the first three, and none beyond HARD, root or not
limited()
{
	soft=$1 hard=$2
	shift 2
	"${PYTHON:-python3}" -c '
import ctypes, os, resource, sys
os.closerange(3, 2000)
ctypes.CDLL(None).prctl(24, 24)  # PR_CAPBSET_DROP, CAP_SYS_RESOURCE: counts at exec
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])))
os.execvp(sys.argv[3], sys.argv[3:])' "$soft" "$hard" "$@" </dev/null
}

# try SOFT HARD MODE LIMIT END: what the program says, and its calls by count; its stream ends in order, clean or unsaid: not in its LM
try()
{
	name=$3-$1-$2-$4
	limited "$1" "$2" "$exhaust" "$3" "$4" >bare 2>bare.err || fail "$name: status $?"
	RECORDER_TRACES_DIR=$name RECORDER_PROGRAMS=exhaust limited "$1" "$2" \
		env LD_PRELOAD="${TEST_PRELOAD:+$TEST_PRELOAD:}$RECORDER_SO" "$exhaust" "$3" "$4" >traced 2>traced.err ||
		fail "$name: traced, status $?"
	diff bare traced || fail "$name: the program saw something else"
	diff bare.err traced.err || fail "$name: not the same calls"
	whole "$name"
	if [ "$5" = unsaid ]; then
		recorder info "$name" 2>info.err | grep -q 'out of reach$' || fail "$name: its end is said, or not in order"
		recorder repair "$name" >repaired 2>&1 || fail "$name: not repaired: $(cat repaired)"
		whole "$name"
	fi
	ls "$live"/* 2>/dev/null && fail "$name: live files are left"
	echo "$name: $(cat traced.err)"
}

whole()
{
	recorder check "$1" >checked 2>&1 || fail "$1: $(cat checked)"
	recorder2text --functions open,pwrite,close,execl "$1" >text 2>text.err || fail "$1: no text"
	expect_eq "$(cat traced.err)" "calls $(wc -l <text)" "$1: records"
	grep -q ' lost' checked && ! grep -q ' 0 lost, 0 unreadable' checked && fail "$1: $(cat checked)"
	! grep -q died checked || fail "$1: $(cat checked)"
}

live=$PWD/live
mkdir "$live"
RECORDER_LIVE_DIR=$live
export RECORDER_LIVE_DIR

for limits in '16 16' '16 4096' '64 64' '64 4096'; do
	for mode in close keep exec fork; do
		# shellcheck disable=SC2086
		try $limits $mode 0 clean
	done
done
try 1024 1024 lower 12 clean
try 1024 4096 lower 12 clean
# without any descriptor no metadata can be written; chunks can, by the one that is kept, and an end
try 1024 4096 lower 0 unsaid

# Nothing can be kept open and nothing opened: the ring holds what it can, the rest is counted.
total()
{
	recorder info --json "$1" >info 2>info.err || fail "$1: $(cat info.err)"
	"${PYTHON:-python3}" -c 'import json; i = json.load(open("info")); print(i["records"] + i["lost"])'
}
RECORDER_TRACES_DIR=lost RECORDER_PROGRAMS=exhaust limited 1024 1024 \
	env LD_PRELOAD="${TEST_PRELOAD:+$TEST_PRELOAD:}$RECORDER_SO" "$exhaust" lower 0 >traced 2>traced.err
recorder check lost >checked 2>&1 || fail "lost: $(cat checked)"
expect_eq "$(total lower-1024-4096-0)" "$(total lost)" "records and losses"
recorder repair lost >repaired 2>&1 || fail "lost: not repaired: $(cat repaired)"
recorder check lost >checked 2>&1 || fail "lost, repaired: $(cat checked)"
expect_eq "$(total lower-1024-4096-0)" "$(total lost)" "records and losses after the repair"
