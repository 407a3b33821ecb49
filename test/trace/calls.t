#!/bin/sh
# SPDX-License-Identifier: MIT
# Traced programs tell which trace they expect. Programs with children: lines in any order.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

. "$TOP_SRCDIR/test/expect.sh"
# shellcheck disable=SC2034 # for test/expect.sh
programs=trace

# by an emulator, without what it cannot do (test/cross/Makemodule.am)
whole()
{
	[ -z "${EMULATOR:-}" ]
}

# Each character is a byte, those of runs too; two calls found the end.
characters()
{
	recorder stacks --csv --functions fgetc,fputc "$test_dir/runs/trace" >"$test_dir/stacks" &&
		awk -F, 'NR > 1 { calls += $3; bytes += $6 }
			END { exit calls != 12640 || bytes != calls - 2 }' "$test_dir/stacks"
}

whole && echo 1..23 || echo 1..19
try open ordered
try readwrite ordered
try readwrite_checked ordered
try loading ordered
try status ordered
try names ordered
try stdio ordered
try stdio_checked ordered
try nested ordered
try runs ordered
try descriptors ordered
try streams ordered
try streams_checked ordered
try wide ordered
try wide_checked ordered
try transfer ordered
try paths ordered
try paths_lfs ordered
try status_lfs ordered
whole || exit 0
try mapping ordered
try process unordered
try children unordered
characters
report $? "bytes of characters" "$test_dir/stacks"
