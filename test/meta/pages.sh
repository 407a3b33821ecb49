#!/bin/sh
# SPDX-License-Identifier: MIT
# Variables of a page and more lie apart from the small ones, of which a short process writes to many (lib/record/bulk.h).
. "${TOP_SRCDIR:?}/test/lib.sh"
need nm binutils
[ -z "${SANITIZERS:-}" ] || skip "AddressSanitizer leaves out what has a section"
[ "$(uname -m)" = x86_64 ] || skip "other CPUs have no section for large variables"
! grep -q '^CC = .*clang' "$TOP_BUILDDIR/Makefile" || skip "clang has no section for large variables without bytes in the file"
nm -S --defined-only "$RECORDER_SO" >variables || fail "nm"
end=$(readelf -SW "$RECORDER_SO" | sed -n 's/^.* \.lbss *NOBITS *\([0-9a-f]*\) .*$/\1/p')
[ -n "$end" ] || fail "no large variables"
large=$(awk -v end="x$end" 'NF == 4 && $3 ~ /^[bB]$/ && "x" $1 < end && "x" $2 >= "x0000000000001000" { print $4 }' variables)
[ -z "$large" ] || fail "of a page or more, and not BULK: $large"
