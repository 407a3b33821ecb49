#!/bin/sh
# SPDX-License-Identifier: MIT
# RECORDER_MAX_SIZE and RECORDER_MIN_FREE: the trace stops growing, the program does not notice, and each call that is not in
# the trace is counted, with the limit as reason.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

calls=300000
writes=$TEST_BIN/storage/writes

# DIR REASON: all calls are in the trace or counted in it
accounted()
{
	recorder check -q "$1" 2>/dev/null || fail "$2: recorder check"
	recorder info --json "$1" >info.json 2>/dev/null
	stored=$(info_number records)
	lost=$(info_number lost)
	[ "$lost" -gt 0 ] && [ "$stored" -gt 0 ] || fail "$2: $stored stored, $lost lost"
	expect_eq $((calls + 1)) $((stored + lost)) "$2: calls"
	grep -q "$2" "$1"/*.lm || fail "$2: the reason is not in the LM"
}

RECORDER_MAX_SIZE=100k recorder run -o small -- "$writes" data $calls 2>notes || fail "max_size: exit status $?"
accounted small max_size
[ "$(cat small/*.rec | wc -c)" -le $((102400 + 1000)) ] || fail "max_size: the .rec is too large"
grep -q "RECORDER_MAX_SIZE is reached" notes || fail "max_size: no note"
expect_eq 1 "$(grep -c 'is reached' notes)" "notes"

if ! { mkdir tiny && mount -t tmpfs -o size=8m none tiny; } 2>/dev/null; then
	[ "$(id -u)" != 0 ] || fail "root cannot mount a tmpfs"
	skip "mounting a tmpfs needs root"
fi
trap 'umount "$test_dir/tiny"; test_cleanup' EXIT
# of which the data take 1 MiB
RECORDER_MIN_FREE=6500k recorder run -o tiny/trace -- "$writes" tiny/data $calls 2>notes || fail "min_free: exit status $?"
accounted tiny/trace min_free
# by default a twentieth is left for the program
available=$(($(stat -f -c '%a * %S' tiny)))
head -c $((available - 1000000)) /dev/zero >tiny/other
recorder run -o tiny/trace2 -- "$writes" tiny/data $calls 2>notes || fail "default: exit status $?"
accounted tiny/trace2 min_free
available=$(($(stat -f -c '%a * %S' tiny)))
[ "$available" -ge $((8 * 1024 * 1024 / 20 - 65536)) ] || fail "default: only $available bytes are left"

# ---- a file system of 64 MiB that trace and program share: all writes of the program succeed ----

cat >shares.c <<'CODE'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = open(argv[1], O_CREAT | O_RDWR | O_APPEND, 0600);
	char bytes[8] = "8 bytes";

	for (int i = 0; i < 400000; i++) {
		if (write(fd, bytes, 8) != 8)
			return 1;
		pread(fd, bytes, 1 + (size_t)rand() % 8, rand());
	}
	return 0;
}
CODE
cc -w -o shares shares.c || fail "cannot compile"
umount tiny && mount -t tmpfs -o size=64m none tiny || fail "cannot mount 64 MiB"
# COMMAND: with 4.5 MiB free, of which the program needs 3
shared()
{
	rm -rf tiny/*
	head -c $((59 * 1024 * 1024 + 512 * 1024)) /dev/zero >tiny/other
	"$@" ./shares tiny/data 2>notes
}
shared || fail "64 MiB: the program alone ends with $?"
shared env RECORDER_MIN_FREE=0 recorder run -o tiny/trace -- && fail "64 MiB: there is room for all, the test shows nothing"
shared recorder run -o tiny/trace -- || fail "64 MiB: the program ends with $?: $(cat notes)"
calls=800000
accounted tiny/trace min_free
