#!/bin/sh
# SPDX-License-Identifier: MIT
# Completeness is a number, and words: how many calls of each stream were made, stored and lost, and why, also where the process was
# killed and nobody wrote its end; which ranks left nothing; which streams a crash would have cut.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3
hooked=$TOP_BUILDDIR/test/.libs/librecorder_hooked.so
writes=$TEST_BIN/storage/writes
calls=200001
memory_dir
RECORDER_LIVE_DIR=$memory RECORDER_BUFFER_SIZE=32k
export RECORDER_LIVE_DIR RECORDER_BUFFER_SIZE

# TRACE REASON [CALLS]: nothing else is given as a reason, by info and by check, in text and in JSON, and the numbers add up
because()
{
	recorder info --json "$1" >info.json 2>said || fail "$1: $(cat said)"
	recorder check --json "$1" >check.json 2>said || fail "$1: $(cat said)"
	recorder info "$1" >info.text 2>said || fail "$1: $(cat said)"
	recorder check "$1" >check.text 2>said || fail "$1: $(cat said)"
	python3 - "$2" "${3:-$calls}" <<'END' || fail "$1: $(cat info.text check.text)"
import json, sys
reason, calls = sys.argv[1], int(sys.argv[2])
info, check = json.load(open("info.json")), json.load(open("check.json"))
stream = info["streams"][0]
assert stream["made"] == calls == stream["records"] + stream["lost"] + stream["unreadable"], stream
assert stream["losses"] == info["losses"] == check["losses"] == [{"reason": reason, "records": stream["lost"]}], info
lost = f"{stream['lost']} {reason}: "
assert any(line.startswith("lost ") and lost in line for line in open("info.text")), "recorder info"
assert any(f"{stream['lost']} lost, {reason}: " in line for line in open("check.text")), "recorder check"
END
}

# TRACE [VARIABLE=VALUE...]
run()
{
	trace=$1
	shift
	env LD_PRELOAD="$hooked" RECORDER_TRACES_DIR="$trace" RECORDER_QUIET=1 "$@" "$writes" data $((calls - 1)) || fail "$trace: status $?"
}

run max_size RECORDER_MAX_SIZE=100k
because max_size max_size
run min_free RECORDER_MIN_FREE=1000000g
because min_free min_free
run no_space RECORDER_TEST_FAIL=writev:9+:ENOSPC
because no_space no_space
run quota RECORDER_TEST_FAIL=writev:9+:EDQUOT
because quota no_space
run write_error RECORDER_TEST_FAIL=writev:9+:EIO
because write_error write_error
run file_size RECORDER_TEST_FAIL=writev:9+:EFBIG
because file_size file_size
run rotated RECORDER_ROTATE=50k RECORDER_KEEP=1
because_segments()
{
	recorder info --json "$1" >info.json || fail "$1: recorder info"
	python3 - $calls <<'END' || fail "$1: $(cat info.json)"
import json, sys
info = json.load(open("info.json"))
assert [loss["reason"] for loss in info["losses"]] == ["rotated"], info["losses"]
assert info["records"] + info["lost"] == int(sys.argv[1]), info
END
}
because_segments rotated

rm -rf "${memory:?}"/*

# ---- killed: no end says why ----

cat >until_killed.c <<'CODE'
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = open("data", O_CREAT | O_WRONLY, 0600);

	for (int i = 0; i < 200000; i++)
		if (pwrite(fd, "8 bytes", 8, rand() % 100000) != 8)
			return 1;
	raise(SIGKILL);
}
CODE
cc -w -o until_killed until_killed.c || fail "cannot compile"
for case in max_size:RECORDER_MAX_SIZE=100k min_free:RECORDER_MIN_FREE=1000000g no_space:RECORDER_TEST_FAIL=writev:9+:ENOSPC; do
	reason=${case%%:*}
	env LD_PRELOAD="$hooked" RECORDER_TRACES_DIR="killed.$reason" RECORDER_QUIET=1 "${case#*:}" ./until_killed
	expect_eq 137 $? "killed.$reason: status"
	because "killed.$reason" "$reason"
	recorder repair -q "killed.$reason" || fail "killed.$reason: repair"
	because "killed.$reason" "$reason"
done
expect_eq "" "$(ls "$memory")" "left in memory"

# when it died its launcher has told the live file: here, an hour later
RECORDER_TRACES_DIR=killed.late preload ./until_killed
python3 - "$memory"/*/*.defs <<'END' || fail "no live file"
import struct, sys, time
with open(sys.argv[1], "r+b") as file:
    file.seek(176)
    file.write(struct.pack("<Q", time.time_ns() + 3600 * 10**9))
END
recorder info --json killed.late 2>/dev/null | python3 -c 'import json, sys
end = json.load(sys.stdin)["streams"][0]["end"]
assert 3600 <= end < 7200, end' || fail "the time of death is not the end"
rm -rf "${memory:?}"/*

# ---- ranks that left nothing ----

for rank in 0 1 2 4 6 7; do
	env LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR=absent RANK=$rank WORLD_SIZE=8 RECORDER_RUN_ID=absent "$writes" data 3 ||
		fail "rank $rank"
done
recorder info absent >said 2>&1
grep -qx 'absent     ranks 3 and 5 of 8 left no stream' said || fail "absent: $(cat said)"
grep -qx 'ends       6 in order, 0 repaired, 0 died, 0 running' said || fail "ends: $(cat said)"
recorder check absent >said 2>&1
grep -qx 'absent: ranks 3 and 5 of 8 left no stream' said || fail "check: $(cat said)"
recorder info --json absent 2>/dev/null | python3 -c 'import json, sys
absent = [(each["first_rank"], each["last_rank"], each["size"]) for each in json.load(sys.stdin)["absent"]]
assert absent == [(3, 3, 8), (5, 5, 8)], absent' || fail "absent in JSON"

# ---- rings that are nobody's but the process's ----

for case in RECORDER_TEST_FAIL=fallocate:2+:ENOSPC RECORDER_LIVE_MAX=0 RECORDER_LIVE_DIR=/nowhere RECORDER_QUIET=1; do
	run private "$case"
	recorder info private >said 2>&1
	recorder info --json private >info.json
	if [ $case = RECORDER_QUIET=1 ]; then
		grep crash said && fail "rings that are files: $(cat said)"
		grep -q '"crash_safe": true' info.json || fail "rings that are files: $(cat info.json)"
	else
		grep -q '^live files not crash-safe in 1 of 1 streams' said || fail "$case: $(cat said)"
		grep -q '"crash_safe": false' info.json || fail "$case: $(cat info.json)"
	fi
	rm -rf private
done

# less than one thread needs is not taken for none at all
for timing in stamps summary; do
	run little RECORDER_LIVE_MAX=64k RECORDER_TIMING=$timing
	recorder info --json little >info.json
	grep -q '"crash_safe": true' info.json || fail "little memory for rings, $timing: $(cat info.json)"
	rm -rf little
done
for said in 64k:1 0:0 512k:0; do
	env LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR=little RECORDER_LIVE_MAX="${said%:*}" "$writes" data 3 2>notes || fail "status $?"
	expect_eq "${said#*:}" "$(grep -c "RECORDER_LIVE_MAX=${said%:*} is less than one thread needs; 512k is used" notes)" "notes of $said: $(cat notes)"
done

# killed: how many of them were in that memory nobody knows, but that there were such
for case in RECORDER_LIVE_MAX=0 RECORDER_LIVE_DIR=/nowhere; do
	env LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR=private "$case" ./until_killed
	recorder repair -q private || fail "$case: repair"
	recorder info private >said 2>&1
	grep -qx 'lost       some no_ring: no memory for the ring of a thread' said || fail "$case: $(cat said)"
	grep -q '^state      INCOMPLETE' said || fail "$case: $(cat said)"
	rm -rf private
done

# ---- nothing could be recorded at all: there is a file for the metadata, and none for the records ----

mkdir tiny
mounted=
trap '[ -z "$mounted" ] || umount -l "$test_dir/tiny"; test_cleanup' EXIT
inodes=3
until recorder info tiny/trace 2>/dev/null | grep -q 'not recorded: ENOSPC'; do
	[ -z "$mounted" ] || umount -l tiny
	mounted=
	inodes=$((inodes + 1))
	[ $inodes -lt 12 ] || fail "no number of inodes makes a stream that says that it is not recorded"
	if ! mount -t tmpfs -o nr_inodes=$inodes none tiny 2>/dev/null; then
		[ "$(id -u)" != 0 ] || fail "root cannot mount a tmpfs"
		skip "the rest: mounting a tmpfs needs root"
	fi
	mounted=yes
	run tiny/trace
done
exit 0
