#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# The package for Python and broken traces.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/python/python.sh"
py "$TOP_SRCDIR/test/python/damage.py" || fail "a broken trace"
