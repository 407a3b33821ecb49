#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder summary: numbers of a program that is known, and the same as from the records one by one; of damaged traces valid JSON.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3

RECORDER_TRACES_DIR=$PWD/known.trace preload "$TEST_BIN/analysis/known" 3 || fail "known: exit status $?"
set -- known.trace 3
if [ -x "$TEST_BIN/analysis/known_mpi" ]; then
	need_mpiexec
	recorder run -q -o mpi.trace -- "$MPIEXEC" -n 4 "$TEST_BIN/analysis/known_mpi" || fail "known_mpi: exit status $?"
	set -- "$@" mpi.trace 4
fi
python3 "$TOP_SRCDIR/test/analysis/check_summary.py" "$@" || fail "see above"

for trace in *.trace; do
	"$TEST_BIN/analysis/api" "$trace" || fail "api of $trace"
done

# who started whom, also where a program was executed at once, and where one takes the place of another
recorder run -q -o tree.trace -- sh -c 'cat /etc/passwd >passwd; exec cat passwd' >/dev/null || fail "a shell: exit status $?"
recorder summary -q --json tree.trace >tree.json || fail "no summary of the shell"
python3 - <<'END' || fail "see above"
import json
shell, *others = json.load(open("tree.json"))["processes"]
found = sorted((row["program"], row["started"], row["parent"], row["depth"], row["pid"] == shell["pid"]) for row in others)
want = [("cat /etc/passwd", "fork", 0, 1, False), ("cat passwd", "exec", 0, 1, True)]
assert (shell["parent"], shell["depth"], shell["started"]) == (-1, 0, "") and found == want, (shell, found)
END

# more sizes than are told apart: those that are alike are one, and all calls are there
cat >sizes.py <<'END'
import os
for size in range(9000):
    os.pwrite(3, bytes(size), 0)
for _ in range(7):
    os.pwrite(3, bytes(2048), 0)
END
RECORDER_TRACES_DIR=$PWD/sizes.trace RECORDER_LAYERS=posix preload python3 sizes.py 3>sizes.out || fail "sizes: exit status $?"
recorder summary -q --json --functions pwrite sizes.trace >sizes.json || fail "no summary of sizes"
python3 - <<'END' || fail "see above"
import collections, json

def alike(size, bits):
    lost = max(size.bit_length() - bits, 0)
    return size >> lost << lost

sizes, = (row["common_sizes"] for row in json.load(open("sizes.json"))["layers"] if row["layer"] == "posix")
written = sizes["written"]
calls = [*range(9000), *[2048] * 7]
bits = max(bits for bits in range(20) if len({alike(size, bits) for size in calls}) <= 4096)
want = collections.Counter(alike(size, bits) for size in calls)
assert (sizes["exact"], written["different"]) == (False, len(want)), (sizes["exact"], written["different"])
assert {row["size"]: row["calls"] for row in written["most"]} == dict(sorted(want.items(), key=lambda row: (-row[1], row[0]))[:100]), written["most"]
assert all(alike(row.get("last", row["size"]), bits) == row["size"] for row in written["most"]), written["most"]
END

# messages: many in one call count all their bytes, those that are only looked at none
RECORDER_TRACES_DIR=$PWD/net.trace RECORDER_LAYERS=default,net preload "$TEST_BIN/layers/net" >/dev/null || fail "net: exit status $?"
recorder summary -q --json net.trace >net.json || fail "no summary of messages"
python3 - <<'END' || fail "see above"
import json
moved = {row["function"]: (row["bytes_read"], row["bytes_written"]) for row in json.load(open("net.json"))["functions"]
         if row["layer"] == "net"}
want = {"sendmmsg": (0, 10), "recvmmsg": (10, 0), "recv": (4, 0)}
assert {name: moved[name] for name in want} == want, moved
END

# any threads, one file
recorder pack -q -o known.rtrace known.trace || fail "pack"
recorder summary --json known.trace | grep -v '"dir"' >want
recorder summary --json known.rtrace | grep -v '"dir"' >got
cmp want got || fail "a packed trace has another summary"

# nothing there, and too much asked for
RECORDER_TRACES_DIR=$PWD/none.trace RECORDER_LAYERS=mpi preload "$TEST_BIN/analysis/known" 0 || fail "none: exit status $?"
if [ -d none.trace ]; then
	recorder summary none.trace >/dev/null || fail "of an empty trace: exit status $?"
	recorder summary --json none.trace | python3 -m json.tool >/dev/null || fail "of an empty trace: not JSON"
fi
recorder summary --ranks 17 --json known.trace | python3 -c 'import json, sys; assert json.load(sys.stdin)["functions"] == []' ||
	fail "of no rank: not empty"
recorder summary --ranks x known.trace >/dev/null 2>err && fail "--ranks x is taken"
expect_eq 2 "$(recorder summary --csv --table nothing known.trace >/dev/null 2>&1; echo $?)" "status of a table that is not there"
