#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 1800
# What make dist packs builds out of a folder that stays as it is, installs, works by `module load`, and uninstalls and cleans up without leaving
# anything: make distcheck in short, without the layers and optimisations that take compilers minutes.
. "${TOP_SRCDIR:?}/test/lib.sh"
[ -z "${SANITIZERS:-}" ] || skip "the same with and without sanitizers"
[ "$MPI_KIND" = openmpi ] || skip "the same for every MPI"
need lua5.3
need man man-db
[ -e /usr/share/modules/init/sh ] || need modulecmd.tcl environment-modules

make_quietly()
{
	MAKEFLAGS='' MFLAGS='' quietly make -j2 "$@" || fail "make $*"
}
version=$("$TOP_BUILDDIR/recorder-config" --version)
sources=recorder-$version
make_quietly -C "$TOP_BUILDDIR" dist DIST_TARGETS=dist-gzip
tar xzf "$TOP_BUILDDIR/$sources.tar.gz" || fail "not a tarball"
chmod -R a-w "$sources"
state()
{
	(cd "$sources" && find . -printf '%p %y %s %T@\n' | sort)
}
state >before

# ---- build and install ----

prefix=$PWD/prefix
mkdir build
(cd build && ../"$sources"/configure --prefix="$prefix" --without-mpi --without-hdf5 --without-netcdf --without-pnetcdf --without-sqlite3 \
	CFLAGS=-O0) >configure.out 2>&1 || fail "configure: $(tail -n 5 configure.out)"
make_quietly -C build all
make_quietly -C build install
[ ! -e build/functions/generated.stamp ] || fail "the tarball lacks something generated"

# ---- environment modules: all is found by `module load`, and nothing is left in the environment by `module unload` ----

modules=$prefix/share/recorder/modulefiles
PATH=$(echo "$PATH" | sed "s|$TOP_BUILDDIR/tools:||")
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

# ---- nothing is left ----

make_quietly -C build uninstall
expect_eq "" "$(find "$prefix" ! -type d)" "left by make uninstall"
make_quietly -C build distclean
expect_eq "" "$(find build -type f)" "left by make distclean"
state | diff before - || fail "the sources were changed"

# a checkout has nothing that the tarball lacks
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
[ -e "$TOP_SRCDIR/.git" ] && git -C "$TOP_SRCDIR" ls-files >files 2>/dev/null || exit 0
while read -r file; do
	[ "$file" = .gitignore ] || [ -e "$sources/$file" ] || [ ! -e "$TOP_SRCDIR/$file" ] || echo "$file"
done <files >missing
[ ! -s missing ] || fail "not in the tarball: $(cat missing)"
