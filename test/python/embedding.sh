#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that have a Python in them: linked with it, or opened when they run, and begun and ended several times; a build without its lock, which is refused.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/python/pythons.sh"
skip_under_tsan
here=$TOP_SRCDIR/test/python
cc=${CC:-cc}
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

# shellcheck disable=SC2086 # a command and its options
$cc -O1 -o embedding "$here/embedding_program.c" -ldl || fail "cannot build"
# shellcheck disable=SC2086
$cc -O1 -rdynamic -o unlocked "$here/unlocked_program.c" || fail "cannot build"

cat >want <<'END'
3 generate return
3 generate yield
18 recurse return
6 recurse 0 return
END

# traced PROGRAM ARGUMENT
traced()
{
	rm -rf trace
	recorder run -o trace -A __main__:recurse -t __main__:generate -- "$@" >out 2>err || fail "$*: status $?: $(cat err)"
	expect_eq "done" "$(cat out)" "output of $*"
	grep 'not recorded' err && fail "$*"
	recorder2text -q --layers python trace | awk '/\(id=/ { next } /recurse\(n=0\)/ { calls["recurse 0 return"]++ }
		{ sub(/__main__\./, "", $7); sub(/\(.*/, "", $7); calls[$7 " " $NF]++ } END { for (call in calls) print calls[call], call }' | sort -k 2 >got
	sort -k 2 want | diff - got || fail "$*: what is to be recorded (<) and what is (>)"
	expect_eq 3 "$(recorder2text -q --layers python trace | grep -c 'generate(id=.* span_end$')" "ends of generators of $*"
}

tried=0
for python in $pythons; do
	library=$("$python" -c 'import sysconfig, os
name = sysconfig.get_config_var("INSTSONAME") or ""
paths = [os.path.join(folder or "", name) for folder in (sysconfig.get_config_var("LIBDIR"), os.path.join("/usr/lib", sysconfig.get_config_var("MULTIARCH") or ""))]
print(next((path for path in paths if ".so" in name and os.path.exists(path)), ""))')
	[ -n "$library" ] || continue
	tried=$((tried + 1))
	PYTHONHOME=$("$python" -c 'import sys; print(sys.base_prefix)')
	export PYTHONHOME
	traced ./embedding "$library"
	# shellcheck disable=SC2086
	if $cc -O1 -o linked "$here/embedding_program.c" -Wl,--no-as-needed "$library" -Wl,-rpath,"$(dirname "$library")" -ldl 2>/dev/null; then
		traced ./linked ""
	fi
	unset PYTHONHOME
done

recorder run -o refused -t f -- ./unlocked >out 2>err || fail "a build without the lock: status $?"
expect_eq "done" "$(cat out)" "output of a build without the lock"
expect_eq 1 "$(grep -c 'functions of Python are not recorded: it lacks its lock (GIL): it is a build without' err)" "what is said of it: $(cat err)"
[ $tried -gt 0 ] || skip "no shared library of Python; builds without the lock are refused"
exit 0
