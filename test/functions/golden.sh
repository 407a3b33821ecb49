#!/bin/sh
# SPDX-License-Identifier: MIT
# What the generator makes of sample.api, so that a change of the generator is seen in review. To
# refresh: test/functions/golden.sh --refresh
if [ "${1:-}" = --refresh ]; then
	cd "$(dirname "$0")" && python3 ../../functions/generate.py --out expected \
		--doc expected/functions.md sample.api
	exit
fi
. "${TOP_SRCDIR:?}/test/lib.sh"
[ "$PYTHON" != : ] || skip "no Python"

mkdir out
"$PYTHON" "$TOP_SRCDIR/functions/generate.py" --out out --doc out/functions.md \
	"$TOP_SRCDIR/test/functions/sample.api" || fail "the generator failed"
diff -ru "$TOP_SRCDIR/test/functions/expected" out ||
	fail "not as in test/functions/expected; if it is better: test/functions/golden.sh --refresh"
