#!/bin/sh
# SPDX-License-Identifier: MIT
# Bad pointers: each function of posix, stdio and net is called with each of its pointers bad in turn, and ends as it
# would have, by its result, errno or signal. What failed is recorded with its errno.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
leave_segv
[ "$PYTHON" != : ] || skip "no Python"
need cc gcc

api=$TOP_SRCDIR/functions
"$PYTHON" "$TOP_SRCDIR/test/bad/write_calls.py" "$api/posix.api" "$api/stdio.api" "$api/net.api" >bad.c || fail "no calls"
cc -w -D_GNU_SOURCE -D_LARGEFILE64_SOURCE -I"$TOP_SRCDIR/test" -I"$TOP_SRCDIR/test/bad" -o bad bad.c >compiler 2>&1 || {
	cat compiler
	fail "cannot compile"
}

# run NAME CMD...: what the program says is in NAME.said
run()
{
	name=$1
	shift
	mkdir "$name.work" && (cd "$name.work" && "$@" ../bad "../$name.said" <../bad.c >../"$name.out" 2>&1)
}

same()
{
	run bare env &&
		RECORDER_TRACES_DIR=$PWD/trace RECORDER_QUIET=1 RECORDER_LAYERS=all RECORDER_EXCLUDE=/nowhere \
			RECORDER_PROGRAMS=bad run traced preload &&
		diff bare.said traced.said
}

recorded()
{
	recorder2text -q trace >text &&
		"$PYTHON" "$TOP_SRCDIR/test/bad/check_records.py" traced.said "$api/posix.api" "$api/net.api" <text
}

echo 1..2
same >log 2>&1
report $? "calls with bad pointers end as without the recorder" log
recorded >log 2>&1
report $? "those that fail are recorded with their errno" log
sed 's/^/# /' log
