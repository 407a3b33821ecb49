#!/bin/sh
# SPDX-License-Identifier: MIT
# Flows of Chrome JSON from a call to its requests and to the write-back of what it wrote: of programs of which it is known who wrote what.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
sources=$TOP_SRCDIR/test/system

cc -O1 -o disk "$sources/disk.c" || fail "disk.c"
recorder system -q -o probe.trace -- ./disk >out 2>&1
case $?:$(cat out) in
2:*) ;;
*"built without libbpf"*) skip "recorder system is not built: no libbpf, clang or bpftool" ;;
*) [ "$(id -u)" -eq 0 ] && fail "$(cat out)" || skip "no right to put programs into the kernel" ;;
esac

# arrows CASE FILE RECORD...: of ./disk CASE FILE, recorded by the command. On a disk that others keep busy a request can be missed (doc/roadmap.md), so it is tried three times.
arrows()
{
	case=$1 file=$2
	shift 2
	for attempt in 1 2 3; do
		rm -rf flows.trace "$file" "$file".*
		"$@" -q -o flows.trace -- ./disk "$case" "$file"
		status=$?
		[ $status -eq 77 ] && echo "no O_DIRECT here" && return
		[ $status -eq 0 ] || fail "exit status $status"
		recorder2pfw -q --force --format chrome -o flows.json flows.trace || fail "recorder2pfw"
		python3 "$sources/flow_ends.py" "$case" flows.json "$PWD/$file" && return
		[ $? -eq 3 ] || fail "arrows"
		echo "attempt $attempt"
	done
	fail "requests are missed"
}

direct()
{
	arrows direct past recorder system
}

buffered()
{
	arrows apart cached recorder system
}

# Each has its own, be they of two files or of one.
interleaved()
{
	arrows two pair recorder system
	arrows shared both recorder system
}

written_back()
{
	arrows behind later recorder system
}

# The calls of the kernel lie in those of the library.
of_library()
{
	arrows apart cached recorder run --system
	grep -q '"name":"pwrite","cat":"posix"' flows.json || fail "the library's calls"
}

# However many processes make the file, in one file and in several, and with calls left out.
in_other_forms()
{
	arrows two pair recorder system
	for jobs in 2 3; do
		recorder2pfw -q --force -j $jobs --format chrome -o jobs.json flows.trace || fail "-j $jobs"
		diff flows.json jobs.json || fail "with -j $jobs"
	done
	recorder2pfw -q --force --format chrome --layers block -o few.json flows.trace || fail "--layers"
	grep -q '"causes":0' few.json || fail "arrows from nothing"
	recorder2pfw -q --force --format chrome --no-args -o none.json flows.trace || fail "--no-args"
	grep -q '"cat":"cause"' none.json && fail "arrows without arguments"
	recorder2pfw -q --force --format pfw -o none.pfw flows.trace || fail "pfw"
	grep -q '"cat":"cause"' none.pfw && fail "arrows in .pfw"
	return 0
}

# Tables of a file system lie on its device, and many have changed them: what the kernel writes of a device by itself is nobody's.
of_device()
{
	dd if=/dev/zero of=image bs=1M count=4 2>/dev/null
	device=$(losetup -f --show image 2>err) || { echo "no loop devices here: $(cat err)"; return; }
	# the kernel's thread does it, as the device stays open
	recorder system -q -o device.trace -- sh -c 'exec 3<"$1"; dd if=/dev/zero of="$1" bs=64k count=16 2>/dev/null; sync' sh "$device"
	status=$?
	losetup -d "$device"
	expect_eq 0 $status "exit status"
	recorder2text -q device.trace >text
	grep -q " kernel write(fd=1 .* = 65536" text || fail "dd has not written"
	grep " flusher=[1-9].*\"/dev/block\|writeback_inode(.* device=0:[0-9]*, .*flusher=[1-9]\|block_write(disk=\"loop.*flusher=[1-9]" text && fail "of a device"
	return 0
}

try "past the page cache" direct
try "through the page cache, and fsync" buffered
try "two programs in turns" interleaved
try "written back later" written_back
try "calls of the library" of_library
try "other forms" in_other_forms
try "block devices" of_device
echo "1..$reported"
