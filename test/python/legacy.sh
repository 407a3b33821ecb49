#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that were made for recorder-viz and recorder-utils: the examples of recorder-viz's page, word by word, and what others do.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/python/python.sh"
here=$TOP_SRCDIR/test/python

recorder run -q -o access -- "${PYTHON:-python3}" -S -E "$here/access.py" >want || fail "cannot record"
py "$here/programs.py" accesses access >got || fail "intervals"
sort want >want.sorted
sort got | diff want.sorted - || fail "where reads and writes lay"
for what in fields positions; do
	py "$here/programs.py" $what access || fail "$what"
done
[ $numpy = no ] || py "$here/programs.py" utils access || fail "utils"

if [ -x "$TEST_BIN/mpi/io" ]; then
	run_mpi 4 recorder run -q -o ranks "$TEST_BIN/mpi/io" >/dev/null || fail "cannot record 4 ranks"
	[ $numpy = no ] || py "$here/programs.py" ranks ranks || fail "4 ranks"
	trace=ranks
else
	trace=access
fi

# the examples
py "$here/scripts/records_of_argument.py" $trace >counts || fail "an example"
recorder2text -q $trace | grep -v ' = ? in_flight$' |
	awk '{ n[$1]++ } END { for (rank = 0; rank in n; rank++) print "Rank: " rank ", Number of trace records: " n[rank] }' >lines
diff lines counts || fail "counts"
mkdir -p path/to
ln -s "../../$trace" path/to/Recorder-traces-folder
py "$here/scripts/records_per_rank.py" | diff lines - || fail "the other example"
py "$here/scripts/report.py" >/dev/null || fail "the example with a report"
grep -q '</html>' output.html || fail "output.html is no page"
py "$here/scripts/report_of_argument.py" $trace >/dev/null || fail "the command of recorder-viz"
grep -q '</html>' recorder-report.html || fail "recorder-report.html is no page"

# a report of a part, and errors
py -c '
import os, sys
import recorder
reader = recorder.RecorderReader(sys.argv[1])
assert reader.generate_report("part", ranks=0, time=(0, 1000), functions=["open", "write"]) == "part.html"
assert os.path.getsize("part.html") > 1000
os.mkdir("elsewhere")
os.chdir("elsewhere")
reader.generate_report("whole")
assert os.path.getsize("whole.html") > 1000
for path, given in (("no/such/folder/x.html", {}), ("x", {"ranks": "many"})):
    try:
        recorder.generate_report(reader, path, **given)
    except recorder.Error as error:
        assert str(error)
    else:
        sys.exit("no error")
os.environ["PATH"] = "/nowhere"
try:
    recorder.generate_report(reader, "y")
except recorder.Error as error:
    assert "PATH" in str(error) or os.path.exists("y.html")
' $trace || fail "generate_report"
