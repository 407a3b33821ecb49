#!/bin/sh
# SPDX-License-Identifier: MIT
# strace(1) as witness over all programs of programs.py.
# Leaves the page doc/coverage.md in the build directory, to be committed.
# timeout: 1800
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
case ${SANITIZERS:-} in
*address*) skip "AddressSanitizer makes system calls of its own" ;;
esac
need strace
need_openmpi
strace -o probe true 2>/dev/null || skip "strace may not trace here"

RECORDER_SO=$(realpath "$RECORDER_SO")
export RECORDER_SO
status=0
"${PYTHON:-python3}" "$TOP_SRCDIR/test/real/coverage_table.py" --page all >page 2>unexplained || status=$?
cat unexplained
[ $status = 0 ] || fail "calls that nothing explains"
mkdir -p "$TOP_BUILDDIR/doc"
cp page "$TOP_BUILDDIR/doc/coverage.md"
