#!/bin/sh
# SPDX-License-Identifier: MIT
# modules.sh PREFIX: what make install gave works by `module load`, and nothing is left in the environment by `module unload`. Of this build
# (test/meta/install.sh), and of what the tarball is built to (tarball.sh).
. "${TOP_SRCDIR:?}/test/lib.sh"
need lua5.3
need man man-db
[ -e /usr/share/modules/init/sh ] || need modulecmd.tcl environment-modules

version=$("$TOP_BUILDDIR/recorder-config" --version)
prefix=${1:?}
modules=$prefix/share/recorder/modulefiles
PATH=$(echo "$PATH" | sed "s|$TOP_BUILDDIR/tools:||g; s|$prefix/bin:||g")
unset MANPATH BASH_ENV ENV
export PATH
# what modules change, but for their own notes
environment()
{
	env | grep -v -E '^(_|SHLVL|PWD|OLDPWD|LOADEDMODULES|_LMFILES_|MODULE[A-Za-z_]*|__MODULES[A-Z_]*|.*_modshare)=' | sort
}
has_python=$(find "$prefix" -name recorder -path '*-packages/*')
(
	set +u
	. /usr/share/modules/init/sh
	environment >before.env
	module use "$modules"
	module load recorder || fail "module load"
	environment >after.env
	expect_eq "$prefix/bin/recorder" "$(command -v recorder)" "recorder in PATH"
	recorder run -o trace -- ls / >listing 2>said || fail "recorder run gives $?"
	[ -s listing ] || fail "ls says nothing"
	grep -q 'recorder summary' said || fail "recorder run does not tell how to go on"
	recorder report -q trace || fail "recorder report gives $?"
	grep -q '</html>' trace.html || fail "no page"
	"${CC:-cc}" -o mine "$TOP_SRCDIR/examples/count_calls.c" -lreader || fail "a program does not find header and library"
	./mine trace >counts && [ -s counts ] || fail "./mine gives $?"
	pkg-config --exists recorder-analysis || fail "pkg-config knows nothing"
	expect_eq "$prefix/share/man/man1/recorder.1" "$(man -w recorder)" "manual page"
	if [ -n "$has_python" ]; then
		(cd / && "$PYTHON" -c 'import recorder; print(recorder.__path__[0])') >where || fail "import recorder"
		expect_eq "$has_python" "$(cat where)" "package for Python"
	fi
	module unload recorder || fail "module unload"
	environment | diff before.env - || fail "something is left in the environment"
) || exit 1
diff before.env after.env | sed -n 's/^> //p' >tcl

# the other one, read by Lua, with what Lmod gives it
lua5.3 "$TOP_SRCDIR/test/packaging/lmod.lua" "$modules/recorder/$version.lua" | sort >lua || fail "the module of Lmod"
diff tcl lua || fail "the module of Lmod does something else"
cat lua
# pages beside others
(
	set +u
	MANPATH=/usr/share/man
	export MANPATH
	. /usr/share/modules/init/sh
	module use "$modules" && module load recorder
	expect_eq "$prefix/share/man:/usr/share/man" "$MANPATH" MANPATH
) || exit 1
