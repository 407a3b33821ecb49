#!/bin/sh
# SPDX-License-Identifier: MIT
# Chrome JSON of four ranks that send, receive, write together and beside that by a thread: Perfetto's rules hold (check_chrome.py), messages are those that the
# program received, and a filter takes some of them away but makes no other.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpicc
need_openmpi
need python3
mpi=$TOP_SRCDIR/test/mpi

"$MPICC" -O1 -pthread -o messages "$mpi/messages.c" -lrt || fail "cannot compile"
quietly recorder run -q -o trace -- "$MPIEXEC" -n 4 ./messages || fail "cannot record"
recorder2pfw -q --format chrome -o all.json trace || fail "cannot convert"
expect_eq 184 "$(cat log.* | wc -l)" "messages that the program received"
python3 "$mpi/check_messages.py" all.json log.* || fail "messages are not those of the program"
for jobs in 1 3; do
	recorder2pfw -q --force --format chrome -j $jobs -z -o again.json.gz trace && gzip -dc again.json.gz | cmp - all.json ||
		fail "-j $jobs gives something else"
done
run_mpi 2 recorder2pfw -q --force --format chrome -o again.json trace && cmp again.json all.json || fail "two ranks give something else"

# who waited for whom is told of the same messages
recorder summary --json trace >summary.json || fail "no summary"
python3 - summary.json <<'END' || fail "summary matches other messages"
import json
import sys

found = json.load(open(sys.argv[1], encoding="utf-8"))["mpi_waits"]
assert found["messages"] == 184 and found["unmatched"] == 0, found
assert found["reversed"] == found["incomplete"] == found["given_up"] == found["left_out"] == 0 < found["collective"], found
END

# the analyzer of .pfw files finds what the summary says
for form in pfw pfw2; do
	recorder2pfw -q --force --format $form -z -o all.pfw.gz trace && python3 "$TOP_SRCDIR/test/cli/dftracer.py" trace all.pfw.gz ||
		fail "DFTracer's rules, $form"
done

# what went on, by what the program does: three requests of I/O in the thread of each rank, two of files, one transfer in two calls, one barrier
python3 - all.json <<'END' || fail "requests are not those of the program"
import collections
import json
import sys

events = json.load(open(sys.argv[1], encoding="utf-8"))["traceEvents"]
begun = collections.Counter(event["name"] for event in events if event["ph"] == "b")
want = {"MPI_Ibarrier": 4, "MPI_Isend": 144, "MPI_Irecv": 160, "MPI_Send_init": 12, "MPI_Recv_init": 12, "MPI_Issend": 8,
        "MPI_Imrecv": 4, "MPI_File_iwrite_at": 8, "MPI_File_write_at_all_begin": 4}
assert all(begun[name] == count for name, count in want.items()), begun
assert begun["aio_read"] >= 4 and begun["aio_write"] >= 8, begun
assert all(event["args"].get("completed", True) for event in events if event["ph"] == "b")
# bytes a second times seconds are bytes, but for what is lost by whole numbers
moved, last = collections.Counter(), {}
for event in events:
    if event["ph"] != "C":
        continue
    before = last.get((event["pid"], event["name"]))
    if before:
        for key, value in before["args"].items():
            moved[event["name"], key] += value * (event["ts"] - before["ts"]) / 1e6
    last[event["pid"], event["name"]] = event
files = sum(event["args"]["ret"] for event in events if event["ph"] == "X" and event["name"].startswith("pwrite"))
assert moved["posix bytes/s", "written"] >= files * 0.99, (moved, files)
assert abs(moved["mpi bytes/s", "received"] - moved["mpi bytes/s", "sent"]) < 1000, moved
assert abs(moved["mpi bytes/s", "sent"] - 184 * 64) < 1000, moved
END

# the middle of the program: some messages are half in it
window=$(python3 - all.json <<'END'
import json
import sys

events = json.load(open(sys.argv[1], encoding="utf-8"))["traceEvents"]
times = sorted(event["ts"] for event in events if event["ph"] == "s")
print(f"{times[len(times) // 3]:.3f}us..{times[len(times) * 2 // 3]:.3f}us")
END
)
for filter in "--ranks 0,2" "--functions MPI_Isend" "--functions MPI_*end*,MPI_*ecv*,MPI_Wait*" "--time $window" "--levels 0" \
	"--min-duration 5us" "--layers posix" "--layers mpi --ranks 1-3"; do
	# shellcheck disable=SC2086 # an option and its value
	recorder2pfw -q --force --format chrome $filter -o some.json trace || fail "$filter: cannot convert"
	python3 "$mpi/check_filtered.py" all.json some.json >found || fail "$filter: $(cat found)"
done
recorder2pfw -q --force --format chrome --functions 'MPI_*' -o some.json trace && python3 "$mpi/check_messages.py" some.json log.* ||
	fail "messages among calls of MPI alone"

# a rank that is killed: what it had not completed is said to be so
cat >hang.c <<'END'
#include <mpi.h>
#include <signal.h>

int main(int argc, char **argv)
{
	int in, out = 1, rank;
	MPI_Request request;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
	MPI_Sendrecv(&out, 1, MPI_INT, !rank, 6, &in, 1, MPI_INT, !rank, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	raise(SIGKILL);
	return 0;
}
END
"$MPICC" -o hang hang.c || fail "cannot compile"
recorder run -q -o killed -- "$MPIEXEC" -n 2 ./hang >/dev/null 2>&1
recorder2pfw -q --format chrome -o killed.json killed && python3 "$TOP_SRCDIR/test/cli/check_chrome.py" killed.json || fail "a killed program"
grep -q '"MPI_Irecv","cat":"request","ph":"b".*"completed":false' killed.json || fail "a request that did not complete"
exit 0
