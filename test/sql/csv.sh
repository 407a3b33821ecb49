#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder2csv: rows are those of recorder2sqlite; what Drishti reads of a program whose reads and writes are known.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3

python3 "$TOP_SRCDIR/test/cli/sample.py" sample && python3 "$TOP_SRCDIR/test/sql/made.py" made || fail "no traces"

# TRACE [OPTION...]
same()
{
	trace=$1
	shift
	recorder2csv -q --force "$@" -o t.csv "$trace" || fail "$trace $*"
	want=$(recorder2text -q "$@" "$trace" | grep -vc '= ? in_flight$')
	got=$(python3 -c 'import csv; print(len(list(csv.DictReader(open("t.csv")))))') || fail "$trace $*: the file"
	expect_eq "$want" "$got" "$trace $*: rows"
	[ -x "$TOP_BUILDDIR/tools/recorder2sqlite" ] || return 0
	recorder2sqlite -q --force "$@" -o t.sqlite "$trace" || fail "$trace $*: recorder2sqlite"
	python3 - <<'END' || fail "$trace $*: not what the database has"
import csv, sqlite3, sys

base = sqlite3.connect("t.sqlite")
base.row_factory = sqlite3.Row
rows = {row["id"]: row for row in base.execute("SELECT records.*, files.path FROM records LEFT JOIN files ON files.id = records.file")}
for row in csv.DictReader(open("t.csv")):
    other = rows[int(row["id"])]
    for name in ("function", "layer", "rank", "level", "bytes", "offset", "path", "parent", "errno"):
        if name in other.keys() and str(other[name] if other[name] is not None else "") != row[name]:
            sys.exit(f"{row['id']}: {name}: {row[name]} for {other[name]}")
    for name in ("tstart", "tend", "self"):
        if round(float(row[name]) * 1e9) != other[name]:
            sys.exit(f"{row['id']}: {name}: {row[name]} for {other[name]}")
END
}

same sample
same made
same made --ranks 1,2 --functions 'pwrite,MPI_*'
recorder2csv -q made && [ -s made.csv ] || fail "into the working directory"
recorder2csv -q made 2>said && fail "an existing file was replaced"
recorder2csv -q -o - made | cmp - made.csv || fail "on stdout"
(ulimit -f 1 && trap '' XFSZ && exec recorder2csv -q -o jammed "$TOP_SRCDIR/test/sql/heat.rtrace") 2>/dev/null && fail "a full disk is no error"
expect_eq "" "$(find . -name '*jammed*')" "left behind"
recorder2csv -q --drishti -o - made 2>/dev/null
expect_eq 2 $? "three files on stdout: status"

# MPI-IO beside POSIX, and who opened what, by construction (made.py)
recorder2csv -q --drishti made || fail "--drishti"
expect_eq "file_id,rank,function,offset,size,start,end,api,duration" "$(head -n 1 made.intervals.csv)" "intervals"
expect_eq "fname,rank,function,start,end,duration" "$(head -n 1 made.records.csv)" "records"
expect_eq "file_id,file_name" "$(head -n 1 made.filemap.csv)" "filemap"
expect_eq 4 "$(grep -c 'MPI_File_write_at_all.*,MPI-IO,' made.intervals.csv)" "transfers of MPI-IO"
grep -qx '0,0,pwrite,0,4000,0.032000000,0.038000000,POSIX,0.006000000' made.intervals.csv || fail "a write below them: $(cat made.intervals.csv)"

case ${SANITIZERS:-} in
*thread*) ;;
*)
	cat >known.py <<'END'
import os
fd = os.open("known.data", os.O_RDWR | os.O_CREAT)
os.write(fd, b"x" * 100)
os.write(fd, b"y" * 50)
os.lseek(fd, 20, os.SEEK_SET)
os.read(fd, 30)
os.read(fd, 1000)
os.pread(fd, 7, 3)
os.fsync(fd)
os.close(fd)
END
	recorder run -q -o known /usr/bin/python3 known.py || fail "cannot record"
	recorder2csv -q --drishti known || fail "known"
	id=$(sed -n "s|^\([0-9]*\),\"$PWD/known.data\"\$|\1|p" known.filemap.csv)
	cat >want <<END
$id,0,write,0,100,POSIX
$id,0,write,100,50,POSIX
$id,0,read,20,30,POSIX
$id,0,read,50,100,POSIX
$id,0,pread,3,7,POSIX
END
	grep "^$id," known.intervals.csv | cut -d, -f1-5,8 | sed 's/pread64/pread/' >got
	diff want got || fail "intervals of a known program"
	expect_eq "open lseek fsync close " "$(grep '/known.data"' known.records.csv | cut -d, -f3 | tr '\n' ' ' | sed 's/open64\|openat/open/;s/lseek64/lseek/')" "calls with a name"
	grep -q '\.so' known.filemap.csv && fail "libraries are data"
	recorder2csv -q --force --files-class all --drishti known && grep -q '\.so' known.filemap.csv || fail "--files-class all: no libraries"
	# as Drishti makes them where recorder-utils reads the trace: ids are others
	if [ -d "$TOP_BUILDDIR/python/lib/recorder_utils" ] && /usr/bin/python3 -c 'import pandas' 2>/dev/null; then
		PYTHONPATH=$TOP_BUILDDIR/python/lib /usr/bin/python3 - <<'END' || fail "not what recorder-utils makes of it"
import pandas, sys
from recorder_utils import RecorderReader
from recorder_utils.build_offset_intervals import build_offset_intervals

reader = RecorderReader("known")
names = {}
for lm in reader.LMs:
    names.update(lm.filemap)
theirs = build_offset_intervals(reader)
theirs["file"] = theirs["file_id"].map(names)
ours = pandas.read_csv("known.intervals.csv").merge(pandas.read_csv("known.filemap.csv"), on="file_id")
columns = ["function", "offset", "size"]
theirs = theirs[theirs["file"].str.endswith("known.data")][columns].values.tolist()
ours = ours[ours["file_name"].str.endswith("known.data")].sort_values("start")[columns].values.tolist()
sys.exit(0 if ours == theirs else f"{ours} for {theirs}")
END
	fi
	;;
esac
exit 0
