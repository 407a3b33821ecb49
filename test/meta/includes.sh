#!/bin/sh
# SPDX-License-Identifier: MIT
# Folders include downward only.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3
"$TOP_SRCDIR/script/check-includes" "$TOP_SRCDIR"
