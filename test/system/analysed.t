#!/bin/sh
# SPDX-License-Identifier: MIT
# Analyses of programs that only the kernel saw: bytes, files, the rank's own process; where the library recorded a process, too, its calls count and the kernel's do not.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

cat >io.c <<'END'
#include <fcntl.h>
#include <unistd.h>

/* 100 x 4,096 bytes written, 50 x 1,000 read, one after the other */
int main(int argc, char **argv)
{
	static char block[4096];
	int fd = open(argv[argc - 1], O_CREAT | O_RDWR | O_TRUNC, 0600), status = 0;

	for (int i = 0; i < 100; i++)
		status |= write(fd, block, sizeof(block)) != sizeof(block);
	status |= lseek(fd, 0, SEEK_SET) != 0;
	for (int i = 0; i < 50; i++)
		status |= read(fd, block, 1000) != 1000;
	status |= fsync(fd);
	return status | close(fd);
}
END
cc -O1 -static -o io_static io.c || fail "io.c"
cc -O1 -o io_dynamic io.c || fail "io.c"

need_kernel

# summary TRACE: of each file of data "name calls opens reads writes syncs read written layers", then the ranks
summary()
{
	recorder summary --json "$1" >summary.json || fail "recorder summary"
	"$PYTHON" - <<'END'
import json
summary = json.load(open("summary.json"))
for file in sorted(summary["files"], key=lambda file: file["path"]):
    if file["class"] == "data" and file["bytes_written"]:
        print(file["path"].rsplit("/", 1)[-1], *[file[key] for key in ("opens", "reads", "writes", "syncs", "bytes_read", "bytes_written")],
              "+".join(sorted(layer["layer"] for layer in file["layers"])))
print("ranks", summary["ranks_present"])
END
}

# moved TRACE: "bytes read, bytes written" of the views that go by file and by time, of the file written
moved()
{
	recorder sql --csv "$1" "SELECT sum(bytes_read), sum(bytes_written) FROM file_use WHERE path GLOB '*/$2'" | tail -n 1
	recorder sql --csv "$1" "SELECT sum(CASE WHEN operation = 'read' THEN bytes END), sum(CASE WHEN operation = 'write' THEN bytes END) FROM transfers WHERE path GLOB '*/$2' AND fs IS NOT NULL" | tail -n 1
}

alone()
{
	recorder system -q -o probe.trace -- ./io_static probe || fail "exit status $?"
	expect_eq "probe 1 50 100 1 50000 409600 kernel
ranks 1" "$(summary probe.trace)" "files"
	expect_eq "50000,409600
50000,409600" "$(moved probe.trace probe)" "views"
	recorder summary --json probe.trace >summary.json
	"$PYTHON" - <<'END' || fail "where transfers begin, and where time went"
import json
summary = json.load(open("summary.json"))
(file,) = [file for file in summary["files"] if file["path"].endswith("/probe")]
assert file["write_pattern"]["consecutive"] == 99 and file["read_pattern"]["consecutive"] == 49, file
(layer,) = [layer for layer in summary["layers"] if layer["layer"] == "kernel"]
assert layer["self_by_place"]["main"] > 0 and layer["self_by_place"]["elsewhere"] == 0, layer
assert layer["write_sizes"] == {"1K-10K": 100}, layer
END
}

# The same bytes from sums; where and how large each transfer was, is not known.
summed()
{
	recorder system -q --mode profile -o sums.trace -- ./io_static summed || fail "exit status $?"
	expect_eq "summed 1 50 100 1 50000 409600 kernel
ranks 1" "$(summary sums.trace)" "files"
	expect_eq "50000,409600
50000,409600" "$(moved sums.trace summed)" "views"
	recorder summary sums.trace >text
	! grep -q "calls by bytes\|where transfers" text || fail "tables of what is not known"
}

# What a preload reaches is counted by its calls, once; what it does not reach, by the kernel's.
mixed()
{
	recorder run -q --system -o mixed.trace -- sh -c './io_dynamic inside && ./io_static outside' || fail "exit status $?"
	expect_eq "inside 1 50 100 1 50000 409600 posix
outside 1 50 100 1 50000 409600 kernel
ranks 1" "$(summary mixed.trace)" "files"
	expect_eq "50000,409600
50000,409600" "$(moved mixed.trace inside)" "views of calls"
	expect_eq "50000,409600
50000,409600" "$(moved mixed.trace outside)" "views of the kernel's calls"
	expect_eq 1 "$(recorder sql --csv mixed.trace "SELECT count(DISTINCT pid) FROM streams WHERE main" | tail -n 1)" "processes of the rank's own"
}

# The ranks of a job are known by their environment.
ranks()
{
	mpirun --allow-run-as-root --oversubscribe -np 2 true >/dev/null 2>&1 || skip "no mpirun"
	recorder system -q -o ranks.trace -- mpirun --allow-run-as-root --oversubscribe -np 2 sh -c './io_static rank$OMPI_COMM_WORLD_RANK' || fail "exit status $?"
	expect_eq "rank0 1 50 100 1 50000 409600 kernel
rank1 1 50 100 1 50000 409600 kernel
ranks 2" "$(summary ranks.trace | grep '^rank')" "files"
	# what mpirun did is the launcher's
	expect_eq "0 0
0 1" "$(recorder summary --json ranks.trace | "$PYTHON" -c 'import json, sys
for row in json.load(sys.stdin)["ranks"]: print(row["world"], row["rank"])')" "who counts"
	recorder sql --csv ranks.trace "SELECT DISTINCT s.exe FROM streams s WHERE aside" >out
	grep -q mpirun out && ! grep -q io_static out || fail "aside: $(cat out)"
}

# To wait for a child, or for time to pass, is no time on files.
waits()
{
	recorder system -q -o waits_calls.trace -- sh -c 'sleep 0.5; :' || fail "exit status $?"
	recorder system -q --mode profile -o waits_sums.trace -- sh -c 'sleep 0.5; :' || fail "exit status $?"
	recorder run -q -o waits_library.trace -- sh -c 'sleep 0.5; :' || fail "exit status $?"
	for trace in waits_calls waits_sums waits_library; do
		recorder findings -q $trace.trace >found || fail "recorder findings"
		grep storage-bound found && fail "$trace: on files"
		recorder summary --json $trace.trace >summary.json || fail "recorder summary"
		"$PYTHON" -c '
import json
shell = json.load(open("summary.json"))["processes"][0]
assert shell["files"] < 0.25 < 0.5 <= shell["other"], shell
' || fail "$trace: the shell waits"
	done
}

try "alone" alone
try "summed" summed
try "mixed" mixed
try "ranks" ranks
try "what waits" waits
echo "1..$reported"
