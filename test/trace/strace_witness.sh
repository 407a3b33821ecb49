#!/bin/sh
# SPDX-License-Identifier: MIT
# strace(1) as witness: of the system calls that programs make themselves on files below the
# working directory, the trace has as many, by function and file.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

need strace
strace -o probe true 2>/dev/null || skip "strace may not trace here"

# system call -> the function that makes it, where both are one to one
counted='read write pread64 pwrite64 lseek fsync fdatasync ftruncate'

# "function file count" of the calls in strace's output $1, whose descriptors -y resolves
strace_counts()
{
	sed -n "s|^[0-9]* *\([a-z0-9_]*\)([0-9]*<$(pwd -P)/\([^>]*\)>.*|\1 \2|p" "$1" |
		grep -E "^($(echo "$counted" | tr ' ' '|')) " | sed 's/64 / /' | sort | uniq -c |
		awk '{ print $2, $3, $1 }'
}

# NAME PROGRAM ARG...: runs it twice, under strace and under the recorder
witness()
{
	name=$1
	shift
	strace -f -y -o "../$name.strace" "$@" >/dev/null 2>&1 || fail "$name under strace: status $?"
	strace_counts "../$name.strace" >"../$name.want"
	RECORDER_TRACES_DIR=../$name.trace preload "$@" >/dev/null 2>&1 || fail "$name: status $?"
	"${PYTHON:-python3}" "$TOP_SRCDIR/test/trace/check.py" counts "../$name.trace" "$(pwd -P)" |
		grep -E "^($(echo "$counted" | sed 's/64//g' | tr ' ' '|')) " >"../$name.got"
	[ -s "../$name.want" ] || fail "$name: strace saw nothing"
	diff "../$name.want" "../$name.got" || fail "$name: strace (<) and trace (>) differ"
}

mkdir work
cd work || fail "no directory"
head -c 1000000 /dev/zero >input
witness dd dd if=input of=output bs=1000 conv=fsync
witness copy dd if=input of=output bs=7777 iflag=fullblock conv=notrunc seek=3
witness threads "$TEST_BIN/trace/threads" 500
witness readwrite "$TEST_BIN/trace/readwrite"
