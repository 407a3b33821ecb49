#!/bin/sh
# SPDX-License-Identifier: MIT
# Children by clone(): a process of its own has a stream of its own, one in its parent's place is recorded as that, and one beside its parent, on its
# thread-local storage, as a thread of it. Nothing of any of them is lost, and their files are theirs.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

calls=20000
# check FLAGS WHAT_THEY_ARE CHILDS LOST LEVEL: how many pwrite() are there of the child, at which level, and how many calls are lost
check()
{
	"$TEST_BIN/wrap/clone" "$1" "$calls" || fail "$1: exit status $? without the recorder"
	RECORDER_TRACES_DIR=trace.$1 preload "$TEST_BIN/wrap/clone" "$1" "$calls" ||
		fail "$1: exit status $?"
	"${PYTHON:-python3}" "$TOP_SRCDIR/test/decode.py" --text --bare "trace.$1" >text ||
		fail "$1: decode.py"
	expect_eq 1 "$(grep -c "^[^ ]* 0 posix clone(flags=$((0x$1))) = [0-9]*$" text)" "$1: clone"
	expect_eq 1 "$(recorder2text -q "trace.$1" | grep -c "clone(flags=$2) = [0-9]*$")" "$1: clone as text"
	expect_eq "$3" "$(grep -c "^[^ ]* $5 posix pwrite(.*/child\"" text)" "$1: the child's"
	expect_eq "$((2 * calls))" "$(grep -c "^[^ ]* 0 posix pwrite(.*/\(parent\|after\)\"" text)" "$1: the parent's"
	recorder info -q --json "trace.$1" >info || fail "$1: recorder info"
	expect_eq "$4" "$(sed -n 's/^  "lost": \([0-9]*\),$/\1/p' info)" "$1: lost"
}
# as fork
check 11 SIGCHLD $calls 0 0
# as vfork
check 4111 'SIGCHLD|CLONE_VM|CLONE_VFORK' $calls 0 1
# beside its parent
check 111 'SIGCHLD|CLONE_VM' $calls 0 0
check f11 'SIGCHLD|CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND' $calls 0 0

# by a system call of the program's own, which is not recorded itself
"$TEST_BIN/wrap/clone" 111 "$calls" raw || fail "raw: exit status $? without the recorder"
RECORDER_TRACES_DIR=trace.raw preload "$TEST_BIN/wrap/clone" 111 "$calls" raw || fail "raw: exit status $?"
expect_eq "$((3 * calls))" "$(recorder2text -q trace.raw | grep -c ' pwrite(')" "raw"

# the parent has children by vfork meanwhile
RECORDER_TRACES_DIR=trace.vfork preload "$TEST_BIN/wrap/clone" f11 "$calls" vfork || fail "vfork: exit status $?"
recorder2text -q trace.vfork >text || fail "vfork: recorder2text"
expect_eq "$((2 * calls))" "$(grep -c ' pwrite(.*/\(parent\|after\)"' text)" "vfork: the parent's"
expect_eq "$calls" "$(grep -c ' pwrite(.*/child"' text)" "vfork: the child's"
expect_eq "$((calls / 1000))" "$(grep -c ' vfork(' text)" "vfork"

# each has another file of the same number
RECORDER_TRACES_DIR=trace.turns preload "$TEST_BIN/wrap/clone" 111 "$calls" turns || fail "turns: exit status $?"
recorder2text -q trace.turns >text || fail "turns: recorder2text"
expect_eq "$calls" "$(grep -c ' pwrite(.*/child"' text)" "turns: the child's"
expect_eq "$((2 * calls))" "$(grep -c ' pwrite(.*/\(parent\|after\)"' text)" "turns: the parent's"
expect_eq 1 "$(grep -c ' pwrite(.*/inherited"' text)" "turns: what the child was given"
