#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 1800
# What make dist packs is all that a checkout has and all that is generated, and is configured out of a folder that stays as it is; make finds
# whatever it would build. TARBALL_BUILD=1 (make check-tarball): it is built, too, without the layers and optimisations that take compilers minutes,
# is installed, works by `module load` (modules.sh), and uninstalls and cleans up without leaving anything.
. "${TOP_SRCDIR:?}/test/lib.sh"
[ -z "${SANITIZERS:-}" ] || skip "the same with and without sanitizers"
[ "$MPI_KIND" = openmpi ] || skip "the same for every MPI"

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

prefix=$PWD/prefix
mkdir build
(cd build && ../"$sources"/configure --prefix="$prefix" --without-mpi --without-hdf5 --without-netcdf --without-pnetcdf --without-sqlite3 \
	--disable-dependency-tracking CFLAGS=-O0) >configure.out 2>&1 || fail "configure: $(tail -n 5 configure.out)"
if [ -n "${TARBALL_BUILD:-}" ]; then
	make_quietly -C build all
	make_quietly -C build install
	sh "$TOP_SRCDIR/test/packaging/modules.sh" "$prefix" || fail "what is installed does not work by modules"
	make_quietly -C build uninstall
	expect_eq "" "$(find "$prefix" ! -type d)" "left by make uninstall"
else
	MAKEFLAGS='' MFLAGS='' make -n -C build all >plan 2>&1 || fail "make does not find all: $(tail -n 5 plan)"
	grep -q 'librecorder\.la' plan || fail "make would build no library: $(tail -n 5 plan)"
	! grep 'functions/generate\.py' plan || fail "the tarball lacks something generated"
fi
[ ! -e build/functions/generated.stamp ] || fail "the tarball lacks something generated"
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
