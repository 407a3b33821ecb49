#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 180
# Traced programs tell which trace they expect. Programs with children: lines in any order.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

. "$TOP_SRCDIR/test/expect.sh"
# shellcheck disable=SC2034 # for test/expect.sh
programs=trace

echo 1..21
try open ordered
try readwrite ordered
try readwrite_checked ordered
try mapping ordered
try loading ordered
try status ordered
try names ordered
try stdio ordered
try stdio_checked ordered
try nested ordered
try descriptors ordered
try process unordered
try streams ordered
try streams_checked ordered
try wide ordered
try wide_checked ordered
try transfer ordered
try paths ordered
try paths_lfs ordered
try status_lfs ordered
try children unordered
