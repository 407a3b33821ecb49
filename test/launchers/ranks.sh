# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# Sourced by the tests of launchers, after test/lib.sh.
#
#   expect_ranks TRACE SIZE WRITES SOURCE   judges a trace of test/launchers/rank

skip_under_tsan
need python3

# shellcheck disable=SC2034
rank=$TEST_BIN/launchers/rank

expect_ranks()
{
	quietly recorder check "$1" || fail "recorder check $1"
	python3 "$TOP_SRCDIR/test/launchers/check_ranks.py" "$@" || fail "$1"
	[ ! -e "$1.2" ] || fail "$1 is not the only trace"
}
