#!/bin/sh
# SPDX-License-Identifier: MIT
# Processes in spaces of process numbers of their own, as in containers: what the library and the kernel tell of one is brought together, whoever else is called the same; and the recorder itself can be in one.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
sources=$TOP_SRCDIR/test/system

cc -O1 -o numbered "$sources/numbered.c" -lpthread || fail "numbered.c"
need_kernel
unshare -mpf --mount-proc true 2>/dev/null || skip "no spaces of our own: cannot unshare"
container="unshare -mupf --mount-proc --kill-child=KILL"

# one TRACE FILE WRITES SAID: that process is one, called as it says
one()
{
	# shellcheck disable=SC2046 # two words
	python3 "$sources/process_numbers.py" "$1" "$PWD/$2" "$3" $(cat "$4") || fail "$2 in $1"
}

# The machine has another name there, too.
program()
{
	cat >inside <<-'END'
	hostname inner 2>/dev/null
	exec ./numbered data 100
	END
	recorder run -q --system -o one.trace -- $container sh ./inside >said || fail "exit status $?"
	expect_eq "1 3" "$(cat said)" "what it calls itself, after hostname"
	recorder check -q --strict one.trace || fail "recorder check"
	outer=$(one one.trace data 100 said) || fail "$outer"
	recorder info one.trace | grep -q "^ *$outer outside of its container" || fail "recorder info"
}

# Both are called 1, and are there at the same time.
two()
{
	cat >both <<-'END'
	$1 ./numbered data.a 100 go >said.a &
	$1 ./numbered data.b 60 go >said.b &
	sleep 0.3
	: >go
	wait
	END
	recorder run -q --system -o two.trace -- sh both "$container" || fail "exit status $?"
	expect_eq "1 2" "$(cat said.a)" "what one calls itself"
	expect_eq "1 2" "$(cat said.b)" "what the other calls itself"
	recorder check -q --strict two.trace || fail "recorder check"
	a=$(one two.trace data.a 100 said.a) || fail "$a"
	b=$(one two.trace data.b 60 said.b) || fail "$b"
	[ "$a" != "$b" ] || fail "both are process $a"
}

# The recorder is in a container itself; then the job is in one more.
inside()
{
	$container recorder run -q --system -o in.trace -- ./numbered data.in 80 >said || fail "exit status $?"
	recorder check -q --strict in.trace || fail "recorder check"
	one in.trace data.in 80 said
	$container recorder run -q --system -o deep.trace -- $container ./numbered data.deep 70 >said || fail "exit status $?"
	expect_eq "1 2" "$(cat said)" "what it calls itself"
	recorder check -q --strict deep.trace || fail "recorder check"
	one deep.trace data.deep 70 said
}

# The process is in the container already, and the recorder outside.
outside()
{
	rm -f go
	$container ./numbered data.out 90 go >said &
	container_pid=$!
	until_ pgrep -P $container_pid >pid
	recorder system -o out.trace --pid "$(cat pid)" 2>notes &
	recorder=$!
	until_ grep -q "are recorded" notes
	: >go
	wait $container_pid || fail "the container's status: $?"
	wait $recorder || fail "the recorder's status: $?"
	expect_eq "1 2" "$(cat said)" "what it calls itself"
	recorder check -q --strict out.trace || fail "recorder check"
	recorder2text -q out.trace >text
	expect_eq 180 "$(grep -c 'pwrite64(fd=[0-9]* "[^"]*/data.out"' text)" "writes"
	recorder info --json out.trace >info.json
	expect_eq "$(cat pid)" "$(sed -n 's/.*"outer_pid": *\([0-9]*\).*/\1/p' info.json)" "what it is called here"
}

try "library and kernel" program
try "two that are called the same" two
try "the recorder in one" inside
try "joined from outside" outside
echo "1..$reported"
