#!/bin/sh
# SPDX-License-Identifier: MIT
# Offsets of reads and writes that have none themselves are those at which they were, or not known, however the descriptor was moved.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
[ -x "$TOP_BUILDDIR/tools/recorder2sqlite" ] || skip "built without SQLite"

query="SELECT bytes || ' ' || coalesce(offset, '-') AS line FROM records WHERE function IN ('read', 'write', 'fread', 'fwrite', 'pwrite')
	AND layer IN ('posix', 'stdio') AND bytes BETWEEN 101 AND 999 ORDER BY bytes"
# NAME [ARGUMENT...], with settings in the environment
offsets()
{
	name=$1
	shift
	RECORDER_TRACES_DIR=$PWD/$name.trace preload "$TEST_BIN/analysis/positions" "$@" >$name.want || fail "$name: exit status $?"
	recorder sql -q --csv $name.trace "$query" | sed 1d | tr -d '"' >$name.got
}

offsets all
diff all.want all.got || fail "size and offset, < as they were, > as they are said"
offsets paused once
diff paused.want paused.got || fail "with a pause: size and offset, < as they can be known, > as they are said"
RECORDER_FUNCTIONS=-lseek offsets few
grep -v -- '-$' few.got && fail "offsets, though nobody knows who called lseek"
RECORDER_LAYERS=stdio offsets stdio
grep -v -- '-$' stdio.got && fail "offsets, though nobody knows who forked"
RECORDER_MIN_DURATION=1s offsets slow && [ ! -s slow.got ] || fail "nothing takes so long: $(cat slow.got)"
recorder filter -q --functions 'read,write' -o filtered.trace all.trace
expect_eq 0 "$(recorder sql -q --csv filtered.trace "SELECT count(offset) FROM records" | tail -1)" "offsets where a filter has left out calls"
