#!/bin/sh
# SPDX-License-Identifier: MIT
# Call stacks are, address by address, what gdb sees at the same calls: through exceptions, frames of a size known only at run time, signals,
# recursion, coroutines, threads, libraries that come and go; without frame pointers and with them.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
case ${SANITIZERS:-} in *address*) skip "gdb and AddressSanitizer's runtime are at odds in one process" ;; esac
[ "$PYTHON" != : ] || skip "no Python"
[ "$(uname -m)" = x86_64 ] || skip "libc's pwrite() is recognised by the registers of x86-64"
sources=$TOP_SRCDIR/test/stacks

# compare NAME DEPTH COMPILER OPTION...
compare()
{
	name=$1 depth=$2
	shift 2
	"$@" -g -Wno-unused-result -o "$name" "$sources/frames.cc" -ldl -lpthread || return 1
	FRAMES=$PWD/$name.frames gdb -q -batch \
		-ex "set exec-wrapper env LD_PRELOAD=$RECORDER_SO RECORDER_STACKS=$depth RECORDER_TRACES_DIR=$PWD/$name.trace" \
		-x "$sources/frames_gdb.py" --args "./$name" ./first.so ./second.so || return 1
	"$PYTHON" -B "$sources/frames_check.py" "$name.trace" "$name.frames" "$depth" && recorder check -q "$name.trace"
}

# try NAME COMMAND...: its last line is shown
try()
{
	name=$1
	shift
	("$@") >log 2>&1
	report $? "$name" log
	tail -n 1 log | sed 's/^/# /'
}

# of what the recorder shows itself: by name, with inlined functions, cut where asked for; nothing without RECORDER_STACKS
shown()
{
	gcc -g -O2 -Wno-unused-result -o sites "$sources/sites.c" &&
		RECORDER_STACKS=64 RECORDER_TRACES_DIR=sites.trace preload ./sites &&
		RECORDER_STACKS=2 RECORDER_TRACES_DIR=cut.trace preload ./sites &&
		RECORDER_TRACES_DIR=none.trace preload ./sites || return 1
	stack='"put sites.c:[0-9]*", "save sites.c:[0-9]*", "main sites.c:[0-9]*", '
	[ -e "$TOP_BUILDDIR/test/stacks/with-libdw" ] || stack='"sites+0x[0-9a-f]*", "sites+0x[0-9a-f]*", '
	recorder2text --stacks --functions pwrite sites.trace | grep "{stack=\[$stack" || return 1
	recorder2text --stacks --functions pwrite cut.trace | grep "{stack=\[$stack\.\.\.\]}" || return 1
	! recorder2text --stacks none.trace | grep 'stack=\['
}

# A forked child has a stream, and numbers of stacks, of its own; so has each segment that is closed.
children()
{
	RECORDER_STACKS=16 RECORDER_TRACES_DIR=children.trace preload sh -c '(echo a; echo b) >c; (cat c) >d; echo e >f' &&
		recorder check -q children.trace && recorder2text --show stack children.trace >children.text || return 1
	[ "$(grep -c . children.text)" = "$(grep -c 'stack=\["' children.text)" ]
}

# More different stacks than a process may have: the others are counted, and nothing else is lost.
bounded()
{
	gcc -O1 -fno-inline -Wno-unused-result -o many "$sources/many.c" &&
		RECORDER_STACKS=64 RECORDER_TRACES_DIR=many.trace preload ./many && recorder check -q many.trace || return 1
	missing=$(recorder info many.trace | sed -n 's/^stackless *\([0-9]*\) calls.*/\1/p')
	recorder2text -q --stacks --functions pwrite many.trace >many.text
	echo "$(wc -l <many.text) calls, $(grep -vc '{stack=' many.text) without a stack, ${missing:-none} counted"
	[ "$(wc -l <many.text)" = 60000 ] && [ "$(grep -vc '{stack=' many.text)" = "$missing" ] && [ "$missing" -gt 10000 ] &&
		[ "$(sed -n 's/.*{stack=//p' many.text | sort -u | wc -l)" = $((60000 - missing)) ]
}

need gcc
need g++
need gdb
for size in 24 72; do
	gcc -shared -fPIC -O2 -DSPACE=$size -o $size.so "$sources/through.c" || fail "cannot build a library"
done
mv 24.so first.so
mv 72.so second.so
if ! gdb -q -batch -ex run /bin/true >gdb.log 2>&1 || ! grep -q 'exited normally' gdb.log; then
	skip "gdb cannot run programs here"
fi

echo 1..7
try "optimised, no frame pointers" compare plain 128 g++ -O2 -fomit-frame-pointer
try "not optimised" compare slow 128 g++ -O0
try "frame pointers, 9 frames" compare pointers 9 g++ -O2 -fno-omit-frame-pointer
if command -v clang++ >/dev/null; then
	try "clang" compare clang 128 clang++ -O2
else
	report_skip "no clang++"
fi
try "by name" shown
try "children" children
try "bounded" bounded
