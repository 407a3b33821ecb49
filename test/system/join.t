#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder system --pid: a tree of processes and threads that is there already, with the files that it has open; until it ends, or the recorder is told to.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

need_kernel

three_are_up()
{
	[ "$(find . -name 'up.*' | wc -l)" -eq 3 ]
}

# Starts the job, then the recorder with these options, and waits for both.
join_with()
{
	rm -rf up.* go stop child joined.trace
	sh -c "python3 '$TOP_SRCDIR/test/system/joined.py'; exit 7" &
	job=$!
	until_ three_are_up
	recorder system -o joined.trace --pid $job "$@" 2>said &
	recorder=$!
	until_ grep -q "are recorded" said
}

writes()
{
	recorder2text -q joined.trace >text
	grep -c ' kernel p\{0,1\}write\(64\)\{0,1\}(fd=[0-9]* "[^"]*/opened before", ' text
}

ends_with_the_job()
{
	(cd / && while :; do echo >/dev/null; done) &
	outsider=$!
	join_with
	touch go
	until_ [ -e child ]
	touch stop
	wait $job
	expect_eq 7 $? "the job's status"
	wait $recorder
	expect_eq 0 $? "the recorder's status"
	kill $outsider
	wait $outsider 2>/dev/null
	recorder check -q --strict joined.trace || fail "recorder check"
	expect_eq 950 "$(writes)" "writes into a file that was open before"
	grep -q ' "/dev/null", ' text && fail "the outsider's"
	recorder info --json joined.trace >info.json
	expect_eq 5 "$(grep -c '"pid":' info.json)" "processes"
	expect_eq 5 "$(grep -c '"clean": *true' info.json)" "ends"
	grep -q '"exe": *"[^"]*python3' info.json || fail "what they execute"
}

goes_on_without()
{
	join_with --mode trace,profile
	touch go
	until_ [ -e child ]
	kill -INT $recorder
	wait $recorder
	expect_eq 0 $? "the recorder's status"
	kill -0 $job || fail "the job has ended"
	touch stop
	wait $job
	expect_eq 7 $? "the job's status"
	recorder check -q --strict joined.trace || fail "recorder check"
	recorder info --json joined.trace | grep -q detached || fail "no reason"
	recorder2text -q joined.trace >text
	expect_eq "$(grep -v ' = sum$' text | grep -c ' kernel pwrite64(')" \
		"$(sed -n 's/.* kernel pwrite64(.* count=\([0-9]*\), time.* = sum$/\1/p' text | awk '{ n += $1 } END { print n + 0 }')" "writes in sums"
}

for_a_time()
{
	join_with --duration 100ms
	wait $recorder
	expect_eq 0 $? "the recorder's status"
	touch go stop
	wait $job
	recorder check -q joined.trace || fail "recorder check"
}

wrong()
{
	recorder system -q -o none.trace --pid 1x 2>err
	expect_eq 125 $? "no number"
	recorder system -q -o none.trace --pid 4194305 2>err
	expect_eq 125 $? "no such process"
	grep -q "no process '4194305'" err || fail "$(cat err)"
	recorder system -q -o none.trace --pid 1 -- true 2>err
	expect_eq 2 $? "a command, too"
	recorder system -q -o none.trace --duration 1s -- true 2>err
	expect_eq 2 $? "a time for a command"
	[ ! -e none.trace ] || fail "a trace of nothing"
}

try "until the job ends" ends_with_the_job
try "until it is told to" goes_on_without
try "for a time" for_a_time
try "what is no job" wrong
echo "1..$reported"
