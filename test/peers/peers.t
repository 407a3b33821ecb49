#!/bin/sh
# SPDX-License-Identifier: MIT
# What has brought other tracers down, misled them or made them write into the program's files. The program says, returns and leaves
# what it does without the recorder; the trace tells what it did; no tool ends by a signal.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3
peers=$TEST_BIN/peers/peers
memory_dir
RECORDER_LIVE_DIR=$memory
export RECORDER_LIVE_DIR
# once WHERE CMD...: in an empty folder of that name
once()
{
	where=$1
	shift
	mkdir "$where"
	(
		cd "$where" || exit 99
		# shellcheck disable=SC3045
		ulimit -n 4000
		"$@" >../out 2>../err </dev/null
		echo "status $?" >>../out
	)
}

# the same CASE without and with the recorder, whose trace is $1
same()
{
	once plain "$peers" "$2"
	mv out plain.out
	once work env LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR="$1" "$peers" "$2"
	diff plain.out out || return 1
}

try()
{
	(
		same "$PWD/trace" "$1" && [ ! -s err ] && recorder check -q --strict trace &&
			python3 "$TOP_SRCDIR/test/peers/judge.py" "$1" trace work
	) >why 2>&1
	report $? "$2" why
	rm -rf plain work trace
}

# a trace that cannot be: RECORDER_TRACES_DIR is $1
impossible()
{
	(same "$1" buffered && grep -q 'at the endstatus 3' out) >why 2>&1
	report $? "$2" why
	rm -rf plain work
}

# no tool ends by a signal, or with success, for a path $1
unlikely_paths()
{
	for tool in "recorder info" "recorder check" "recorder where" "recorder repair" "recorder2text" "recorder2pfw -o out" \
		"recorder anonymize -o out"; do
		# shellcheck disable=SC2086
		timeout 20 $tool "$1" >/dev/null 2>&1
		status=$?
		[ $status -ge 1 ] && [ $status -le 2 ] || echo "$tool: status $status"
	done
}

# the tools are programs, too: what they do is recorded once, and they do not record what records them
traced_tools()
{
	recorder run -q -o first -- "$peers" buffered >/dev/null
	timeout 60 recorder run -q -o second -- recorder2pfw -q -o t.pfw first || return 1
	timeout 60 recorder run -q -o third -- recorder run -q -o fourth -- "$peers" buffered >/dev/null
	[ $? -eq 3 ] || return 1
	for trace in second fourth; do
		recorder check -q $trace || return 1
		[ "$(find $trace -name '*.lm' | wc -l)" -le 4 ] || return 1
	done
}

echo 1..14
try nulls "NULL wherever a path or a buffer is wanted"
try names "names with blanks, quotes, newlines and bytes that are no UTF-8; a path of 3 kB; a child: text and JSON are sound"
try descriptors "1,500 files open at once: each is told by its own name"
try threads "four threads that open and close: each record has its own file and thread"
try hijacked "all descriptors closed: the program's files hold what it wrote"
try left "main() left by pthread_exit: the program has its name"
impossible /proc/none/trace "a trace directory that cannot be made: what the program prints at its end is there"
impossible "$(printf '%0600d' 0)" "a name of 600 bytes"
impossible "/tmp/$(printf '%05000d' 0)" "a path of 5,000 bytes"
impossible /dev/null/trace "a device in place of a folder"
unlikely_paths "$(printf '%0400d' 0)" >why 2>&1
[ ! -s why ]
report $? "tools: a path of 400 bytes" why
unlikely_paths "$(printf '%05000d' 0)" >why 2>&1
[ ! -s why ]
report $? "tools: a path of 5,000 bytes" why
unlikely_paths "" >why 2>&1
[ ! -s why ]
report $? "tools: an empty path" why
traced_tools >why 2>&1
report $? "tools under the recorder: no process that traces itself" why
