#!/bin/sh
# SPDX-License-Identifier: MIT
# Handlers that interrupt the recorder: every call of program and handler is there once.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

RECORDER_TRACES_DIR=trace preload "$TEST_BIN/trace/signals" >output || fail "exit status $?"
"${PYTHON:-python3}" "$TOP_SRCDIR/test/trace/check.py" signals trace output || fail "signals"
