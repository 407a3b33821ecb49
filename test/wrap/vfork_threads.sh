#!/bin/sh
# SPDX-License-Identifier: MIT
# Children of vfork share memory and records with their parents' threads: each call of theirs is
# there once, and the parents come to no harm.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

# also without the recorder: else the test itself is wrong
"$TEST_BIN/wrap/vfork_threads" >/dev/null || fail "exit status $? without the recorder"
RECORDER_TRACES_DIR=trace preload "$TEST_BIN/wrap/vfork_threads" >output || fail "exit status $?"
expect_eq 200 "$(wc -c <output)" "bytes written by the children"

"${PYTHON:-python3}" "$TOP_SRCDIR/test/decode.py" --text --bare trace >text || fail "decode.py"
# count NUMBER LEVEL CALL: how many records at this level are this call
count()
{
	expect_eq "$1" "$(grep -c "^[^ ]* $2 posix $3" text)" "number of $3 at level $2"
}
count 200 0 'vfork('
count 200 1 'write('
count 100 1 'execl(path="/bin/true".* = ?$'
count 100 1 'execl(path="/nonexistent/program".* = -1 ENOENT$'
count 100 1 '_exit('
count 200 0 'waitpid(.*) = [0-9]'
count 2000 0 'open('
count 2000 0 'close(.*) = 0$'
