#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
# dpkg-buildpackage makes packages of which lintian has nothing to say; unpacked into a folder they record programs of both MPIs and of none,
# read traces from Python and from C, and nothing that make install gives is in none of them.
. "${TOP_SRCDIR:?}/test/lib.sh"
[ -z "${SANITIZERS:-}" ] || skip "packages have no sanitizers"
need dpkg-buildpackage dpkg-dev
need dh debhelper
need dh_python3 dh-python
need lintian
architecture=$(dpkg --print-architecture)
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH)

version=$("$TOP_BUILDDIR/recorder-config" --version)
MAKEFLAGS='' MFLAGS='' quietly make -C "$TOP_BUILDDIR" dist DIST_TARGETS=dist-gzip || fail "make dist"
tar xzf "$TOP_BUILDDIR/recorder-$version.tar.gz" || fail "not a tarball"
files()
{
	(cd "recorder-$version" && find . ! -type d -printf '%p %s %T@\n' | sort)
}
files >before
# in the sources, with Debian's own programs alone
in_sources()
{
	DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS:-"nocheck parallel=2"} PATH=/usr/bin:/bin:/usr/sbin:/sbin MAKEFLAGS='' MFLAGS='' \
		quietly env -C "recorder-$version" "$@" || fail "$*"
}
in_sources dpkg-buildpackage -b -us -uc
# nothing of it is outside of debian/
files | grep -v '^\./debian/' >after
grep -v '^\./debian/' before | diff - after || fail "the sources were changed"
in_sources debian/rules clean
files | grep -v '^\./debian/files ' | diff before - || fail "debian/rules clean leaves something"

# packages of nobody in particular have no address; they are not for an upload
lintian --allow-root --fail-on=none --suppress-tags initial-upload-closes-no-bugs,bogus-mail-host,bogus-mail-host-in-debian-changelog \
	"recorder_${version}_$architecture.changes" >lintian.out 2>&1
cat lintian.out
! grep -q '^[EW]: ' lintian.out || fail "lintian finds something"

mkdir root
for package in recorder librecorder1 librecorder-dev python3-recorder; do
	dpkg-deb -x "${package}_${version}_$architecture.deb" root || fail "$package is no package"
	dpkg-deb -c "${package}_${version}_$architecture.deb" | grep -v '/$' | sed 's/ -> .*//; s/.* //' >>contents
done
expect_eq "" "$(sort contents | uniq -d)" "in more packages than one"

PATH=$PWD/root/usr/bin:$PATH
expect_eq "$PWD/root/usr/bin/recorder" "$(command -v recorder)" "recorder in PATH"
recorder run -o trace -- ls / >listing 2>said || fail "recorder run gives $?: $(cat said)"
ls / | diff - listing || fail "ls says something else"
grep -q "recorder summary" said || fail "no word of where the trace is: $(cat said)"
recorder summary trace >summary || fail "recorder summary gives $?"
recorder2sqlite -q -o t.sqlite trace || fail "recorder2sqlite"
for mpi in openmpi mpich nompi; do
	[ "$mpi" = nompi ] || [ -s "root/usr/lib/$triplet/recorder/$mpi/librecorder.so" ] || fail "no library for $mpi"
	[ "$mpi" != nompi ] && command -v "mpicc.$mpi" >/dev/null || continue
	"mpicc.$mpi" -O2 -o "heat-$mpi" "$TOP_SRCDIR/examples/heat.c" -lm || fail "mpicc.$mpi"
	recorder run -q -o "$mpi.trace" -- "mpiexec.$mpi" -n 2 "./heat-$mpi" >/dev/null || fail "heat under $mpi"
	[ "$(recorder2text -q --layers mpi --functions MPI_Init "$mpi.trace" | wc -l)" -eq 2 ] || fail "no calls of $mpi"
done

# Python and C
(cd / && PYTHONPATH=$test_dir/root/usr/lib/python3/dist-packages /usr/bin/python3 -c '
import recorder, sys
reader = recorder.RecorderReader(sys.argv[1])
print(sum(len(rank) for rank in reader.records))' "$test_dir/trace") >count || fail "Python"
expect_eq "$(recorder info -q --json trace >info.json && info_number records)" "$(cat count)" "records in Python"
PKG_CONFIG_PATH=$PWD/root/usr/lib/$triplet/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # several flags
cc -o count_calls "$TOP_SRCDIR/examples/count_calls.c" $(pkg-config --define-variable=prefix="$PWD/root/usr" \
	--define-variable=exec_prefix="$PWD/root/usr" --cflags --libs recorder-reader) || fail "count_calls does not build"
LD_LIBRARY_PATH=$PWD/root/usr/lib/$triplet ./count_calls trace | grep -q . || fail "count_calls"
man -l root/usr/share/man/man1/recorder.1.gz >/dev/null || fail "no manual page"
