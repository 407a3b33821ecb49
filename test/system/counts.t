#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder system counts the system calls of real programs as strace -f does: Python, fio with each way of doing I/O, a static program with queues.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

need_kernel
need strace

# COUNT NAME of the calls whose names match, of "NAME(ARGUMENTS" lines; of memory those for files alone: arenas come as threads meet.
counted()
{
	sed -e '/^\(brk\|munmap\|futex\)(/d' -e '/^mmap(.*\(MAP_ANONYMOUS\|fd=-1\)/d' -e 's/(.*//' | grep -xE "$1" | sort | uniq -c
}

# same NAMES CMD...: NAMES, an expression, of both are as often
same()
{
	names=$1
	shift
	rm -rf got.trace
	recorder system -q -o got.trace -- "$@" >/dev/null || fail "exit status $?"
	recorder check -q --strict got.trace || fail "recorder check"
	recorder2text -q got.trace | sed -n 's/^[^ ]* [0-9]* [^ ]* [^ ]* [0-9]* kernel //p' | counted "$names" >got
	strace -f -qq -e signal=none -o strace.out "$@" >/dev/null 2>&1
	sed -n 's/^[0-9]* *\([a-z0-9_]*(.*\)/\1/p' strace.out | counted "$names" >want
	diff want got || fail "not as strace has them"
}

# at_least COUNT NAME of what was compared
at_least()
{
	[ "$(awk -v name="$2" '$2 == name { print $1 }' got)" -ge "$1" ] || fail "$2: $(cat got)"
}

# Waiting depends on who is faster; all else is the same each time.
python()
{
	same '[a-z0-9_]*' "$(python3 -c 'import sys; print(sys.executable)')" -S -c '
import json, os
with open("file", "w") as file:
    json.dump(sorted(os.listdir("/etc")), file)
print(open("file").read())'
	at_least 20 read
}

# How often it looks for ends, reads clocks and wakes its threads differs; what it does to its file does not.
fio_by()
{
	fio --name=job --ioengine="$1" --rw=randrw --bs=4k --size=1m --filename="$PWD/data" --iodepth=4 --randseed=1 --thread \
		--output=/dev/null >/dev/null 2>&1 || fail "fio does not have it"
	same 'pread64|pwrite64|io_setup|io_submit|io_destroy|io_uring_setup|io_uring_register|fadvise64|fsync|msync|mmap|mkdir|execve|clone3?' \
		fio --name=job --ioengine="$1" --rw=randrw --bs=4k --size=1m --filename="$PWD/data" --iodepth=4 --randseed=1 --thread \
		--output=/dev/null
	at_least "$2" "$3"
}

queues()
{
	cc -static -O1 -D_GNU_SOURCE -I"$TOP_SRCDIR" -I"$TOP_SRCDIR/test/trace" -I"$TOP_SRCDIR/include" -I"$TOP_BUILDDIR" -o queues \
		"$TOP_SRCDIR/test/layers/queues.c" -luring -laio 2>err || fail "$(cat err)"
	same '[a-z0-9_]*' ./queues
	at_least 1 io_submit
	at_least 1 io_uring_enter
}

try Python python
if command -v fio >/dev/null; then
	try "fio, psync" fio_by psync 100 pwrite64
	try "fio, libaio" fio_by libaio 256 io_submit
	try "fio, io_uring" fio_by io_uring 1 io_uring_setup
	try "fio, mmap" fio_by mmap 10 mmap
else
	report_skip "no fio"
fi
if [ -x "$TEST_BIN/layers/queues" ]; then
	try "static program with queues" queues
else
	report_skip "built without liburing and libaio"
fi
echo "1..$reported"
