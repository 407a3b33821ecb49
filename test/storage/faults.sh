#!/bin/sh
# SPDX-License-Identifier: MIT
# The places where a trace is to be written to, and all that can be wrong with them. In each case the program says, returns and
# writes what it does without the recorder; what was recorded before can be read; each call that is missing is counted, by
# `recorder info` and by every converter.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
hooked=$TOP_BUILDDIR/test/.libs/librecorder_hooked.so
many=$TEST_BIN/storage/many
calls=$((4 * 5002 + 3)) # four threads open, write and close; one file; one line

memory_dir
live=$memory
mounted=
trap 'if [ -n "$mounted" ]; then umount -l "$mounted"; fi; test_cleanup' EXIT
mkdir data

# FAULT TRACE [VARIABLE=VALUE...]: one run under the recorder, which must not show
run()
{
	fault=$1 trace=$2
	shift 2
	rm -rf data/* "${live:?}"/*
	env RECORDER_LIVE_DIR="$live" RECORDER_BUFFER_SIZE=32k RECORDER_MIN_FREE=0 RECORDER_TRACES_DIR="$trace" "$@" \
		LD_PRELOAD="$hooked" "$many" data 4 5000 >out 2>notes || fail "$fault: the program ended with $?: $(cat notes)"
	expect_eq 20000 "$(cat out)" "$fault: what the program said"
	grep -v '^recorder: ' notes && fail "$fault: what the program said on stderr"
	return 0
}

# FAULT TRACE: all calls are in the trace or counted in it; those that are in it can be read; all readers say what is not
accounted()
{
	recorder info --json "$2" >info.json 2>info.said || fail "$1: recorder info: $(cat info.said)"
	stored=$(info_number records) lost=$(info_number lost) unreadable=$(info_number unreadable)
	expect_eq $calls $((stored + lost + unreadable)) "$1: $stored stored, $lost lost, $unreadable unreadable"
	recorder2text "$2" 2>text.said >text || fail "$1: recorder2text: $(cat text.said)"
	expect_eq "$stored" "$(grep -vc '= ? in_flight$' text)" "$1: records that recorder2text gives"
	for format in pfw chrome; do
		recorder2pfw --force --format $format -o "out.$format" "$2" 2>"$format.said" || fail "$1: recorder2pfw: $(cat $format.said)"
	done
	[ "$lost" -gt 0 ] || return 0
	for said in info.said text.said pfw.said chrome.said; do
		grep -q "incomplete: $lost records lost" $said || fail "$1: $said: $(cat $said)"
	done
}

# FAULT TRACE: some are lost, for the reason $3
lossy()
{
	accounted "$1" "$2"
	[ "$lost" -gt 0 ] || fail "$1: nothing is lost"
	grep -q "lost.$3" "$2"/*.lm || fail "$1: the reason, $3, is not in the LM"
}

# ---- the directory ----

run "directory missing" new/trace
accounted "directory missing" new/trace
run "parent missing" a/b/c/trace
accounted "parent missing" a/b/c/trace
expect_eq 0 "$lost" "parent missing: lost"

run "a file in the place of the directory" out
grep -q "cannot write a trace" notes || fail "a file in the place of the directory: no note"
run "read-only" trace.ro RECORDER_TEST_FAIL=mkdirat:1+:EROFS
grep -q "cannot write a trace.*Read-only" notes || fail "read-only: no note: $(cat notes)"
[ ! -e trace.ro ] || fail "read-only: something was made"

# ---- a limit to the size of files, from the start ----
(
	ulimit -f 0
	LD_PRELOAD=$RECORDER_SO RECORDER_TRACES_DIR=trace.limit cat <"$many" | cmp - "$many"
) 2>notes || fail "no file may grow: the program ended otherwise: $(cat notes)"

# the first live file fits, a ring does not, both do: whoever is over the limit must not be told by SIGXFSZ
for kilobytes in 1 8 20 50 70 100 200 270 300; do
	(
		ulimit -f $((kilobytes * 2)) # this shell's are of 512 bytes
		LD_PRELOAD=$RECORDER_SO RECORDER_TRACES_DIR=trace.limit.$kilobytes cat <"$many" | cmp - "$many"
	) 2>notes || fail "no file of more than $kilobytes KiB: the program ended otherwise: $(cat notes)"
done

# ---- a file system that is full, or says so in other words ----

for error in EDQUOT ENOSPC EIO; do
	run "$error from the 9th write on" "trace.$error" RECORDER_TEST_FAIL=writev:9+:$error
	accounted "$error" "trace.$error"
	[ "$lost" -gt 0 ] && [ "$stored" -gt 0 ] || fail "$error: $stored stored, $lost lost"
	run "$error once" "trace.$error.once" RECORDER_TEST_FAIL=writev:9:$error
	accounted "$error once" "trace.$error.once"
done
lossy "EIO once" trace.EIO.once write_error
run "writes are cut short" trace.short RECORDER_TEST_FAIL=writev:9:short
accounted "writes are cut short" trace.short
expect_eq "0 0" "$lost $unreadable" "one write is cut short"
run "a slow file system" trace.slow RECORDER_TEST_FAIL=writev:1+:slow
accounted "a slow file system" trace.slow
expect_eq 0 "$lost" "slow: lost"

# ---- the live files ----

run "no shared mappings" trace.nommap RECORDER_TEST_FAIL=mmap_file:1+:ENODEV
accounted "no shared mappings" trace.nommap
expect_eq 0 "$lost" "no shared mappings: lost"
run "no space for rings" trace.noring RECORDER_TEST_FAIL=fallocate:1+:ENOSPC
accounted "no space for rings" trace.noring
expect_eq 0 "$lost" "no space for rings: lost"
expect_eq "" "$(ls "$live")" "no space for rings: live files"

# more of them than their first pages: with none to be had, and by a kernel that gives it by the file alone
mkdir named
(cd named && seq -f 'a file whose name takes some room, number %04g' 600 | xargs -d '\n' touch)
for error in EFAULT ENOMEM EINVAL; do
	run "no pages: $error" "trace.pages.$error" RECORDER_TEST_FAIL="madvise_populate:1+:$error"
	accounted "no pages: $error" "trace.pages.$error"
	expect_eq 0 "$lost" "no pages, $error: lost"
	expect_eq "" "$(ls "$live")" "no pages, $error: live files"
	rm -f asked
	env RECORDER_LIVE_DIR="$live" RECORDER_TRACES_DIR="trace.$error.names" RECORDER_TEST_FAIL="madvise_populate:1+:$error" \
		RECORDER_TEST_FAIL_LOG="$PWD/asked" LD_PRELOAD="$hooked" cat named/* 2>notes || fail "cat without pages, $error"
	[ -s asked ] || fail "cat asks for no pages"
	expect_eq 600 "$(recorder2text "trace.$error.names" | grep -c 'open.*number')" "files of cat without pages, $error"
	recorder info --json "trace.$error.names" >info.json || fail "info"
	expect_eq 0 "$(info_number lost)" "lost of them"
done

# ---- removed or renamed while the program runs ----

cat >moved.c <<'CODE'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include "bare.h"
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = open("data/file", O_CREAT | O_RDWR, 0600);

	for (int i = 0; i < 20000; i++) {
		if (pwrite(fd, "8 bytes", 8, rand() % 4096) != 8)
			return 1;
		if (i == 10000) {
			close(bare(SYS_openat, AT_FDCWD, "half", O_CREAT | O_WRONLY, 0600));
			while (!bare(SYS_faccessat, AT_FDCWD, "half", 0))
				;
		}
	}
	return 7;
}
CODE
cc -w -I"$TOP_SRCDIR/test" -o moved moved.c || fail "cannot compile"
# FAULT COMMAND...: which is run when the program has done half
while_running()
{
	fault=$1
	shift
	rm -rf trace half
	LD_PRELOAD=$RECORDER_SO RECORDER_LIVE_DIR=$live RECORDER_BUFFER_SIZE=32k RECORDER_TRACES_DIR=trace ./moved 2>notes &
	program=$!
	until_ [ -e half ]
	"$@"
	rm half
	wait $program
	expect_eq 7 $? "$fault: status"
}
while_running "trace removed" rm -rf trace
[ ! -e trace ] || fail "trace removed: it came back"
calls=20002
while_running "trace renamed" mv trace elsewhere
recorder info --json elsewhere >info.json 2>info.said || fail "trace renamed: $(cat info.said)"
[ "$(info_number records)" -gt 9000 ] || fail "trace renamed: $(info_number records) records"
grep -q '"complete": true' info.json && [ "$(info_number records)" != $calls ] && fail "trace renamed: said to be complete"

# nothing is lost that reaches the .rec, and only a kill would show that the rings had no files any more
while_running "live directory removed" rm -rf "$live"/recorder-*
accounted "live directory removed" trace
expect_eq 0 "$lost" "live directory removed: lost"
grep -q '"complete": true' info.json || fail "live directory removed: not complete"
expect_eq "" "$(ls "$live")" "live directory removed: left"

# ---- file systems of 1 MiB ----

if ! { mkdir tiny && mount -t tmpfs -o size=1m none tiny && mounted=$test_dir/tiny; } 2>/dev/null; then
	[ "$(id -u)" != 0 ] || fail "root cannot mount a tmpfs"
	skip "the rest: mounting a tmpfs needs root"
fi
writes=400000 # of each thread: a trace of several MiB, however few bytes time stamps take on this machine
calls=$((4 * (writes + 2) + 3))
for free in 0 64k; do
	[ $free = 0 ] && reason=no_space || reason=min_free
	rm -rf tiny/* data/*
	RECORDER_MIN_FREE=$free recorder run -o tiny/trace -- "$many" data 4 $writes >out 2>notes ||
		fail "full file system: status $?: $(cat notes)"
	expect_eq $((4 * writes)) "$(cat out)" "full file system: what the program said"
	head -c 2000000 /dev/zero 2>/dev/null >tiny/other
	lossy "full file system" tiny/trace "$reason"
	grep -q "records were lost" notes || fail "full file system: recorder run says nothing"
	[ $free != 0 ] || ! grep -q RECORDER_MIN_FREE notes || fail "full file system: no limit was asked for: $(cat notes)"
done
# somebody else takes the space in the middle
rm -rf tiny/* data/*
(until ls tiny/trace/*.rec >/dev/null 2>&1; do sleep 0.02; done; head -c 2000000 /dev/zero 2>/dev/null >tiny/other) &
RECORDER_MIN_FREE=0 recorder run -o tiny/trace -- "$many" data 4 $writes >out 2>notes || fail "full by others: status $?"
wait
accounted "full by others" tiny/trace
# full before it starts
rm -rf tiny/* data/*
head -c 2000000 /dev/zero 2>/dev/null >tiny/other
RECORDER_MIN_FREE=0 recorder run -o tiny/trace -- "$many" data 4 $writes >out 2>notes || fail "full before: status $?: $(cat notes)"
expect_eq $((4 * writes)) "$(cat out)" "full before: what the program said"
grep -q "cannot write a trace.*No space" notes || fail "full before: no note: $(cat notes)"
# live files there
rm -rf tiny/* data/*
head -c 900000 /dev/zero >tiny/other
RECORDER_LIVE_DIR=$PWD/tiny RECORDER_TRACES_DIR=trace.live preload "$many" data 4 $writes >out 2>notes ||
	fail "full live directory: status $?"
accounted "full live directory" trace.live
expect_eq 0 "$lost" "full live directory: lost"
exit 0
