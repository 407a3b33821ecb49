#!/bin/sh
# SPDX-License-Identifier: MIT
# speedscope's importer finds every record of the Chrome JSON; calls in flight, B events, too. speedscope comes from npm,
# once, into the build tree.
. "${TOP_SRCDIR:?}/test/lib.sh"
need node nodejs
need npm
need python3
cache=$TOP_BUILDDIR/test/cli/npm
release=$cache/node_modules/speedscope/dist/release
if [ ! -d "$release" ]; then
	mkdir -p "$cache"
	npm install --prefix "$cache" --no-audit --no-fund --ignore-scripts speedscope@1.25.0 >npm.log 2>&1 || {
		cat npm.log
		skip "speedscope cannot be fetched with npm"
	}
fi

python3 "$TOP_SRCDIR/test/cli/sample.py" sample || fail "no sample"
for options in "" --no-args; do
	# shellcheck disable=SC2086
	recorder2pfw -q --force $options --format chrome -o sample.json sample || fail "no JSON"
	want=$(recorder info -q --json sample | python3 -c '
import json, sys
info = json.load(sys.stdin)
print(info["stored"] + info["in_flight"])')
	# its one warning is that the call in flight does not end
	expect_eq "$want 1" "$(node "$TOP_SRCDIR/test/cli/speedscope.js" "$release" sample.json 2>/dev/null)" \
		"calls and warnings"
done
