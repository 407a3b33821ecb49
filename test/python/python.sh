# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced after test/lib.sh by the tests of the package for Python, which is taken from the build tree.
#
#   py SCRIPT...     runs a script by an interpreter that has the package, and numpy and pandas if one is there
#   $numpy           yes or no; in CI, where they are installed, they must be there
#   long_loop DIR    a trace of 100,000 writes and as many reads, in two threads

[ -e "$TOP_BUILDDIR/python/lib/recorder/_reader.so" ] || skip "built without the package for Python (no Python.h)"

PYTHONPATH=$TOP_BUILDDIR/python/lib:$TOP_SRCDIR/test/python
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

py()
{
	LD_PRELOAD=$python_preload "$python" "$@"
}

# The compiler's runtime has to come before an interpreter that knows nothing of it.
python_preload=
case ${SANITIZERS:-} in
*address*)
	python_preload=$(gcc -print-file-name=libasan.so)
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
	export ASAN_OPTIONS
	PYTHONMALLOC=malloc
	export PYTHONMALLOC
	;;
*thread*) skip "an interpreter that knows nothing of ThreadSanitizer" ;;
esac

# Debian's numpy is for Debian's Python, which need not be the one that the package was built for, but has its ABI.
numpy=no
for python in "${PYTHON:-python3}" /usr/bin/python3; do
	if py -c 'import recorder, numpy, pandas' 2>/dev/null; then
		numpy=yes
		break
	fi
done
if [ $numpy = no ]; then
	[ -z "${CI:-}" ] || fail "numpy and pandas are missing (packages python3-numpy, python3-pandas)"
	python=${PYTHON:-python3}
	py -c 'import recorder' || fail "the package cannot be imported"
fi

long_loop()
{
	recorder run -q -o "$1" -- "${PYTHON:-python3}" -S -E -c '
import os, threading
def loop(name):
    fd = os.open(name, os.O_RDWR | os.O_CREAT)
    for i in range(50000):
        os.pwrite(fd, b"12345678", 8 * i)
        os.pread(fd, 8, 8 * i)
    os.close(fd)
threads = [threading.Thread(target=loop, args=(f"file{i}",)) for i in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
' || fail "cannot record"
}
