#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder2sqlite: each record is a row that says what recorder2text says; whatever the trace is, the database is valid, says what is missing, and
# appears whole or not at all.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3
[ -x "$TOP_BUILDDIR/tools/recorder2sqlite" ] || skip "built without SQLite"
here=$TOP_SRCDIR/test/sql

# NAME TRACE [OPTION...]: the database NAME.sqlite is as the text
same()
{
	name=$1 trace=$2
	shift 2
	recorder2text -q "$@" "$trace" >"$name.text" || fail "$name: recorder2text"
	recorder2sqlite -q --force "$@" -o "$name.sqlite" "$trace" || fail "$name: recorder2sqlite"
	python3 "$here/check_rows.py" "$name.text" "$name.sqlite" ${part:-} >said || fail "$name: $(cat said)"
}
# TRACE.sqlite QUERY: the answer
ask()
{
	python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print(*row, sep="|")' "$1.sqlite" "$2" || fail "$1: $2"
}

python3 "$TOP_SRCDIR/test/cli/sample.py" sample || fail "no sample"
same sample sample
part=--part
same levels sample --levels 1
same functions sample --functions pwrite --ranks 0
same window sample --time 0.00252..0.0026
part=
expect_eq "--time 0.002520000..0.002600000" "$(ask window "SELECT value FROM trace WHERE name = 'filter'")" "the filter"

# what is missing is in the file itself
expect_eq "0|2|0" "$(ask sample "SELECT (SELECT value FROM trace WHERE name = 'complete'), sum(records), min(stream) FROM losses")" "losses"
expect_eq "too_deep" "$(ask sample "SELECT reason FROM losses")" "the reason"
expect_eq "MPI_Recv|1" "$(ask sample "SELECT function, rank FROM in_flight")" "calls in flight"
# bytes are of all calls that a record stands for; those of MPI-IO were moved by the calls inside
expect_eq "24|3" "$(ask sample "SELECT bytes, calls FROM records WHERE calls > 1")" "bytes of a run"
expect_eq "2|16" "$(ask sample "SELECT count(*), sum(bytes) FROM transfers WHERE id BETWEEN 7 AND 9")" "who moved the bytes"
expect_eq "1|7" "$(ask sample "SELECT peer, tag FROM records WHERE id = 18")" "a receive from anybody"

# ---- a program of our own: what it did is known ----
skip_tsan=no
case ${SANITIZERS:-} in *thread*) skip_tsan=yes ;; esac
if [ $skip_tsan = no ]; then
	cat >work.py <<'END'
import os
os.mkdir(b"odd")
names = [b"plain", b"<script>alert(1)<script>", b"new\nline", b"caf\xe9", b'"quoted" \'both\'', "snow\u2603".encode(), b"%s;--"]
for name in names:
    with open(b"odd/" + name, "wb", buffering=0) as file:
        file.write(b"x" * 1000)
        os.pwrite(file.fileno(), b"y" * 24, 5000)
    os.stat(b"odd/" + name)
    try:
        os.open(b"odd/no " + name, os.O_RDONLY)
    except FileNotFoundError:
        pass
END
	recorder run -q -o work.trace python3 work.py || fail "cannot record"
	same work work.trace
	odd="files f JOIN records r ON r.file = f.id WHERE f.path LIKE '%/odd/%' AND"
	expect_eq "7|14|7168|7" "$(ask work "SELECT count(DISTINCT f.id), count(*), sum(bytes), sum(offset = 5000) FROM $odd operation = 'write'")" "writes"
	expect_eq "7|7|0" "$(ask work "SELECT count(*), sum(errno = 'ENOENT'), count(bytes) FROM $odd operation = 'open' AND ret = -1")" "failed opens"
	expect_eq "7" "$(ask work "SELECT count(*) FROM $odd operation = 'metadata' AND function LIKE '%stat%' AND errno IS NULL AND path NOT LIKE '%/no %' AND level = 0 AND
		args ->> '\$.path' IS NOT NULL")" "stat"
	expect_eq "1|file|1" "$(ask work "SELECT count(*), min(type), min(fs IS NOT NULL) FROM files WHERE path LIKE '%/odd/café'")" "a name that is no UTF-8"
	expect_eq 1 "$(ask work "SELECT count(*) FROM files WHERE path LIKE '%/odd/new' || char(10) || 'line'")" "a name with a newline"
	expect_eq 1 "$(ask work "SELECT value FROM trace WHERE name = 'complete'")" "complete"
	# time less that of calls below: the same sums as recorder stacks has
	recorder stacks -q --csv work.trace | python3 -c '
import csv, sys
sums = {}
for row in csv.DictReader(sys.stdin):
    key = row["layer"], row["function"]
    have = sums.get(key, (0, 0))
    sums[key] = have[0] + int(row["calls"]), have[1] + round(float(row["self"]) * 1e9)
for key, value in sorted(sums.items()):
    print(*key, *value, sep="|")' >stacks
	ask work "SELECT layer, function, sum(calls), sum(self) FROM records GROUP BY 1, 2 ORDER BY 1, 2" >selves
	cmp stacks selves || fail "own times: $(diff stacks selves)"
	# call sites are those of the text
	recorder2text -q --callsites work.trace | sed -n 's/.* {callsite="\(.*\)"}$/\1/p' >text.sites
	ask work "SELECT place FROM records JOIN callsites c ON c.id = callsite ORDER BY tstart, stream, records.id" >sites
	[ -s sites ] || fail "no call sites"
	cmp text.sites sites || fail "call sites: $(diff text.sites sites | head)"
	mkdir empty.trace && cp work.trace/recorder.gm empty.trace || fail "no empty trace"
	part=--part
	same empty empty.trace
	same nothing work.trace --functions none
	expect_eq "0|0" "$(ask nothing "SELECT count(*), count(errno) FROM records")" "rows of nothing"
	expect_eq 0 "$(ask empty "SELECT count(*) FROM records")" "rows of an empty trace"
fi

# ---- files ----
mkdir there && cd there || exit 99
recorder2sqlite -q ../sample || fail "into the working directory"
[ -s sample.sqlite ] || fail "no sample.sqlite"
cd ..
echo mine >mine
recorder2sqlite -q -o mine sample 2>/dev/null && fail "an existing file was replaced"
expect_eq mine "$(cat mine)" "an existing file"
recorder2sqlite -q --force -o mine sample || fail "--force"
cmp -s mine sample.sqlite || fail "the same trace gives another file"
for path in - /dev/null /no/such/place .; do
	recorder2sqlite -q --force -o "$path" sample >out 2>said && fail "$path: no error"
	[ -s said ] || fail "$path: nothing said"
	[ -s out ] && fail "$path: something on stdout"
done
(ulimit -f 20 && trap '' XFSZ && exec recorder2sqlite -q -o big.sqlite sample) 2>said && fail "a full disk is no error"
grep -q "cannot write 'big.sqlite'" said || fail "a full disk: $(cat said)"
(ulimit -f 20 && exec recorder2sqlite -q -o big.sqlite sample) 2>/dev/null && fail "SIGXFSZ is no error"
expect_eq "" "$(find . -name '*big.sqlite*')" "left behind"
recorder2sqlite -q --force --strict -o strict.sqlite sample 2>/dev/null
expect_eq "1 yes" "$? $([ -s strict.sqlite ] && echo yes)" "--strict"
exit 0
