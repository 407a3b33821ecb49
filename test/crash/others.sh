#!/bin/sh
# SPDX-License-Identifier: MIT
# Processes of a run share the directory of live files, and the last one that has a file in it takes it away: also from under the feet of one that begins. That one's
# records lie in files all the same, and are there if it is killed.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3
memory_dir
RECORDER_LIVE_DIR=$memory RECORDER_QUIET=1
export RECORDER_LIVE_DIR RECORDER_QUIET
hooked=$TOP_BUILDDIR/test/.libs/librecorder_hooked.so

# TRACE STREAMS: all of them are crash-safe
all_in_files()
{
	recorder info "$1" >info.text || fail "info of $1"
	grep "not crash-safe" info.text && fail "$1: $(cat info.text)"
	grep -Eq "^ranks .* $2 streams? " info.text || fail "$1: not $2 streams: $(cat info.text)"
}

# taken away before each file is made
env LD_PRELOAD="$hooked" RECORDER_TRACES_DIR=killed RECORDER_TEST_WITHOUT=live-directory sh -c 'echo some >file; kill -KILL $$' &&
	fail "it was not killed"
recorder repair -q killed || fail "repair"
recorder check -q killed || fail "check: $(recorder check killed)"
recorder2text killed >text || fail "text"
grep -q 'write(fd=1 ".*/file", count=5) = 5' text || fail "no write: $(cat text)"
all_in_files killed 1

# by processes that really begin and end, six at a time
python3 - "$RECORDER_SO" <<'END' || fail "programs"
import os, subprocess, sys
env = dict(os.environ, LD_PRELOAD=sys.argv[1], RECORDER_RUN_ID="others", RECORDER_TRACES_DIR="many")
for _ in range(30):
    begun = [subprocess.Popen(["cat", "/dev/null"], env=env) for _ in range(6)]
    assert not any([each.wait() for each in begun])
END
all_in_files many 180
[ -z "$(ls -A "$memory")" ] || fail "left in memory: $(ls -AR "$memory")"
