#!/bin/sh
# SPDX-License-Identifier: MIT
# RECORDER_VERBOSE: one line from each rank and each launcher, none from children of ranks, and nothing else.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
memory_dir
live=$memory
RECORDER_VERBOSE=1
RECORDER_LIVE_DIR=$live
export RECORDER_VERBOSE RECORDER_LIVE_DIR

# LINES PATTERN WHAT [VARIABLE=VALUE...] CMD...: runs it and looks at its stderr
lines()
{
	want=$1 pattern=$2 what=$3
	shift 3
	env LD_PRELOAD="$RECORDER_SO" "$@" 2>notes || fail "$what gives $?"
	expect_eq "$want" "$(grep -c '' notes)" "lines of $what: $(cat notes)"
	expect_eq "$want" "$(grep -c "$pattern" notes)" "lines like '$pattern' of $what: $(cat notes)"
}

lines 0 . "a quiet one" RECORDER_QUIET=1 cat /dev/null
lines 1 "^recorder: rank 0 (cat, process [0-9]*) records .* of posix, .* of stdio.* into $PWD/one/0\..*; live files in $live/recorder-" \
	"a program" RECORDER_TRACES_DIR=one cat /dev/null
lines 1 "; by RECORDER_LAYERS=posix RECORDER_MIN_DURATION=1us$" "a script" \
	RECORDER_TRACES_DIR=two RECORDER_LAYERS=posix RECORDER_MIN_DURATION=1us sh -c 'cat /dev/null; cat /dev/null; exec cat /dev/null'
grep -q stdio notes && fail "a layer that is off: $(cat notes)"
lines 1 " is not recorded: RECORDER_ENABLE is 0$" "switched off" RECORDER_ENABLE=0 cat /dev/null
lines 1 " is not recorded: RECORDER_RANKS or RECORDER_PROGRAMS " "left out" RECORDER_RANKS=1-3 cat /dev/null
lines 1 " is not recorded: RECORDER_RANKS or RECORDER_PROGRAMS " "left out" RECORDER_PROGRAMS=-cat cat /dev/null

unset RECORDER_VERBOSE
lines 1 "^recorder: RECORDER_LAYERS: there is no layer possix,std$" "unknown layers" \
	RECORDER_TRACES_DIR=layers RECORDER_LAYERS=posix,possix,-std,mpi* sh -c 'cat /dev/null; exec cat /dev/null'
lines 1 "^recorder: RECORDER_FUNCTIONS: unless the program has regions of that name there is no function opne,MPI_Foo[*]$" "unknown functions" \
	RECORDER_TRACES_DIR=functions RECORDER_FUNCTIONS=opne,-MPI_Foo*,pwrite* cat /dev/null
RECORDER_VERBOSE=1
export RECORDER_VERBOSE

need_mpiexec
# the one that is called, and hydra's daemon
[ "$MPI_KIND" = openmpi ] && launchers=1 || launchers=2
env LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR=three "$MPIEXEC" -n 3 cat /dev/null 2>notes ||
	fail "$MPIEXEC: $(cat notes)"
expect_eq 3 "$(grep -c '^recorder: rank [0-2] (cat, .* records ' notes)" "lines of ranks: $(cat notes)"
expect_eq $launchers "$(grep -c '^recorder: rank 0 (.* is not recorded: it is a launcher' notes)" "lines of launchers: $(cat notes)"
expect_eq $((3 + launchers)) "$(grep -c '' notes)" "lines in all: $(cat notes)"
exit 0
