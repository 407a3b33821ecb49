#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 240
# Each line of the catalogue: its function is called with arguments that mean something, and the trace
# must have exactly that: all arguments, the result, the error. See write_smoke.py.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
[ "$PYTHON" != : ] || skip "no Python"

# run LAYER FOLDER CMD...: the calls of a layer in a folder called work, what is expected in FOLDER/want
run()
{
	layer=$1
	mkdir -p "$2"
	rm -rf work && mkdir work && cd work || return 1
	folder=$2
	shift 2
	"$@" "$TEST_BIN/smoke/$layer" "../$folder/want" <"$TOP_SRCDIR/README.md" >../out 2>&1
	status=$?
	cd .. && mv out "$folder/out"
	[ $status = 0 ] || {
		echo "exit status $status"
		cat "$folder/out"
		return 1
	}
}

# Numbers of processes and names of temporary files differ each time.
without_chance()
{
	sed -e '/ [_a-z]*\(fork\|Fork\|wait\|kill\|spawn\)/s/[0-9][0-9][0-9]*/PID/g' \
		-e 's/#[0-9]* (deleted)/NAME/' -e 's/recorder-smoke\.[0-9]*/NAME/g' -e 's/\(stem\|folder\)\.[[:alnum:]]\{6\}/NAME/g' "$1"
}

# With and without the recorder the calls do the same.
same()
{
	RECORDER_TRACES_DIR=$PWD/$1.trace
	export RECORDER_TRACES_DIR
	run "$1" "$1.bare" env &&
		RECORDER_EXCLUDE=/nowhere RECORDER_PROGRAMS=$1 run "$1" "$1.traced" preload &&
		cmp "$1.bare/out" "$1.traced/out" || return 1
	without_chance "$1.bare/want" >"$1.one"
	without_chance "$1.traced/want" >"$1.other"
	diff "$1.one" "$1.other"
}

recorded()
{
	"$PYTHON" "$TOP_SRCDIR/test/decode.py" --text --bare "$1.trace" >"$1.text" &&
		sed 's/^[-0-9:]* //' "$1.text" >"$1.got" && diff "$1.traced/want" "$1.got"
}

layers='posix stdio'
echo "1..$((3 * $(echo "$layers" | wc -w)))"
for layer in $layers; do
	same "$layer" >"$layer.log" 2>&1
	report $? "$layer: the functions do the same with and without the recorder" "$layer.log"
	recorded "$layer" >"$layer.log" 2>&1
	report $? "$layer: the trace has the calls, their arguments and results" "$layer.log"
	"$PYTHON" "$TOP_SRCDIR/test/smoke/write_smoke.py" --table "$TOP_SRCDIR/functions/$layer.api" \
		"$TOP_SRCDIR/test/smoke/$layer.calls" >"$layer.log"
	report $? "$layer: at least 85 % of the catalogue are called" "$layer.log"
	sed 's/^/# /' "$layer.log"
done
