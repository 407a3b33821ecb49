#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder system --events PRESET records what the preset says and nothing else, and recorder2text --columns PRESET shows it as the bpftrace scripts of trace_visuals do.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
sources=$TOP_SRCDIR/test/system

cc -static -O1 -o job "$sources/job.c" -lpthread || skip "no static programs"
cc -O1 -o disk "$sources/disk.c" || fail "disk.c"
need_kernel

# LIST CALLS: how often the plain job makes each of the calls, and no other one, with this --events
recorded_with()
{
	recorder system -q -o some.trace --events="$1" -- ./job plain file || fail "exit status $?"
	recorder2text -q some.trace | sed -n 's/^[^ ]* [0-9]* [^ ]* [^ ]* [0-9]* kernel \([a-z0-9_]*\)(.*/\1/p' | sort | uniq -c | awk '{ printf "%s%s %d", sep, $2, $1; sep = "," }' >got
	expect_eq "$2" "$(cat got)" "calls with --events=$1"
	rm -rf some.trace
}

presets()
{
	recorded_with openat "openat 2"
	recorded_with close "close 2"
	recorded_with create-del "unlink 1"
	recorded_with read "read 2"
	recorded_with write "pwrite64 1"
	recorded_with write,read,lseek "lseek 1,pwrite64 1,read 2"
	recorded_with read,-read,close "close 2"
	recorded_with bio ""
	recorder system -q -o whole.trace --events=openat,close -- ./job plain file
	recorder check -q --strict whole.trace || fail "recorder check"
	rm -rf whole.trace
	recorder system -q -o whole.trace --events=all -- ./job plain file
	recorder system -q -o less.trace --events=-read,-openat -- ./job plain file
	all=$(recorder2text -q whole.trace | grep -c ' kernel ')
	expect_eq $((all - 4)) "$(recorder2text -q less.trace | grep -c ' kernel ')" "all but four"
	recorder system -q -o none.trace --events=none -- true 2>/dev/null
	expect_eq 2 $? "no such events"
	# as sums, too
	recorder system -q -o sums.trace --events=read --mode profile -- ./job plain file
	expect_eq "read" "$(recorder2text -q sums.trace | sed 's/.* kernel \([a-z]*\)(.*/\1/' | uniq)" "sums"
}

# TABLE: its names, and its lines on the job's file, without what is not the same each time
table()
{
	recorder2text --columns "$1" plain.trace >table || fail "--columns $1"
	awk 'NR == 1 { print; for (i = 1; i <= NF; i++) varies[i] = $i ~ /^(TIMESTAMP|PID|TID|LAT)$/; next }
		/a.040b|none| -1 / { for (i = 1; i <= NF; i++) printf "%s%s", varies[i] ? "." : $i, i < NF ? " " : "\n" }' table
	awk -v from="$before" -v to="$after" 'NR > 1 && ($1 < from || $1 > to) { bad = 1 } END { exit bad }' table || fail "$1: not in the time of the run"
}

tables()
{
	before=$(python3 -c 'import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC))')
	recorder system -q -o plain.trace -- ./job plain "a b" || fail "exit status $?"
	after=$(python3 -c 'import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC))')
	for name in read read:explore write write:explore openat close create-del mmap mmap:munmap bio bio:explore; do
		table $name
	done >got
	cat >want <<-'END'
	TIMESTAMP PID OFFSET RET LAT FILENAME
	. . 0 8 . a\040b
	. . 2 1 . a\040b
	TIMESTAMP PID COMM OFFSET RET FILENAME
	. . job 0 8 a\040b
	. . job 2 1 a\040b
	TIMESTAMP PID OFFSET SIZE LAT FILENAME
	. . 0 8 . a\040b
	TIMESTAMP PID TID COMM LAT FILENAME
	. . . job . a\040b
	TIMESTAMP PID COMM LAT FULLPATH FILENAME
	. . job . a\040b a\040b
	. . job . /there/is/none none
	TIMESTAMP PID FD LAT FILENAME
	. . -1 . -
	. . 3 . a\040b
	TIMESTAMP PID FUNCTION MODE LAT FILENAME FULLPATH
	. . unlink - . a\040b a\040b
	TIMESTAMP FD ADDRESS HINT LEN PROT FLAGS LAT FILENAME
	TIMESTAMP TID ADDRESS LEN LAT
	TIMESTAMP PID COMM DISK T BYTES SECTOR LAT
	TIMESTAMP PID COMM DISK T BYTES QLAT LAT
	END
	diff want got || fail "not as the program makes them"
	recorder2text --columns nothing plain.trace 2>/dev/null
	expect_eq 2 $? "no such table"
}

# Values of calls that a static job does not make, against what recorder2text shows of the same records.
values()
{
	recorder system -q -o more.trace -- sh -c 'umask 0; mkdir -m 750 made; ls made; rmdir made' || fail "exit status $?"
	recorder2text -q more.trace >text
	for pair in mmap:mmap mmap:munmap:munmap "read:p*read[64]*" "close:close"; do
		expect_eq "$(grep -c " kernel ${pair##*:}(" text)" "$(recorder2text --columns "${pair%:*}" more.trace | sed 1d | grep -c .)" "lines of ${pair%:*}"
	done
	recorder2text --columns create-del more.trace | awk '{ print $3, $4, $6, $7 }' >got
	expect_eq "FUNCTION MODE FILENAME FULLPATH
mkdir 0750 made made
rmdir - made made" "$(cat got)" "made and removed"
	grep ' kernel mmap(' text | sed 's/.*length=\([0-9]*\),.* = \(0x[0-9a-f]*\)$/\2 \1/' >want
	recorder2text --columns mmap more.trace | awk 'NR > 1 { print $3, $5 }' | diff want - || fail "addresses and lengths"
}

disks()
{
	recorder system -q -o disk.trace --events bio -- ./disk direct file
	case $? in
	77) return ;;
	0) ;;
	*) fail "exit status" ;;
	esac
	expect_eq "" "$(recorder2text -q disk.trace | grep ' kernel ')" "system calls"
	# with what the file system has read and written for it
	recorder2text -q disk.trace | sed -n 's/.* block block_\([a-z]*\)(.* bytes=\([0-9]*\),.* comm="disk", .*/\1 \2/p' | awk '{ n[$1] += $2 } END { print n["write"], n["read"] }' >want
	recorder2text --columns bio disk.trace | awk '$5 == "W" && $3 == "disk" && $7 > 0 && ($8 == "-" || $8 > 0) { n += $6 } END { print n }' >bytes.written
	recorder2text --columns bio:explore disk.trace | awk '$5 == "R" && $3 == "disk" && $7 != "-" && ($8 == "-" || $8 > 0) { n += $6 } END { print n }' >bytes.read
	expect_eq "$(cat want)" "$(cat bytes.written) $(cat bytes.read)" "bytes written and read"
	[ "$(cat bytes.written)" -ge $((4 << 20)) ] && [ "$(cat bytes.read)" -ge $((8 * 4096)) ] || fail "$(cat want)"
}

# descriptors of the program are to begin behind these
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
try "presets" presets
try "tables" tables
try "values" values
try "requests to disks" disks
echo "1..$reported"
