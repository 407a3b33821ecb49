#!/bin/sh
# SPDX-License-Identifier: MIT
# The live directory is deleted under running processes: they do not notice, and what ends in order loses nothing, threads and
# processes that begin afterwards included. Of what is killed then at most a ring a thread is lost, and the trace says that it is not whole.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3
memory_dir
RECORDER_LIVE_DIR=$memory
export RECORDER_LIVE_DIR

has_live()
{
	ls "$memory"/recorder-*/*.ring >/dev/null && [ -s "$1" ]
}

await_live()
{
	until_ has_live "$1"
}

cat >program.py <<'END'
import os
import threading
import time

def work(name):
    fd = os.open(name, os.O_CREAT | os.O_WRONLY)
    for i in range(100):
        os.pwrite(fd, b"x", i)

work("first")
while not os.path.exists("deleted"):
    time.sleep(0.01)
threads = [threading.Thread(target=work, args=(f"thread{i}",)) for i in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if os.fork() == 0:
    work("child")
    os._exit(0)
os.wait()
work("last")
END
python=$(python3 -c 'import sys; print(sys.executable)') # not a script that looks for it
LD_PRELOAD=$RECORDER_SO RECORDER_TRACES_DIR=$PWD/trace "$python" program.py 2>notes &
program=$!
await_live first
rm -r "$memory"/recorder-*
: >deleted
wait $program || fail "the program's status: $?"
expect_eq "" "$(cat notes)" "notes"
recorder check -q --strict trace || fail "recorder check: $(recorder check trace)"
expect_eq 1100 "$(recorder2text -q --functions pwrite trace | wc -l)" "writes"
expect_eq "" "$(ls "$memory")" "what is left"

# four threads that write without end
LD_PRELOAD=$RECORDER_SO RECORDER_TRACES_DIR=$PWD/killed "$TEST_BIN/crash/writer" data progress 4 2>notes &
program=$!
await_live progress
sleep 0.3
rm -r "$memory"/recorder-*
sleep 0.3
kill -KILL $program
wait $program 2>/dev/null
recorder check killed >said 2>&1 || fail "killed: recorder check: $(cat said)"
grep -q incomplete said || fail "killed: said to be complete: $(cat said)"
"$TEST_BIN/crash/verify" killed progress >verdict
grep -E 'offset|result|level|problem|cannot' verdict && fail "killed: what is there is wrong"
# 4 MiB of records of at least 56 bytes
grep ': writes: ' verdict | awk '{ if ($5 - $7 > 4194304 / 56) exit 1 }' || fail "killed: more than a ring is lost: $(cat verdict)"
exit 0
