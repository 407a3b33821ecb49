#!/bin/sh
# SPDX-License-Identifier: MIT
# librecorder.so and librecorder-mem.so need libc alone, export what the catalogue names, bind at load, and end no program of another libc.
. "${TOP_SRCDIR:?}/test/lib.sh"
need readelf binutils
[ -z "${SANITIZERS:-}" ] || skip "a sanitizer brings its own library along"
map=$TOP_BUILDDIR/functions/librecorder.map
[ -f "$map" ] || map=$TOP_SRCDIR/functions/librecorder.map
"$TOP_SRCDIR/script/exports" "$RECORDER_SO" "$map" || exit 1
"$TOP_SRCDIR/script/exports" "${RECORDER_SO%/*}/librecorder-mem.so" "$TOP_SRCDIR/lib/mem/librecorder-mem.map"
