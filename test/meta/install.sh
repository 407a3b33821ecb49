#!/bin/sh
# SPDX-License-Identifier: MIT
# make install gives a tree that works: the installed command finds the installed library, and a
# program of somebody else builds against libreader with pkg-config alone, and environment modules load it (modules.sh).
. "${TOP_SRCDIR:?}/test/lib.sh"
need pkg-config
skip_under_tsan
prefix=$(sed -n 's/^prefix = //p' "$TOP_BUILDDIR/Makefile")
mpi=$(sed -n 's/^PRELOAD_MPI = //p' "$TOP_BUILDDIR/Makefile")

# the make that runs the tests must not hand its flags down
MAKEFLAGS='' MFLAGS='' quietly make -C "$TOP_BUILDDIR" install DESTDIR="$PWD/inst" ||
	fail "make install"
root=$PWD/inst$prefix

for name in bin/recorder bin/recorder-config bin/recorder2text bin/recorder2pfw bin/recorder2parquet bin/recorder2csv bin/recorder2collapsed bin/recorder2timeline include/recorder/reader.h include/recorder/analysis.h \
	lib/librecorder.so "lib/recorder/$mpi/librecorder.so" lib/librecorder-mem.so "lib/recorder/$mpi/librecorder-mem.so" lib/libreader.so lib/pkgconfig/recorder-reader.pc \
	lib/libanalysis.so lib/pkgconfig/recorder-analysis.pc share/recorder/recorder.yaml; do
	[ -e "$root/$name" ] || fail "$name is not installed"
done

[ ! -x "$TOP_BUILDDIR/tools/recorder2sqlite" ] || [ -x "$root/bin/recorder2sqlite" ] || fail "recorder2sqlite is not installed"

# The installed command, not the one of the build tree, moved with its library to where it is now.
PATH=$root/bin:$PATH
expect_eq "$root/bin/recorder" "$(command -v recorder)" "recorder in PATH"
recorder run -o trace -- cat /dev/null || fail "recorder run gives $?"
recorder2text trace >text || fail "recorder2text gives $?"
[ -s text ] || fail "no record in the trace of cat"

# environment modules, written for the folder that everything is moved to; they are the same for every MPI, and with sanitizers
if [ "$MPI_KIND" = openmpi ] && [ -z "${SANITIZERS:-}" ]; then
	MAKEFLAGS='' MFLAGS='' quietly make -C "$TOP_BUILDDIR" install-modules prefix="$root" || fail "make install-modules"
	sh "$TOP_SRCDIR/test/packaging/modules.sh" "$root" || [ $? -eq 77 ] || fail "environment modules"
fi

export PKG_CONFIG_PATH="$root/lib/pkgconfig"
flags=$(pkg-config --define-variable=prefix="$root" --cflags --libs recorder-reader) ||
	fail "pkg-config"
case ${SANITIZERS:-} in
*address*) flags="$flags -fsanitize=address" ;;
esac
# shellcheck disable=SC2086 # several flags
${CC:-cc} -Wall -Werror -o count_calls "$TOP_SRCDIR/examples/count_calls.c" $flags ||
	fail "examples/count_calls.c does not build with: $flags"
LD_LIBRARY_PATH=$root/lib ./count_calls trace >counts || fail "count_calls gives $?"
[ -s counts ] || fail "count_calls says nothing"

# the same by recorder-config
# shellcheck disable=SC2046 # several flags
${CC:-cc} -Wall -Werror -o count_again "$TOP_SRCDIR/examples/count_calls.c" $(recorder-config --cflags --libs) ${SANITIZERS:+-fsanitize=address} ||
	fail "examples/count_calls.c does not build with recorder-config"
LD_LIBRARY_PATH=$root/lib ./count_again trace | cmp - counts || fail "count_again says something else"
expect_eq "$root/lib/librecorder.so" "$(recorder-config --preload)" "recorder-config --preload"
expect_eq "$(recorder --version | sed 's/.* //') $root" "$(recorder-config --version --prefix)" "recorder-config --version --prefix"
[ -r "$(recorder-config --fortran)" ] || fail "no $(recorder-config --fortran)"
recorder-config --nothing 2>/dev/null
expect_eq 2 $? "status of recorder-config --nothing"
cat counts

# Builds for two MPIs: librecorder.so stays what came first, and is the other one when that has gone.
again()
{
	MAKEFLAGS='' MFLAGS='' quietly make -C "$TOP_BUILDDIR" "$@" DESTDIR="$PWD/inst" || fail "make $*"
}
libraries=$root/lib/recorder
[ "$mpi" = mpich ] && other=openmpi || other=mpich
mv "$libraries/$mpi" "$libraries/$other"
ln -sf recorder/$other/librecorder.so "$root/lib/librecorder.so"
again install-preloadexecLTLIBRARIES install-exec-hook
expect_eq recorder/$other/librecorder.so "$(readlink "$root/lib/librecorder.so")" "the link with two libraries"
rm -r "${libraries:?}/$other"
again uninstall-preload-link
expect_eq "recorder/$mpi/librecorder.so" "$(readlink "$root/lib/librecorder.so")" "the link without the first"
again uninstall
expect_eq "" "$(find "$root" -name 'librecorder*' -o -path '*/lib/recorder')" "left behind"
