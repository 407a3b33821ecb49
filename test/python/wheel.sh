#!/bin/sh
# SPDX-License-Identifier: MIT
# pip makes a wheel that holds the library, without the network and without configure; what it installs reads traces.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/python/python.sh"
case ${SANITIZERS:-} in ?*) skip "the wheel is not built with sanitizers" ;; esac
for pip in "$python" /usr/bin/python3 ''; do
	[ -z "$pip" ] || ! "$pip" -c 'import setuptools, wheel, pip' 2>/dev/null || break
done
if [ -z "$pip" ]; then
	[ -z "${CI:-}" ] || fail "pip, setuptools or wheel is missing (packages python3-pip, python3-setuptools, python3-wheel)"
	skip "pip, setuptools or wheel is missing"
fi

# as the sources come, without what configure and make add
mkdir source
for name in pyproject.toml setup.py configure.ac LICENSE include lib functions python; do
	cp -R "$TOP_SRCDIR/$name" source || fail "no $name"
done
chmod -R u+w source
find source \( -name '*.o' -o -name '*.lo' -o -name '*_gen.*' \) -exec rm -f {} +
CFLAGS=-O0 quietly "$pip" -m pip wheel --no-index --no-build-isolation --no-deps --no-cache-dir -w wheels ./source ||
	fail "pip wheel"
quietly "$pip" -m pip install --no-index --no-deps --target site wheels/recorder-*.whl || fail "pip install"
version=$(sed -n 's/^AC_INIT(\[recorder\], \[\([^]]*\)\])$/\1/p' "$TOP_SRCDIR/configure.ac")
expect_eq "$version" "$(ls wheels | sed 's/^recorder-\([^-]*\)-.*/\1/')" "version of the wheel"

# it needs neither libreader nor anything of the source, and gives nothing but its door to others
PYTHONPATH=$PWD/site
export PYTHONPATH
mv source away
module=$(echo site/recorder/_reader.*.so)
! ldd "$module" | grep -q libreader || fail "needs libreader"
expect_eq PyInit__reader "$(nm -D --defined-only "$module" | sed 's/.* //')" "symbols"
expect_eq "$PWD/site/recorder/__init__.py" "$("$pip" -c 'import recorder; print(recorder.__file__)')" "which package"
expect_eq "$version" "$("$pip" -m recorder --version | sed 's/^recorder //')" "version"
"$pip" -c 'import recorder_viz, recorder_utils' || fail "other names"
cp "$TOP_SRCDIR/test/python/compare.py" .
recorder run -q -o threads "$TEST_BIN/trace/threads" >/dev/null || fail "cannot record"
"$pip" compare.py threads "$TOP_SRCDIR/test/data/traces/1.0/p2p" || fail "other records"
