# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the tests of pages, after test/lib.sh.
#
#   need_browser   skips without chromium, node or what npm gives; sets $modules
#   browse SCRIPT FILE ARGS...   opens FILE in the browser and does what test/report/SCRIPT.js says. There is one browser for all of them, which ends with
#                  the test

need_browser()
{
	need node nodejs
	need npm
	need chromium
	modules=$TOP_BUILDDIR/test/report/npm/node_modules
	shots=$TOP_BUILDDIR/test/report/shots
	mkdir -p "$shots"
	[ -f "$modules/axe-core/axe.min.js" ] && [ -d "$modules/playwright-core" ] && return
	mkdir -p "$TOP_BUILDDIR/test/report/npm"
	npm install --prefix "$TOP_BUILDDIR/test/report/npm" --no-audit --no-fund --ignore-scripts playwright-core@1.65.1 axe-core@4.14.1 >npm.log 2>&1 || {
		cat npm.log
		skip "playwright-core and axe-core cannot be fetched with npm"
	}
}

browser=
end_browser()
{
	[ -z "$browser" ] || { kill "$browser" && wait "$browser"; } 2>/dev/null
	test_cleanup
}

# a browser is there, or will never be
browser_is_there()
{
	[ -s "${test_dir:?}/browser.address" ] || ! kill -0 "$browser"
}

start_browser()
{
	trap end_browser EXIT
	REPORT_MODULES=$modules CHROMIUM=$(command -v chromium) \
		node "$TOP_SRCDIR/test/report/server.js" "${test_dir:?}/browser.address" >"${test_dir:?}/browser.log" 2>&1 &
	browser=$!
	until_ browser_is_there
	[ -s "${test_dir:?}/browser.address" ] || fail "no browser: $(cat "${test_dir:?}/browser.log")"
}

browse()
{
	browse_script=$1
	shift
	[ -n "$browser" ] || start_browser
	REPORT_MODULES=$modules REPORT_SHOTS=$shots REPORT_BROWSER=$(cat "${test_dir:?}/browser.address") \
		node "$TOP_SRCDIR/test/report/$browse_script.js" "$@" || fail "$browse_script $*: see above"
}
