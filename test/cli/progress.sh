#!/bin/sh
# SPDX-License-Identifier: MIT
# The line of progress: on a terminal, when work is long, and gone at its end.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

RECORDER_TRACES_DIR=trace preload "$TEST_BIN/trace/threads" 100000 >/dev/null || fail "exit status $?"
"${PYTHON:-python3}" "$TOP_SRCDIR/test/cli/check_progress.py" trace
