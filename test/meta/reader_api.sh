#!/bin/sh
# SPDX-License-Identifier: MIT
# libreader.so and libanalysis.so export what their headers declare, no more and no less.
. "${TOP_SRCDIR:?}/test/lib.sh"
need ctags universal-ctags
need nm binutils
for name in reader analysis; do
	ctags -x --kinds-C=p "$TOP_SRCDIR/include/recorder/$name.h" | awk '{ print $1 }' | sort >declared
	nm -D --defined-only "$TOP_BUILDDIR/.libs/lib$name.so" |
		awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >exported
	diff declared exported || fail "names that $name.h declares (<) and lib$name.so exports (>) differ"
done
