#!/bin/sh
# SPDX-License-Identifier: MIT
# Every unit test of every source is in the program that runs them: one whose source is not in UNIT_SOURCES would never run, nor fail.
. "${TOP_SRCDIR:?}/test/lib.sh"
[ -z "${SANITIZERS:-}" ] || skip "some sources are left out"
[ "$MPI_KIND" = openmpi ] || skip "without this MPI some sources are left out"

case $(uname -m) in
x86_64) other=aarch64 ;;
*) other=x86_64 ;;
esac
(cd "$TOP_SRCDIR" && find lib tools -name '*.c' ! -name "*_$other.c" -exec sed -n 's/^TEST_CASE(\([a-z0-9_]*\))$/\1/p' {} +) | sort >written
"$TEST_BIN/unit/unittest" >tap || fail "unit tests fail"
sed -n 's/^ok [0-9]* - //p' tap | sort >run
[ "$(wc -l <run)" -gt 100 ] || fail "only $(wc -l <run) unit tests"
expect_eq "" "$(comm -23 written run)" "unit tests that do not run"
