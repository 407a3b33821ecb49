#!/bin/sh
# SPDX-License-Identifier: MIT
# What a program and the processes that it forks read and write, over time: from the kernel's events where a trace has them.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
sources=$TOP_SRCDIR/test/system

cc -O1 -o disk "$sources/disk.c" || fail "disk.c"
need_kernel

# amount TRACE VALUE: bytes, of a rate over the whole time.
amount()
{
	recorder system summary --json "$1" >summary.json || fail "recorder system summary"
	recorder info -q --json "$1" >info.json
	python3 - "$2" <<-'END'
	import json, sys
	node, = json.load(open("summary.json"))["nodes"]
	print(round(node["values"][sys.argv[1]]["mean"] * json.load(open("info.json"))["duration"] / 4096))
	END
}

# Two children write 4 MiB and read 8 pages each, past the page cache: by calls, and by requests to the device. On a disk that others keep busy a request can be missed (doc/roadmap.md).
workers()
{
	for attempt in 1 2 3; do
		rm -rf known.trace
		recorder system -q -o known.trace -- sh -c './disk children file; true' || fail "exit status $?"
		grep -q "" file.1 || { echo "no O_DIRECT here"; return; }
		expect_eq "2048 16" "$(amount known.trace worker_writes) $(amount known.trace worker_reads)" "pages by calls of the children"
		expect_eq "0" "$(amount known.trace program_writes)" "pages that their parent writes"
		[ "$(amount known.trace worker_written) $(amount known.trace worker_read)" = "2048 16" ] && break
		echo "attempt $attempt"
		[ "$attempt" -lt 3 ] || fail "$(amount known.trace worker_written) $(amount known.trace worker_read) pages of requests"
	done
	grep -q '"calls_from_kernel": true' summary.json && grep -q '"blocks_from_kernel": true' summary.json || fail "where it comes from: $(cat summary.json)"
	grep -q '"programs": 1,' summary.json && grep -q '"workers": 2,' summary.json || fail "processes: $(cat summary.json)"
	recorder system summary known.trace | grep -q 'by system calls, as the kernel told them' || fail "text"
	recorder report -q -o known.html known.trace || fail "recorder report"
	grep -q '"calls_from_kernel":true,"blocks_from_kernel":true' known.html || fail "the report's bars"
}

# Sums in the kernel say the same of calls as these themselves do; both of it count once.
sums()
{
	recorder system -q --mode profile --interval 10ms -o sums.trace -- ./disk children file || fail "exit status $?"
	recorder system -q --mode trace,profile -o both.trace -- ./disk children file || fail "exit status $?"
	for trace in sums both; do
		expect_eq "2048 16" "$(amount $trace.trace worker_writes) $(amount $trace.trace worker_reads)" "pages by calls, $trace"
	done
}

# Without the kernel's events samples have to do.
samples()
{
	recorder run -q --sample=100 -o sampled.trace -- sh -c './disk children file; sleep 1.3' || fail "exit status $?"
	recorder system summary --json sampled.trace >summary.json
	grep -q '"calls_from_kernel": false' summary.json && grep -q '"blocks_from_kernel": false' summary.json || fail "where it comes from: $(cat summary.json)"
	# a node's samples, and calls from the kernel beside them
	recorder system -q --events calls --sample=100 -o mixed.trace -- ./disk children file || fail "exit status $?"
	expect_eq "2048" "$(amount mixed.trace worker_writes)" "pages by calls"
	grep -q '"calls_from_kernel": true' summary.json && grep -q '"blocks_from_kernel": false' summary.json || fail "where it comes from: $(cat summary.json)"
	grep -q '"cpu_user"' summary.json || fail "samples"
}

try "workers, by calls and requests" workers
try "sums" sums
try "samples" samples
echo "1..$reported"
