#!/bin/sh
# SPDX-License-Identifier: MIT
# Calls that are shorter than RECORDER_MIN_DURATION are left out, and how many is kept exactly: by process, also of the child
# of a fork, and by segment.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3

cat >short.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int file;

static void seek(int count)
{
	for (int i = 0; i < count; i++)
		lseek(file, i, SEEK_SET);
}

/* Seeks, which are short, and in their midst as many reads, each of 150 ms. */
static void work(int seeks, int reads)
{
	struct itimerspec time = {{0, 150000000}, {0, 150000000}};
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	long times;

	seek(seeks / 2);
	timerfd_settime(timer, 0, &time, NULL);
	for (int i = 0; i < reads; i++)
		read(timer, &times, sizeof(times));
	seek(seeks - seeks / 2);
}

int main(int argc, char **argv)
{
	(void)argc;
	file = open(argv[1], O_RDWR | O_CREAT, 0600);
	work(1000, 2);
	if (fork() == 0) {
		work(10, 3);
		_exit(0);
	}
	wait(NULL);
	work(7, 1);
	return 0;
}
END
cc -w -o short short.c || fail "cannot compile"

# counts TRACE: of each segment, in the order of their processes: calls of lseek and read that were left out, and those recorded
cat >counts.py <<'END'
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["TOP_SRCDIR"], "test"))
from decode import Trace
trace = Trace(sys.argv[1])
for stream in sorted(trace.streams, key=lambda stream: stream.meta["pid"]):
    for meta in stream.closed + [stream.meta]:
        calls = {name: count for (_, name), count in stream.calls_said(meta)}
        for name in ("lseek", "read"):
            print(meta.get(f"skipped.{name}", 0), calls.get(name, 0), end=" " if name == "lseek" else "\n")
assert not trace.problems, trace.problems
END

LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR=trace RECORDER_MIN_DURATION=100ms ./short file || fail "status"
python3 counts.py trace >counts || fail "the second reader"
expect_eq "1007 0 0 3
10 0 0 3" "$(cat counts)" "calls of parent and child"
expect_eq 6 "$(recorder2text trace | grep -c ' read(')" "reads"
expect_eq 0 "$(recorder2text trace | grep -c ' lseek(')" "seeks"

# each segment has its own, and together they have all
LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR=turned RECORDER_MIN_DURATION=100ms RECORDER_ROTATE=100ms RECORDER_FLUSH=50ms ./short file ||
	fail "status with segments"
python3 counts.py turned >counts || fail "the second reader, of segments"
[ "$(wc -l <counts)" -gt 2 ] || fail "there are no segments"
expect_eq "1017 0 0 6" "$(awk '{a += $1; b += $2; c += $3; d += $4} END {print a, b, c, d}' counts)" "calls of all segments: $(cat counts)"
expect_eq 1017 "$(recorder sql -q --csv turned "SELECT SUM(value) FROM metadata WHERE name = 'skipped.lseek'" | tail -n 1)" "calls that were left out, of streams"
exit 0
