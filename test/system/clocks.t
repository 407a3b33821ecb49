#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernel stamps and times of programs: a call holds its system call, to within what recorder info says; readings of the clocks that drift, jump, sleep or are false.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
looks=$TOP_SRCDIR/test/system/stamps.py

# written KIND: a trace made up, and what info and the times of its two calls are
written()
{
	python3 "$looks" write "$1" "$1" || fail "write"
	recorder info "$1" >info || fail "recorder info"
	recorder2text -q "$1" | sed -n 's/^\([^ ]*\) [0-9]* \([^ ]*\) .*/\1 \2/p' | sort -rn >when
	python3 "$TOP_SRCDIR/test/format/readers_agree.py" "$1" >agree || fail "$(cat agree)"
}

# said LINE: in what info says
said()
{
	grep -qxF "$1" info || fail "$(cat info)"
}

# at PROGRAM KERNEL: the times of the two calls
at()
{
	expect_eq "0 $1 -1 $2" "$(tr '\n' ' ' <when | sed 's/ $//')" "times"
}

agrees()
{
	written steady
	said "kernel     stamps +- 93 ns, by 11 readings of the clocks of sample"
	at 5.000000000 5.000000000
	grep -q "^clock set\|^suspended" info && fail "$(cat info)"
	true
}

drifts()
{
	written drift
	at 5.000100000 5.000000000
	said "kernel     stamps +- 10092 ns, by 11 readings of the clocks of sample"
}

is_set()
{
	written forward
	at 5.000000000 5.000000000
	said "kernel     stamps +- 93 ns, by 11 readings of the clocks of sample"
	said "clock set  sample, 1 time, by +3600.000 s at most, which moved no time"
	written backward
	at 5.000000000 5.000000000
	said "clock set  sample, 1 time, by -90.000 s at most, which moved no time"
}

sleeps()
{
	written asleep
	at 5.000000000 5.000000000
	said "suspended  sample, 1 time, 7.000 s in all, which no time has"
	grep -q "^clock set" info && fail "$(cat info)"
	true
}

# none, of another counter, or no readings at all
falls_back()
{
	for kind in none false damaged; do
		written $kind
		at 5.000000000 5.000000000
		said "kernel     stamps by the anchors of each stream alone: how far they are off is not known of sample"
		recorder info --json $kind >info.json
		grep -q '"kernel_error"' info.json && fail "a bound: $(cat info.json)"
	done
	true
}

try "readings that agree" agrees
try "a clock that drifts" drifts
try "the time of day is set" is_set
try "the machine sleeps" sleeps
try "no readings that are to be believed" falls_back

cc -O1 -o contained "$TOP_SRCDIR/test/system/contained.c" -lpthread || fail "cc"
look_for_kernel

# Each of the calls that the preload has seen
contains()
{
	recorder run -q --system -o both.trace -- ./contained || fail "exit status $?"
	recorder check -q --strict both.trace || fail "recorder check"
	recorder info --json both.trace >info.json
	bound=$(sed -n 's/.*"kernel_error": *\([0-9.]*\).*/\1/p' info.json)
	[ -n "$bound" ] || fail "no bound"
	recorder2text -q both.trace | python3 "$looks" contained "$bound" 12000
}

if [ -z "$kernel_missing" ]; then
	try "calls hold their system calls" contains
else
	report_skip "$kernel_missing"
fi
echo "1..$reported"
