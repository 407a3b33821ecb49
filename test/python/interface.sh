#!/bin/sh
# SPDX-License-Identifier: MIT
# The package for Python: conditions, columns, summary, what lives how long, python -m recorder.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/python/python.sh"
here=$TOP_SRCDIR/test/python

"${PYTHON:-python3}" "$TOP_SRCDIR/test/cli/sample.py" sample || fail "no sample"
recorder run -q -o threads "$TEST_BIN/trace/threads" >/dev/null || fail "cannot record threads"
traces="sample threads"
if [ -x "$TEST_BIN/mpi/io" ]; then
	run_mpi 4 recorder run -q -o ranks "$TEST_BIN/mpi/io" >/dev/null || fail "cannot record 4 ranks"
	traces="$traces ranks"
fi
long_loop long

# shellcheck disable=SC2086 # a list
{
	py "$here/filters.py" $traces || fail "conditions"
	[ $numpy = no ] || py "$here/columns.py" $traces || fail "columns of numpy"
	py "$here/columns.py" --bare $traces || fail "columns without numpy"
	py "$here/summaries.py" $traces || fail "summary"
}
py "$here/lifetimes.py" sample long || fail "lifetimes"

# a program over it, and what it says of what is none
py -m recorder threads >told || fail "python -m recorder"
expect_eq "$(recorder info -q --json threads | sed -n 's/^  "records": \([0-9]*\).*/\1/p')" \
	"$(sed -n 's/^records *//p' told)" "records"
expect_eq "$(recorder2text -q --functions pwrite threads | wc -l)" "$(awk '$3 == "pwrite" { print $1 }' told)" "calls of pwrite"
grep -q '^state      complete$' told || fail "state: $(cat told)"
py -m recorder --functions 'pwrite,close' threads | awk 'NF == 3 && $2 == "posix" { print $3 }' | sort >functions
expect_eq "close pwrite" "$(tr '\n' ' ' <functions | sed 's/ $//')" "chosen functions"
py -m recorder sample | grep -q '^state      incomplete: 2 lost' || fail "what was lost"
py -m recorder nothing 2>error && fail "a trace that is not there"
grep -q '^recorder: .*nothing' error || fail "told: $(cat error)"
