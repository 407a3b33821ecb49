#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# The page of recorder report in a browser: the numbers of programs that are known and those of recorder summary, sorting, searching, zooming, accessibility, the
# content policy; names that are markup; traces that are empty or damaged.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/report/pages.sh"
skip_under_tsan
need python3
need_browser

# What other commands say: numbers NAME [OPTIONS] TRACE makes NAME.json and NAME-findings.json.
numbers()
{
	name=$1
	shift
	recorder summary -q --json --callsites --files-class all "$@" >"$name.json" || fail "no summary for $name"
	recorder findings -q --json "$@" >"$name-findings.json" || fail "no findings for $name"
}

# Of all files the path has markup, quotes, a line's end, bytes that are no UTF-8 and U+2028.
top=$PWD
odd=$(printf 'a</script><script>alert(1)</script><!--"\047&amp;\n\377\342\200\250')
mkdir -p "$odd" && cd "$odd" || fail "no folder of an odd name"
RECORDER_TRACES_DIR=$top/known.trace preload "$TEST_BIN/analysis/known" 3 || fail "known: exit status $?"
cd "$top" || exit 1
recorder report -q -o known.html known.trace || fail "no report"
numbers known known.trace
browse known known.html 3
browse same_numbers known.html known.json known-findings.json
browse safety known.html 'a</script><script>alert(1)</script><!--"'

if [ -x "$TEST_BIN/analysis/known_mpi" ]; then
	need_mpiexec
	recorder run -q -o mpi.trace -- "$MPIEXEC" -n 4 "$TEST_BIN/analysis/known_mpi" || fail "known_mpi: exit status $?"
	recorder report -q -o mpi.html mpi.trace || fail "no report of MPI"
	numbers mpi mpi.trace
	browse known_mpi mpi.html 4
	browse same_numbers mpi.html mpi.json mpi-findings.json
	browse use mpi.html mpi
	# ranks that share the work make the same page, once
	mv mpi.html alone.html
	"$MPIEXEC" -n 3 recorder report -q -o mpi.html mpi.trace || fail "report in 3 ranks: exit status $?"
	cmp alone.html mpi.html || fail "3 ranks make another page"
else
	browse use known.html known
fi

# jobs that are made up, of which each instant is known
python3 "$TOP_SRCDIR/test/analysis/overlap.py" overlap.trace checkpoints.trace || fail "no made-up jobs"
for name in overlap checkpoints; do
	recorder report -q -o $name.html $name.trace || fail "no report of $name"
done
browse together overlap.html checkpoints.html
python3 "$TOP_SRCDIR/test/analysis/phases.py" steps.trace || fail "no made-up job of steps"
recorder report -q -o steps.html steps.trace || fail "no report of steps"
numbers steps steps.trace
browse steps steps.html steps.json
browse same_numbers steps.html steps.json steps-findings.json

# nothing in it, and damage
recorder report -q -o none.html --ranks 17 known.trace || fail "of no rank: exit status $?"
numbers none --ranks 17 known.trace
browse safety none.html "chosen by: recorder report"
browse same_numbers none.html none.json none-findings.json
python3 "$TOP_SRCDIR/test/cli/sample.py" sample.trace || fail "no sample"
recorder report -q -o sample.html sample.trace || fail "of the sample: exit status $?"
numbers sample sample.trace
browse same_numbers sample.html sample.json sample-findings.json
for file in sample.trace/*.rec; do
	dd if=/dev/zero of="$file" bs=1 seek=700 count=40 conv=notrunc status=none
done
recorder report -q -o damaged.html sample.trace || fail "of a damaged trace: exit status $?"
recorder report -q --strict --force -o damaged.html sample.trace && fail "--strict takes a damaged trace"
numbers damaged sample.trace
browse same_numbers damaged.html damaged.json damaged-findings.json
browse safety damaged.html Incomplete.

# as the other outputs: nothing is replaced unasked, nothing is left behind
recorder report known.trace 2>err || fail "no report by default"
grep -q 'known.trace.html$' err || fail "not told where the report is: $(cat err)"
expect_eq 1 "$(recorder report known.trace >/dev/null 2>err; echo $?)" "status where there is a file"
grep -q -e --force err || fail "not told of --force: $(cat err)"
recorder report -q --force known.trace || fail "--force"
recorder report -q -o - known.trace >again.html || fail "stdout"
mkdir full
recorder report -q -o full/none/x.html known.trace 2>/dev/null && fail "a folder that is not there"
expect_eq "" "$(ls -A full)" "files left"
