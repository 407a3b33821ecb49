#!/bin/sh
# SPDX-License-Identifier: MIT
# Functions of a program by name: it runs as it does without, and each call is in the trace once; what cannot be traced is told, with the reason.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/native/counted.sh"
[ "$(uname -m)" = x86_64 ] || skip "x86-64 only; of aarch64 is emulated.t"
skip_under_tsan
sources=$TOP_SRCDIR/test/native

# record NAME TARGETS PROGRAM ARGUMENT...: into NAME.trace
record()
{
	trace=$1.trace
	targets=$2
	shift 2
	RECORDER_TRACES_DIR=$PWD/$trace RECORDER_TARGETS=$targets preload "$@" >out 2>err || fail "exit status $?"
	recorder check -q "$trace" || fail "recorder check"
}

dry()
{
	targets=
	while [ "$1" != -- ]; do
		targets="$targets;$1"
		shift
	done
	shift
	RECORDER_DRY_RUN=1 RECORDER_TRACES_DIR=$PWD/dry.trace RECORDER_TARGETS=$targets preload "$@" || fail "exit status $?"
	[ ! -e dry.trace ] || fail "a dry run leaves a trace"
}

# shapes_by OPTION...: as without, and as it counts itself
shapes_by()
{
	c++ "$@" -Wall -Wextra -o "shapes$1" "$sources/shapes.cc" -pthread || fail "cannot compile"
	"./shapes$1" counts.alone >out.alone || fail "alone"
	record "shapes$1" "$shapes" "./shapes$1" counts
	diff out.alone out || fail "another output"
	LC_ALL=C sort counts >want
	counted "shapes$1.trace" | diff want - || fail "other counts"
}

short()
{
	cc -O2 -g -rdynamic -o short "$sources/short.c" || fail "cannot compile"
	./short >out.alone || fail "alone"
	record short 'narrow;looping;tabled;calling;hidden;chosen;exported;deep;mixed;texts;forking' ./short
	diff out.alone out || fail "another output"
	printf '%s\n' "calling 10" "chosen 10" "deep 305" "exported 2" "forking 2" "hidden 12" "mixed 1" "texts 4" >want
	counted short.trace | sed 's/^deep .*/deep 305/; s/^forking .*/forking 2/' | diff want - || fail "other counts"
	grep -q "'narrow' of short is not traced: too short" err || fail "too short: $(cat err)"
	grep -q "'tabled' of short is not traced: jumps by a table" err || fail "by a table: $(cat err)"
	dry narrow looping calling hidden 'chosen*' nowhere -- ./short >dry || fail
	cat dry
	grep -q '^narrow  *not traced, short: too short$' dry || fail "narrow"
	grep -q '^calling  *its first instructions are moved, short$' dry || fail "calling"
	grep -q '^chosen  *chosen at run time (IFUNC), by the word that has the choice, short$' dry || fail "chosen"
	grep -q '^hidden  *its first instructions are moved, short$' dry || fail "hidden"
	grep -q '^nowhere  *not traced: no symbol of that name' dry || fail "nowhere"
}

stripped()
{
	cc -O2 -rdynamic -s -o stripped "$sources/short.c" || fail "cannot compile"
	./stripped >out.alone || fail "alone"
	record stripped 'hidden;exported;deep*' ./stripped
	diff out.alone out || fail "another output"
	counted stripped.trace | grep -q '^exported 2$' || fail "exported"
	! counted stripped.trace | grep -q hidden || fail "a name that is not there"
	dry hidden -- ./stripped | grep -q '^hidden  *not traced: no symbol of that name' || fail "not told"
}

missing()
{
	status=0
	recorder run -o missing.trace -t expoted -- ./short >out 2>err || status=$?
	expect_eq 0 "$status" "status"
	grep -q "no function is .expoted.; is it exported" err || fail "told: $(cat err)"
	status=0
	recorder run --strict -o strict.trace -t expoted -- ./short >out 2>err || status=$?
	expect_eq 125 "$status" "status with --strict"
	recorder run --dry-run -t exported -- ./short >out || fail "dry"
	grep -q '^exported  *its first' out || fail "dry run of recorder: $(cat out)"
}

arguments()
{
	RECORDER_TRACES_DIR=$PWD/arguments.trace RECORDER_TARGETS='mixed;texts' \
		RECORDER_ARGUMENTS='mixed@arg1/i,arg2/d,arg3/s,arg4/f,arg5/i,arg6/u,arg7/i,arg8/i64,arg9/s;texts@arg1/i;exported@arg1/x' \
		RECORDER_RESULTS='mixed@ret/d;texts@ret/s;exported@ret/i' preload ./short >out || fail "exit status $?"
	diff out.alone out || fail "another output"
	recorder2text -q --layers native arguments.trace | sed -E 's/^([^ ]+ ){5}native //' >got
	cat >want <<-'END'
		exported(arg1=0x0) = -7
		exported(arg1=0x4) = 49
		mixed(arg1=-1, arg2=2.5, arg3="three", arg4=4.25, arg5=1099511627776, arg6=4000000000, arg7=7, arg8=-8, arg9="nine") = 1103511627789.75
		texts(arg1=0, result="zero") = -
		texts(arg1=1, result="one") = -
		texts(arg1=2, result=NULL) = -
		texts(arg1=3, result=?) = -
	END
	diff want got || fail "other arguments"
}

fortran()
{
	gfortran -O1 -fno-inline -o modules "$sources/modules.f90" || fail "cannot compile"
	./modules >out.alone || fail "alone"
	record modules 'solver::*;solve;MAIN' ./modules
	diff out.alone out || fail "another output"
	printf '%s\n' "MAIN 1" "solve 3" "solver::norm 6" "solver::step 3" >want
	counted modules.trace | grep -v '^main ' | diff want - || fail "other counts"
}

loaded()
{
	cc -O2 -shared -fPIC -o plugin.so "$sources/plugin.c" || fail "cannot compile"
	cc -O2 -o loader "$sources/loader.c" -ldl -lpthread || fail "cannot compile"
	./loader ./plugin.so >out.alone || fail "alone"
	record loaded 'plugin.so:plugin_work' ./loader "$PWD/plugin.so"
	diff out.alone out || fail "another output"
	expect_eq "plugin_work 6" "$(counted loaded.trace)" "calls"
}

# instrumented NAME OPTION...: all functions, and those of a target
instrumented()
{
	c++ -O1 "$2" ${3-} -Wall -o "by$1" "$sources/shapes.cc" -pthread || fail "cannot compile"
	(mkdir -p alone && cd alone && "../by$1" counts.alone >../out.alone) || fail "alone"
	record "by$1" "$shapes" "./by$1" counts
	diff out.alone out || fail "another output"
	LC_ALL=C sort counts >want
	counted "by$1.trace" | diff want - || fail "other counts"
	[ "$1" != mcount ] || return 0
	# a call at the very begin is room for a jump: arguments can be had, too
	if [ "$1" = fentry ]; then
		dry 'shapes::twice<int>' -- ./byfentry counts >dry || fail "dry run"
		grep 'twice<int>.*room that the compiler left' dry || fail "not by the room of the call: $(cat dry)"
	fi
	record "all$1" "" "./by$1" counts
	counted "all$1.trace" >got
	grep -v '^twice' want | while read -r line; do
		grep -qxF "$line" got || fail "without targets: no $line"
	done
}

# All functions; and what is left by a jump has ended when the next one is called from where it was, whose frame is as large.
by_calls()
{
	instrumented calls -finstrument-functions
	cat >jump.c <<'END'
#include <setjmp.h>

static jmp_buf place;

__attribute__((noinline)) void inner(void)
{
	longjmp(place, 1);
}

__attribute__((noinline)) void left(void)
{
	inner();
	__asm__ volatile("");
}

__attribute__((noinline)) void after(void)
{
	__asm__ volatile("");
}

int main(void)
{
	if (!setjmp(place))
		left();
	after();
	return 0;
}
END
	cc -O1 -finstrument-functions -o jump jump.c || fail "cannot compile"
	record jump "" ./jump
	recorder2text -q jump.trace | awk '{ print $5, $7, $9, $10 }' | sed 's/ *$//' >got
	printf '%s\n' "0 main() -" "1 left() ? left" "2 inner() ? left" "1 after() -" >want
	diff want got || fail "a function that was left goes on"
}

# the others are of `make check-long`
if [ -n "${NATIVE_LONG-}" ]; then
	echo "1..4"
	try "without optimization" shapes_by -O0
	try "for size, by fixed addresses" shapes_by -Os -no-pie -fno-pie
	try "with -O3, in one" shapes_by -O3 -flto
	try "-pg" instrumented mcount -pg
	exit
fi

echo "1..9"
try "a program of C++ with exceptions, threads and jumps, -O2" shapes_by -O2
try "what is too short, loops or is chosen at run time is told" short
try "a stripped program" stripped
try "a name that nothing has" missing
try "arguments and results" arguments
if command -v gfortran >/dev/null; then
	try "procedures of modules of Fortran" fortran
else
	report_skip "procedures of modules of Fortran" "no gfortran"
fi
try "a library that is loaded again and again" loaded
try "-finstrument-functions" by_calls
try "-pg -mfentry" instrumented fentry -pg -mfentry
