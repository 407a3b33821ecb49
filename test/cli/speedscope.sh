#!/bin/sh
# SPDX-License-Identifier: MIT
# speedscope's importer finds every record of the Chrome JSON; calls in flight, B events, too. speedscope comes from npm,
# once, into the build tree.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
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

# four ranks with messages, nonblocking calls, threads and files: what else there is does not disturb it, nor does --split
if [ -n "${MPICC:-}" ] && [ "$MPI_KIND" = openmpi ] && "$MPICC" -O1 -pthread -o messages "$TOP_SRCDIR/test/mpi/messages.c" -lrt; then
	quietly recorder run -q -o ranks -- "$MPIEXEC" -n 4 ./messages || fail "cannot record"
	recorder2pfw -q --format chrome -o ranks.json ranks && recorder2pfw -q --format chrome --split 400K -o parts.json ranks || fail "no JSON"
	want=$(recorder info -q --json ranks | python3 -c 'import json, sys; print(json.load(sys.stdin)["stored"])')
	found=$(node "$TOP_SRCDIR/test/cli/speedscope.js" "$release" ranks.json 2>/dev/null)
	expect_eq "$want" "${found% *}" "calls of four ranks"
	sum=0
	for part in parts-*.json; do
		found=$(node "$TOP_SRCDIR/test/cli/speedscope.js" "$release" "$part" 2>/dev/null)
		sum=$((sum + ${found% *}))
	done
	expect_eq "$want" "$sum" "calls of four ranks, in parts"
fi
