#!/bin/sh
# SPDX-License-Identifier: MIT
# A limit to the size of files (ulimit -f, RLIMIT_FSIZE): all calls are recorded or counted as lost, nothing is cut, and the process ended in order.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3
program=$TEST_BIN/crash/sizes
calls=60000
RECORDER_LIVE_DIR=$PWD/live
export RECORDER_LIVE_DIR
mkdir live

# The calls that are told of, the lost and the unreadable ones, and how many processes did not end in order.
told()
{
	recorder info --json "$1" >told.json 2>told.err || fail "$1: $(cat told.err)"
	python3 -c '
import json
info = json.load(open("told.json"))
print(info["records"] + info["lost"], info["lost"], info["unreadable"], sum(not stream["clean"] for stream in info["streams"]))'
}

# KIBIBYTES
limited()
{
	trace=trace-$1
	(ulimit -f $(($1 * 2)) && RECORDER_TRACES_DIR=$trace exec env LD_PRELOAD="$RECORDER_SO" "$program" $calls >out 2>err) || fail "$1 KiB: $(cat err)"
	quietly recorder check "$trace" || fail "$1 KiB: the trace is damaged"
}

RECORDER_TRACES_DIR=whole LD_PRELOAD=$RECORDER_SO "$program" $calls >out || fail "without a limit"
all=$(told whole | cut -d ' ' -f 1)
[ "$all" -ge $calls ] || fail "$all calls"
for size in 4 5 6 8 12 16; do
	limited $size
	# shellcheck disable=SC2046
	set -- $(told "trace-$size")
	expect_eq "$all 0 0" "$1 $3 $4" "calls, those unreadable, and processes that did not end in order, with $size KiB"
	[ "$2" -gt 0 ] || fail "$size KiB are enough"
	recorder info "trace-$size" | grep -q "^lost  *$2 file_size" || fail "$size KiB: $(recorder info "trace-$size" | grep '^lost')"
done
# Killed: that there was a limit, and what it cost, is told of before anything else can.
cat >killed.py <<'END'
import os
import signal
out = os.open("killed.data", os.O_CREAT | os.O_WRONLY, 0o600)
for i in range(60000):
    os.pwrite(out, b"x", i * 7919 % 500)
os.kill(os.getpid(), signal.SIGKILL)
END
(ulimit -f 32 && RECORDER_TRACES_DIR=killed RECORDER_LAYERS=posix exec env LD_PRELOAD="$RECORDER_SO" python3 -S killed.py 2>err)
quietly recorder repair -q killed || fail "killed: repair"
recorder info killed >said 2>warned
lost=$(sed -n 's/^lost  *\([0-9]*\) file_size.*/\1/p' said)
[ "${lost:-0}" -gt 0 ] || fail "killed: $(cat said)"
grep no_ring said && fail "killed: another reason than the limit: $(cat said)"
grep -q "incomplete: $lost records lost" warned || fail "killed: $(cat warned)"
quietly recorder check killed || fail "killed: the trace is damaged"

# one that comes while it is recorded
RECORDER_TRACES_DIR=later LD_PRELOAD=$RECORDER_SO "$program" $calls 10000 >out || fail "a limit of its own"
quietly recorder check later || fail "a limit of its own: the trace is damaged"
# shellcheck disable=SC2046
set -- $(told later)
expect_eq "$all 0" "$1 $3" "calls and those unreadable with a limit of its own"
exit 0
