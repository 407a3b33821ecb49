#!/bin/sh
# SPDX-License-Identifier: MIT
# Layer mem: calls of the allocator are counted, each once, whatever threads and processes do, and with other allocators; nobody pays who does not ask.
. "${TOP_SRCDIR:?}/test/lib.sh"
[ -z "${SANITIZERS:-}" ] || skip "a sanitizer's allocator comes before all others"

modules=$TEST_BIN/mem/.libs
counts=$TEST_BIN/mem/counts
python=$(python3 -c 'import sys; print(sys.executable)') # python3 itself may be a script
mem=${RECORDER_SO%/*}/librecorder-mem.so

# FUNCTION CALLS BYTES of a trace, all threads and intervals together
sums()
{
	recorder2text -q "$1" >text || return 1
	awk '
		function value(name) { return match($0, name "=[0-9]+") ? substr($0, RSTART + length(name) + 1, RLENGTH - length(name) - 1) : 0 }
		$6 == "mem" { function_name = $7; sub(/\(.*/, "", function_name); calls[function_name] += value("count"); bytes[function_name] += value("bytes") }
		END { for (name in calls) print name, calls[name], bytes[name] }' text | sort
}

# The calls of aligned_alloc() of each thread that has any.
aligned()
{
	recorder2text -q "$1" | sed -n 's/^\([0-9]*\) \([0-9]*\) .* mem aligned_alloc(.*count=\([0-9]*\),.*/\2 \3/p' |
		awk '{ calls[$1] += $2 } END { for (tid in calls) print calls[tid] }' | sort -n | tr '\n' ' '
}

functions()
{
	recorder run -q -o all.trace --layers mem -- "$counts" all || fail "exit status $?"
	recorder check -q --strict all.trace || fail "recorder check"
	cat >want <<-'END'
	aligned_alloc 4 512
	calloc 1000 15000
	free 2010 0
	malloc 1001 100000
	memalign 1 10
	posix_memalign 2 128
	pvalloc 1 6
	realloc 1000 200000
	reallocarray 2 21
	valloc 1 5
	END
	sums all.trace | diff want -
}

# The last one is of a thread that the process ends under.
threads()
{
	recorder run -q -o threads.trace --layers +mem -- "$counts" threads || fail "exit status $?"
	recorder check -q --strict threads.trace || fail "recorder check"
	expect_eq "10 20 30 40 50 60 70 80 1000 " "$(aligned threads.trace)" "calls of threads"
	grep -q ' posix ' text || recorder2text -q threads.trace | grep -q ' posix pipe' || fail "+mem left the usual layers out"
}

forks()
{
	recorder run -q -o forks.trace --layers mem -- "$counts" forks || fail "exit status $?"
	recorder check -q --strict forks.trace || fail "recorder check"
	expect_eq "5 6 7 8 " "$(aligned forks.trace)" "calls of processes"
}

execs()
{
	recorder run -q -o execs.trace --layers +mem -- "$counts" execs || fail "exit status $?"
	recorder check -q --strict execs.trace || fail "recorder check"
	expect_eq "aligned_alloc 27 3456" "$(sums execs.trace | grep aligned)" "calls around exec"
}

intervals()
{
	RECORDER_MEM_INTERVAL=1ms recorder run -q -o intervals.trace --layers mem -- "$counts" intervals >calls || fail "exit status $?"
	expect_eq "$(cat calls)" "$(sums intervals.trace | sed -n 's/aligned_alloc \([0-9]*\) .*/\1/p')" "calls in all intervals"
	recorder2pfw -q -o intervals.pfw intervals.trace || fail "recorder2pfw"
	python3 - intervals.pfw "$(cat calls)" <<-'END'
	import json, sys
	lines = [json.loads(line) for line in open(sys.argv[1]) if line.startswith("{")]
	mine = [line for line in lines if line["ph"] == "C" and line["cat"].lower() == "mem" and line["name"] == "aligned_alloc"]
	assert len(mine) >= 2, mine
	assert sum(line["args"]["freq"] for line in mine) == int(sys.argv[2])
	assert sum(line["args"]["size_sum"] for line in mine) == 128 * int(sys.argv[2])
	assert all(line["args"]["time"] > 0 for line in mine)
	assert max(line["ts"] for line in mine) - min(line["ts"] for line in mine) >= 5000, mine
	assert all(line["ts"] % 1000 == 0 for line in lines if line["ph"] == "C" and line["cat"].lower() == "mem"), mine
	assert any(line["name"] == "free" and line["args"]["size_sum"] is None for line in lines if line["ph"] == "C")
	END
}

# as NAME CMD...: the sums are those of the witness, and of calls before our constructor
as_witness()
{
	name=$1
	shift
	rm -rf counted
	LD_PRELOAD="$mem $RECORDER_SO $modules/witness.so" WITNESS=$PWD/counted RECORDER_QUIET=1 \
		RECORDER_LAYERS=mem RECORDER_TRACES_DIR="$name.trace" "$@" >/dev/null || fail "exit status $?"
	recorder check -q --strict "$name.trace" || fail "recorder check"
	sums "$name.trace" >got
	sort counted | diff - got
}


jemalloc()
{
	for library in /usr/lib/*/libjemalloc.so.2; do
		[ -e "$library" ] && break
	done
	[ -e "$library" ] || {
		report_skip "no jemalloc"
		return
	}
	try "with jemalloc" with_jemalloc
}

with_jemalloc()
{
	LD_PRELOAD=$library recorder run -q -o jemalloc.trace --layers mem -- "$counts" threads || fail "exit status $?"
	expect_eq "10 20 30 40 50 60 70 80 1000 " "$(aligned jemalloc.trace)" "calls of threads"
	as_python=$(LD_PRELOAD=$library recorder run -q -o python.trace --layers +mem -- "$python" -c 'print(sum(len(str(i)) for i in range(1000)))') ||
		fail "exit status $?"
	expect_eq 2890 "$as_python" "what Python says"
	[ "$(sums python.trace | sed -n 's/^malloc \([0-9]*\) .*/\1/p')" -gt 100 ] || fail "few calls"
}

# One that makes traced calls under its lock, and one that the program has itself: that is not seen, and said.
strange()
{
	LD_PRELOAD=$TEST_BIN/hostile/.libs/allocator.so recorder run -q -o strange.trace --layers +mem -- "$counts" threads ||
		fail "exit status $?"
	expect_eq "10 20 30 40 50 60 70 80 1000 " "$(aligned strange.trace)" "calls of threads"
}

own()
{
	"$TEST_BIN/hostile/owning" >want.own || fail "it fails anyway"
	recorder run -o own.trace --layers +mem -- "$TEST_BIN/hostile/owning" >got 2>notes || fail "exit status $?"
	diff want.own got || fail "other output"
	grep -q 'layer mem: the program has an allocator of its own' notes || fail "$(cat notes)"
}

# A dlsym() that allocates: the program's sums are what they are without.
looking()
{
	LD_PRELOAD=$modules/looking.so recorder run -q -o looking.trace --layers mem -- "$counts" forks || fail "exit status $?"
	expect_eq "5 6 7 8 " "$(aligned looking.trace)" "calls of processes"
}

selected()
{
	RECORDER_FUNCTIONS='-free,-*alloc,aligned_alloc' recorder run -q -o some.trace --layers mem -- "$counts" all || fail "exit status $?"
	expect_eq "aligned_alloc 4 512 " "$(sums some.trace | tr '\n' ' ')" "what was asked for"
}

# Without the layer nothing is in front of libc's.
off()
{
	expect_eq libc.so.6 "$(recorder run -q -o off.trace -- "$counts" where)" "malloc"
	expect_eq librecorder-mem.so "$(recorder run -q -o on.trace --layers +mem -- "$counts" where)" "malloc with the layer"
	expect_eq libc.so.6 "$(LD_PRELOAD=$mem recorder run -q -o none.trace --layers posix -- "$counts" where)" "malloc of a list without it"
	recorder env --layers all | grep -q "LD_PRELOAD='[^:]*/librecorder-mem.so:[^:]*/librecorder.so'" || fail "recorder env"
	recorder env | grep -q librecorder-mem && fail "recorder env without it"
	RECORDER_LAYERS=default,mem RECORDER_TRACES_DIR=missing.trace preload "$counts" where 2>notes || fail "exit status $?"
	grep -q 'layer mem: librecorder-mem.so is to be preloaded' notes || fail "$(cat notes)"
}

# The library alone passes all on; where the recorder is passive as well.
alone()
{
	LD_PRELOAD=$mem "$counts" all || fail "exit status $?"
	LD_PRELOAD="$mem $RECORDER_SO" RECORDER_ENABLE=0 RECORDER_LAYERS=mem "$counts" threads || fail "exit status $?"
}

echo 1..15
try "each function" functions
try threads threads
try "forked children" forks
try exec execs
try "intervals, and counters in pfw" intervals
try "as a witness counts: threads" as_witness witness "$counts" threads
try "as a witness counts: sort" as_witness sort sort --parallel=2 /etc/passwd
# join() returns before the thread has ended, and what that still frees the witness may have no time for
try "as a witness counts: Python" as_witness python "$python" -S -c 'import json, os, threading
t = threading.Thread(target=print)
t.start()
t.join()
while len(os.listdir("/proc/self/task")) > 1:
    pass'
jemalloc
try "an allocator that makes traced calls under its lock" strange
try "an allocator of the program's own" own
try "a dlsym() that allocates" looking
try "functions that are asked for" selected
try "not asked for" off
try "nobody to tell" alone
