#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder2parquet: a reader of our own finds the rows of recorder2sqlite; files appear whole or not at all.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3
reader=$TOP_SRCDIR/test/sql/read_parquet.py

# TRACE [OPTION...]
same()
{
	trace=$1
	shift
	recorder2parquet -q --force "$@" -o t.parquet "$trace" || fail "$trace $*"
	want=$(recorder2text -q "$@" "$trace" | grep -vc '= ? in_flight$')
	got=$(python3 "$reader" t.parquet) || fail "$trace $*: the file"
	expect_eq "$want" "$got" "$trace $*: rows"
	[ -x "$TOP_BUILDDIR/tools/recorder2sqlite" ] || return 0
	recorder2sqlite -q --force "$@" -o t.sqlite "$trace" || fail "$trace $*: recorder2sqlite"
	python3 "$reader" t.parquet t.sqlite >/dev/null || fail "$trace $*: not what the database has"
}

python3 "$TOP_SRCDIR/test/cli/sample.py" sample && python3 "$TOP_SRCDIR/test/sql/made.py" made || fail "no traces"
same sample
same made
same made --ranks 1,2 --functions 'pwrite,MPI_*'
same made --functions none
case ${SANITIZERS:-} in
*thread*) ;;
*)
	# several groups of rows
	cat >many.py <<'END'
import os
fd = os.open("data", os.O_RDWR | os.O_CREAT)
for i in range(70000):
    os.pwrite(fd, b"x", i)
    os.pread(fd, 1, i + 5)
END
	recorder run -q -o many.trace python3 many.py || fail "cannot record"
	recorder2parquet -q --no-args -o many.parquet many.trace || fail "many"
	recorder info -q --json many.trace >info.json || fail "recorder info"
	expect_eq "$(info_number stored)" "$(python3 "$reader" many.parquet)" "many: rows"
	;;
esac

recorder2parquet -q sample && [ -s sample.parquet ] || fail "into the working directory"
recorder2parquet -q sample 2>said && fail "an existing file was replaced"
grep -q "'sample.parquet' exists" said || fail "an existing file: $(cat said)"
recorder2parquet -q -o - sample | cmp - sample.parquet || fail "on stdout"
recorder2parquet -q --no-args -o less.parquet sample && python3 "$reader" less.parquet >/dev/null || fail "--no-args"
[ "$(wc -c <less.parquet)" -lt "$(wc -c <sample.parquet)" ] || fail "--no-args is not smaller"
recorder2parquet -q -o - sample >/dev/full 2>/dev/null && fail "a full stdout is no error"
(ulimit -f 1 && trap '' XFSZ && exec recorder2parquet -q -o big.parquet sample) 2>/dev/null && fail "a full disk is no error"
expect_eq "" "$(find . -name '*big.parquet*')" "left behind"
exit 0
