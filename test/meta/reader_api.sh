#!/bin/sh
# SPDX-License-Identifier: MIT
# libreader.so exports what include/recorder/reader.h declares, no more and no less.
. "${TOP_SRCDIR:?}/test/lib.sh"
need ctags universal-ctags
need nm binutils
ctags -x --kinds-C=p "$TOP_SRCDIR/include/recorder/reader.h" | awk '{ print $1 }' | sort >declared
nm -D --defined-only "$TOP_BUILDDIR/.libs/libreader.so" |
	awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >exported
diff declared exported || fail "declared (<) and exported (>) names differ"
