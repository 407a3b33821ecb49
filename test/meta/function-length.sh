#!/bin/sh
# SPDX-License-Identifier: MIT
# No function over 100 lines, no file over 1,000.
. "${TOP_SRCDIR:?}/test/lib.sh"
need ctags universal-ctags
"$TOP_SRCDIR/script/function-length" "$TOP_SRCDIR"
