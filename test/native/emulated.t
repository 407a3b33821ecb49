#!/bin/sh
# SPDX-License-Identifier: MIT
# Functions by name on another CPU, by an emulator (make check-aarch64-traced). The emulator's own threads look like the program's, in which case code that is there already is left alone: so what is
# traced comes in a library that is opened.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/native/counted.sh"
[ -n "${EMULATED-}" ] || skip "no emulator"
sources=$TOP_SRCDIR/test/native

# run NAME ARGUMENT...: main() of NAME.so, with what is in $preloaded
run()
{
	library=$1.so
	shift
	# shellcheck disable=SC2086 # options
	$EMULATOR ${preloaded:+-E LD_PRELOAD=$preloaded} ./opener "./$library" "$@"
}

build()
{
	library=$1.so
	source=$2
	shift 2
	case $source in
	*.cc) "$EMULATED-g++" "$@" -shared -fPIC -o "$library" "$sources/$source" -pthread || fail "cannot compile" ;;
	*) "$EMULATED-gcc" "$@" -shared -fPIC -o "$library" "$sources/$source" || fail "cannot compile" ;;
	esac
}

# traced NAME TARGETS ARGUMENT...: into NAME.trace
traced()
{
	name=$1
	targets=$2
	shift 2
	preloaded=$RECORDER_SO
	RECORDER_TRACES_DIR=$PWD/$name.trace RECORDER_TARGETS=$targets run "$name" "$@" >out 2>err || fail "exit status $?: $(cat err)"
	preloaded=
	recorder check -q "$name.trace" || fail "recorder check"
}

# shapes_by NAME OPTION...
shapes_by()
{
	name=$1
	shift
	build "$name" shapes.cc "$@"
	run "$name" counts.alone >out.alone || fail "alone"
	traced "$name" "$shapes" counts
	diff out.alone out || fail "another output"
	LC_ALL=C sort counts >want
	counted "$name.trace" | sed "s/^$name\.so://" | diff want - || fail "other counts"
}

arguments()
{
	build short short.c -O2
	run short >out.alone || fail "alone"
	RECORDER_ARGUMENTS='mixed@arg1/i,arg2/d,arg3/s,arg4/f,arg5/i,arg6/u,arg7/i,arg8/i64,arg9/s;texts@arg1/i;exported@arg1/x' \
		RECORDER_RESULTS='mixed@ret/d;texts@ret/s;exported@ret/i' traced short 'mixed;texts;looping;tabled;narrow;calling'
	diff out.alone out || fail "another output"
	recorder2text -q --layers native short.trace | sed -E 's/^([^ ]+ ){5}native (short\.so:)?//' >got
	cat >want <<-'END'
		calling() = -
		exported(arg1=0x0) = -7
		exported(arg1=0x4) = 49
		mixed(arg1=-1, arg2=2.5, arg3="three", arg4=4.25, arg5=1099511627776, arg6=4000000000, arg7=7, arg8=-8, arg9="nine") = 1103511627789.75
		narrow() = -
		texts(arg1=0, result="zero") = -
		texts(arg1=1, result="one") = -
		texts(arg1=2, result=NULL) = -
		texts(arg1=3, result=?) = -
	END
	LC_ALL=C sort -u got | diff want - || fail "other arguments"
	grep -q "'looping' of short.so is not traced: a jump back to its begin" err || fail "looping: $(cat err)"
	grep -q "'tabled' of short.so is not traced: jumps by a table" err || fail "by a table: $(cat err)"
}

"$EMULATED-g++" -O2 -o opener "$sources/opener.cc" -ldl || fail "cannot compile"
echo "1..7"
try "a program of C++ with exceptions, threads and jumps" shapes_by plain -O2
try "without optimization" shapes_by unoptimized -O0
try "return addresses that are signed" shapes_by signed -O3 -fomit-frame-pointer -mbranch-protection=standard
try "room that the compiler leaves" shapes_by room -O2 -mbranch-protection=standard -fpatchable-function-entry=2
try "-finstrument-functions" shapes_by calls -O1 -finstrument-functions
try "-pg" shapes_by mcount -O2 -pg
try "arguments and results" arguments
