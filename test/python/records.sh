#!/bin/sh
# SPDX-License-Identifier: MIT
# The package for Python gives every record as recorder2text does: of ranks, threads, packed traces, old ones, and those that are being written.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/python/python.sh"
here=$TOP_SRCDIR/test/python

"${PYTHON:-python3}" "$TOP_SRCDIR/test/cli/sample.py" sample || fail "no sample"
recorder run -q -o threads "$TEST_BIN/trace/threads" >/dev/null || fail "cannot record threads"
recorder pack -q -o threads.rtrace threads || fail "cannot pack"
for trace in sample threads threads.rtrace "$TOP_SRCDIR"/test/data/traces/1.0/*/; do
	py "$here/compare.py" "$trace" || fail "$trace"
done

if [ -x "$TEST_BIN/mpi/io" ]; then
	run_mpi 4 recorder run -q -o ranks "$TEST_BIN/mpi/io" >/dev/null || fail "cannot record 4 ranks"
	py "$here/compare.py" ranks || fail "4 ranks"
fi

# one that runs: it waits in a read that only we can end
mkfifo door
recorder run -q -o running -- cat door >/dev/null &
pid=$!
exec 3>door
cat_reads()
{
	recorder2text -q --functions read running | grep -q 'door.*in_flight$'
}
until_ cat_reads
py "$here/compare.py" running || fail "running"
py -c '
import recorder
reader = recorder.RecorderReader("running")
assert reader.GM.running and not reader.GM.complete and reader.GM.in_flight == 1, vars(reader.GM)
record, = reader.iter(in_flight="only")
assert record.in_flight and record.func == "read" and record.file.endswith("/door"), record
assert not any(record.in_flight for record in reader)
' || fail "the call in flight"
exec 3>&-
wait $pid || fail "cat"
py "$here/compare.py" running || fail "ended"
