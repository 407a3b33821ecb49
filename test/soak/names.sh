#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 900
# SOAK_NAMES files of different names, many more than the table of them holds: the memory of the process stays what it is, each file
# is named once or nearly so though it is opened several times, and beyond the limit of numbers files are unknown and counted.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3

count=${SOAK_NAMES:-60000}
times=3
memory_dir
mkdir "$memory/live" "$memory/work"
RECORDER_LIVE_DIR=$memory/live
# a ring of one size: when larger ones are worth their memory depends on how fast they fill
RECORDER_BUFFER_SIZE=64k
export RECORDER_LIVE_DIR RECORDER_BUFFER_SIZE

# run TRACE LIBRARY COUNT
run()
{
	(cd "$memory/work" && LD_PRELOAD="$2" RECORDER_TRACES_DIR="$test_dir/$1" "$TEST_BIN/soak/names" "$3" $times) >out ||
		fail "$1: exit status $?"
	read -r early late <out
	recorder check -q --strict "$1" || fail "$1: recorder check"
}

definitions()
{
	"$PYTHON" - "$TOP_SRCDIR/test" "$1" <<'END'
import collections
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import decode

trace = decode.Trace(sys.argv[2])
files = [file["path"] for stream in trace.streams for file in stream.defs["FILE"].values()]
ours = [path for path in files if b"/name." in path]
print(len(ours), len(set(ours)))
END
}

run all "$RECORDER_SO" "$count"
[ $((late - early)) -lt 512 ] || fail "resident memory grew from $early to $late KiB"
grown="$count names: resident memory $early KiB after half of them and $late KiB at the end"
calls=$((times * count))
expect_eq $calls "$(recorder2text -q --functions write all | grep -c 'name\.[0-9]*" *, count=1) = 1$')" "writes with their file"
if [ "$count" -le 200000 ]; then
	# a few push each other out
	definitions all >out
	read -r defined different <out
	expect_eq "$count" "$different" "files with a name"
	[ "$defined" -le $((count + count / 100)) ] || fail "$defined definitions of $count files"
fi

# names that are as long as they can be: more than 64 MiB of definitions
part=$(printf '%0250d' 0)
run_deep()
{
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
		mkdir "$part" && cd "$part" || return 1
	done
	LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR="$test_dir/deep" "$TEST_BIN/soak/names" 20000 1 >"$test_dir/out"
}
(cd "$memory/work" && run_deep) || fail "deep: exit status $?"
recorder check -q --strict deep || fail "deep: recorder check"
expect_eq 20000 "$(recorder2text -q --functions write deep | grep -c 'name\.[0-9]*" *, count=1) = 1$')" "deep: writes with their file"

# the tests' library has numbers for 1,000 files
RECORDER_TEST_WITHOUT=many-files RECORDER_QUIET=1 run few "$TOP_BUILDDIR/test/.libs/librecorder_hooked.so" 3000
recorder2text -q --functions write few >text
named=$(grep -c 'name\.[0-9]*" *, count=1) = 1$' text)
[ "$named" -gt $((900 * times)) ] && [ "$named" -le $((1000 * times)) ] || fail "few: $named writes with their file"
expect_eq $((3000 * times - named)) "$(grep -c 'fd=[0-9]* ?, count=1) = 1$' text)" "few: writes to unknown files"
expect_eq $((3000 * times - named)) "$(recorder info few | sed -n 's/^unnamed .*opened \([0-9]*\) times.*/\1/p')" "few: files.unnamed"
echo "$grown"
