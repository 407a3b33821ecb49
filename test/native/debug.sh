#!/bin/sh
# SPDX-License-Identifier: MIT
# Names that were stripped of a program are found where they were put: by .gnu_debuglink, by build-id, in .gnu_debugdata.
. "${TOP_SRCDIR:?}/test/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip "not of this CPU yet"
need objcopy binutils
skip_under_tsan

# calls PROGRAM: how often what is static in it was recorded
calls()
{
	rm -rf trace
	RECORDER_TRACES_DIR=$PWD/trace RECORDER_TARGETS='hidden;exported' preload "$1" >out || fail "$1: exit status $?"
	diff alone out || fail "$1: another output"
	recorder2text -q --layers native trace | grep -c ' native hidden(' || :
}

cc -O2 -g -rdynamic -Wl,--build-id -o whole "$TOP_SRCDIR/test/native/short.c" || fail "cannot compile"
./whole >alone || fail "alone"
objcopy --only-keep-debug --compress-debug-sections=zlib whole parts.debug || fail "objcopy"
strip -o bare whole || fail "strip"
expect_eq 0 "$(calls ./bare)" "calls of what has no name"

objcopy --add-gnu-debuglink=parts.debug bare linked || fail "objcopy"
expect_eq 12 "$(calls ./linked)" "calls by the file beside it"
mkdir .debug
mv parts.debug .debug
expect_eq 12 "$(calls ./linked)" "calls by the file in .debug"

# of another build
cc -O1 -g -rdynamic -Wl,--build-id -o other "$TOP_SRCDIR/test/native/short.c" || fail "cannot compile"
objcopy --only-keep-debug other .debug/parts.debug || fail "objcopy"
expect_eq 0 "$(calls ./linked)" "calls by a file of another build"
head -c 3000 whole >.debug/parts.debug
expect_eq 0 "$(calls ./linked)" "calls by a file that is cut"

# without build-ids the checksum tells
cc -O2 -g -rdynamic -Wl,--build-id=none -o plain "$TOP_SRCDIR/test/native/short.c" || fail "cannot compile"
objcopy --only-keep-debug plain plain.debug || fail "objcopy"
objcopy --strip-all --add-gnu-debuglink=plain.debug plain summed || fail "objcopy"
expect_eq 12 "$(calls ./summed)" "calls by a file with the right checksum"
printf x >>plain.debug
expect_eq 0 "$(calls ./summed)" "calls by a file with another checksum"

# as Fedora has it: functions that are not exported, by xz
if command -v xz >/dev/null && [ -n "$(find /lib /usr/lib -name 'liblzma.so.5' 2>/dev/null)" ]; then
	nm -D whole --format=posix --defined-only | awk '{ print $1 }' | LC_ALL=C sort >exported
	nm whole --format=posix --defined-only | awk '$2 ~ /^[Tt]$/ { print $1 }' | LC_ALL=C sort >functions
	comm -13 exported functions >kept
	objcopy --only-keep-debug whole mini && objcopy -S --remove-section .gdb_index --remove-section .comment --keep-symbols=kept mini || fail "objcopy"
	xz -f mini || fail "xz"
	objcopy --add-section .gnu_debugdata=mini.xz bare packed || fail "objcopy"
	expect_eq 12 "$(calls ./packed)" "calls by .gnu_debugdata"
	head -c 60 mini.xz >cut.xz
	objcopy --add-section .gnu_debugdata=cut.xz bare torn || fail "objcopy"
	expect_eq 0 "$(calls ./torn)" "calls by data that is cut"
fi
