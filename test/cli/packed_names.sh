#!/bin/sh
# SPDX-License-Identifier: MIT
# Thousands of files that have numbers for names are little in a trace, and no more in a packed one.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

RECORDER_TRACES_DIR=$PWD/trace
export RECORDER_TRACES_DIR
mkdir work
preload sh -c 'i=0; while [ $i -lt 4000 ]; do : >work/file.$i; i=$((i + 1)); done' || fail "sh gives $?"
recorder pack trace -o packed.rtrace 2>err || fail "pack: $(cat err)"
recorder unpack packed.rtrace -o again 2>err || fail "unpack: $(cat err)"
diff -r trace again >differences || fail "$(cat differences)"

before=$(cat trace/* | wc -c)
after=$(wc -c <packed.rtrace)
[ "$before" -lt 80000 ] || fail "$before bytes of 4,000 files"
[ "$after" -le "$before" ] || fail "$after bytes are packed, $before were before"
