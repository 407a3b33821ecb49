#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints which share of the lines of lib/format and lib/read the fuzz targets run on the seeds, on what
# was ever found and on what fuzzing left in the build directory, libreader on the
# broken traces, and the unit tests.
# Fails below COVERAGE_LEAST percent (90).
[ -d "${TMPDIR:=/dev/shm}" ] && export TMPDIR
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
need gcov gcc
source=$TOP_SRCDIR/test/fuzz
place=$TOP_BUILDDIR/test/fuzz/coverage
mkdir -p "$place"
find "$place" -name '*.gcda' -exec rm -f {} +
make -s -C "$place" -f "$source/build.mk" SRC="$TOP_SRCDIR" BUILD="$TOP_BUILDDIR" HOW=coverage >make.log 2>&1 ||
	fail "the targets cannot be built: $(cat make.log)"
"${PYTHON:-python3}" "$source/seeds.py" "$PWD/seeds" || fail "no seeds"
for target in dir gm lm rec repair rtrace signatures; do
	mkdir -p "work/$target"
	cd "work/$target" || exit 99
	find "$test_dir/seeds/$target" "$TOP_SRCDIR/test/data/fuzz/$target" \
		"$TOP_BUILDDIR/test/fuzz/corpus/$target" -type f -exec "$place/$target" {} + \
		2>/dev/null
	cd "$test_dir" || exit 99
done
"${PYTHON:-python3}" "$TOP_SRCDIR/test/format/broken.py" "$PWD/broken" || fail "no broken traces"
find "$PWD/broken" -mindepth 1 -maxdepth 1 -type d | timeout 100 "$place/judge" >/dev/null

"$place/unittest" >/dev/null || fail "unit tests fail"
cd "$place" || exit 99
find . -path '*lib/*' -name '*.gcda' -exec gcov --json-format --stdout {} + 2>/dev/null |
	"${PYTHON:-python3}" "$source/coverage.py" "$TOP_SRCDIR" "${COVERAGE_LEAST:-90}"
