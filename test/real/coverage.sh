#!/bin/sh
# SPDX-License-Identifier: MIT
# strace(1) as witness over real programs: each of their system calls is in the trace, or it is known what made
# it (coverage_table.py). A function that is not recorded is missed.
# timeout: 300
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
case ${SANITIZERS:-} in
*address*) skip "AddressSanitizer makes system calls of its own" ;;
esac
need strace
strace -o probe true 2>/dev/null || skip "strace may not trace here"
need python3
need sqlite3
need git
need fio

RECORDER_SO=$(realpath "$RECORDER_SO")
export RECORDER_SO
coverage()
{
	"${PYTHON:-python3}" "$TOP_SRCDIR/test/real/coverage_table.py" "$@"
}

coverage python3 sqlite3 git "fio psync" >table 2>unexplained || fail "$(cat table unexplained)"
expect_eq 4 "$(grep -E '^\| [^|]* \| read \| [0-9]' table | cut -d'|' -f2 | sort -u | wc -l)" "programs that read"

# missed PROGRAM FUNCTION SYSTEM-CALL: without this function calls are left over
missed()
{
	RECORDER_FUNCTIONS=-$2 coverage "$1" >table 2>unexplained && fail "$1 without $2: nothing was missed"
	grep -q "^$1: .*: $3 is not recorded: $3(" unexplained || fail "$1 without $2: $(cat unexplained)"
}

missed sqlite3 pread pread64
missed sqlite3 fdatasync fdatasync
missed git __uflow read
