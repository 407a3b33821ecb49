#!/bin/sh
# SPDX-License-Identifier: MIT
# Many short processes: no live file and no zombie is left, each has its stream, and the file system
# of the trace sees at most 4 operations on names for each stream (a program in a process), none for
# others. MANY_PROCESSES: how many, 2000 when it counts. CPU time is printed for the reader.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

count=${MANY_PROCESSES:-500}
[ -z "${SANITIZERS:-}" ] || count=100
life=$TEST_BIN/life/life
memory_dir
live=$memory
# in memory: what it costs to make a file on a disk differs by the state of its tables
memory_dir
place=$memory
cd "$place" || exit 99

# cpu CMD...: microseconds of CPU for each process of the command
cpu()
{
	LIFE_COUNT=$count "${PYTHON:-python3}" -c '
import resource, subprocess, sys
subprocess.run(sys.argv[2:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(round((used.ru_utime + used.ru_stime) * 1e6 / int(sys.argv[1])))' "$count" "$@" || fail "$*"
}

# many CASE: with and without the recorder
many()
{
	before=$(cpu "$life" "$1")
	rm -f child image
	after=$(RECORDER_LIVE_DIR=$live cpu recorder run -q -o "$1" -- "$life" "$1")
	echo "$1: $count processes, $before us of CPU each without, $after with the recorder"
	expect_eq "" "$(ls "$live")" "live files after $1"
	recorder check -q --strict "$1" >said || fail "$1: $(cat said)"
}

many many_marking
expect_eq $((count + 1)) "$(streams many_marking)" "streams of children with a record"
expect_eq "$count" "$(recorder2text -q many_marking | grep -c ' write(.*/child", count=1) = 1$')" "records"
# the end of a process waits for threads that are just ending, and takes nothing from them (recorder check)
many many_ending
many many_interrupted
# nor does another thread that ends it as well, or a handler, cut it short
many many_ending_at_once
many many_ending_in_handlers
many many_ending_at_begin
# an exec that fails takes back its own record, and none of other threads
many many_failing
many many_silent
expect_eq 1 "$(streams many_silent)" "streams of children without a record"
many many_silent_images
expect_eq 1 "$(streams many_silent_images)" "streams of programs without a record"
zombies=$(ps -o stat=,ppid= | awk -v parent=$$ '$1 ~ /^Z/ && $2 == parent' | wc -l)
expect_eq 0 "$zombies" "zombies"

# ---- operations on the file system of the trace ----
need strace

# operations COUNT CASE: those on names below the trace's directory
operations()
{
	rm -rf counted child image
	LIFE_COUNT=$1 strace -f -qq -o calls -e trace=file,statfs,rename,renameat2,ftruncate \
		-E LD_PRELOAD="$RECORDER_SO" -E RECORDER_TRACES_DIR="$place/counted" \
		-E RECORDER_LIVE_DIR="$live" "$life" "$2" || fail "$2 under strace"
	grep -c "\"$place/counted" calls
}

# each CASE: how many more there are with ten more processes
each()
{
	few=$(operations 10 "$1")
	more=$(operations 20 "$1")
	echo "$1: $((more - few)) operations for 10 processes"
	[ $((more - few)) -le "$2" ] || fail "$1: $((more - few)) operations for 10 processes: $(tail -n 30 calls)"
}

each many_marking 40
each many_images 80 # two streams each: a child, and what it becomes by exec
RECORDER_AGGREGATE=node
export RECORDER_AGGREGATE
each many_marking 40
unset RECORDER_AGGREGATE
each many_silent 0
each many_silent_images 0

# ---- processes of which none is left when the next one begins ----

i=0
while [ $i -lt 80 ]; do
	RECORDER_RUN_ID=alone RECORDER_LIVE_DIR=$live RECORDER_TRACES_DIR=$place/alone preload cat /dev/null || fail "cat gives $?"
	i=$((i + 1))
done
recorder check -q --strict alone >said || fail "alone: $(cat said)"
expect_eq 80 "$(streams alone)" "streams of processes one after the other"
expect_eq $((2 * 64 + 2)) "$(find alone -type f | wc -l)" "files: recorder.gm, of 64 streams two each, and that of the node"
expect_eq "" "$(ls "$live")" "live files after them"
