#!/bin/sh
# SPDX-License-Identifier: MIT
# I/O of other languages' runtimes is seen through the calls that they make: the bytes of each file, at the offsets at which
# they are.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
[ "$PYTHON" != : ] || skip "no Python"
sources=$TOP_SRCDIR/test/languages

# run NAME CMD...: traced, in a folder of its own
run()
{
	mkdir -p "$1.work" && cd "$1.work" || return 1
	name=$1
	shift
	RECORDER_TRACES_DIR=$test_dir/$name.trace preload "$@" && cd .. && recorder2text "$name.trace" >"$name.text"
}

# the file data of all three
data()
{
	run "$@" && "$PYTHON" "$sources/check.py" data "0-30000,40000-40007=$written" "0-40007=$read" <"$1.text"
}

cxx()
{
	g++ -o streams "$sources/streams.cc" && written=30057 read=40014 && data cxx ../streams
}

fortran()
{
	gfortran -o units "$sources/units.f90" && written=30007 read=40007 && data fortran ../units &&
		"$PYTHON" "$sources/check.py" records 0-128,1152-1280=256 = <fortran.text
}

python()
{
	written=30057 read=40014
	data python "$PYTHON" "$sources/files.py"
}

# try NAME COMPILER PACKAGE
try()
{
	if command -v "$2" >/dev/null; then
		("$1") >log 2>&1
		report $? "$1" log
		sed 's/^/# /' log
	elif [ -n "${CI:-}" ]; then
		report 1 "$1: $2 is missing (package $3)"
	else
		report_skip "$1: $2 is missing (package $3)"
	fi
}

echo 1..3
try cxx g++ g++
try fortran gfortran gfortran
try python "$PYTHON" python3
