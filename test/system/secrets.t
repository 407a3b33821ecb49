#!/bin/sh
# SPDX-License-Identifier: MIT
# Passwords among the arguments of programs that the kernel saw are masked as the library masks those that it sees; RECORDER_LOG_ARGV says otherwise.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_kernel

# told TRACE: the arguments of its processes but shells, and whether the word is anywhere in its files
told()
{
	recorder sql --csv "$1" "SELECT replace(argv, char(0), ' ') FROM streams WHERE argv LIKE '%--user me%' AND exe NOT LIKE '%sh' ORDER BY id" | sed '1d; s/"//g'
	if cat "$1"/* | grep -q open-sesame; then
		echo "in the files"
	fi
}

# Children of the command have a password.
job='env true --user me --password open-sesame; env true --user me --token=open-sesame; :'

masks_by_itself()
{
	recorder system -q -o masked.trace -- sh -c "$job" || fail "exit status $?"
	expect_eq "true --user me --password ***********
true --user me --token=***********" "$(told masked.trace)" "masked"
}

keeps_or_leaves_out()
{
	RECORDER_LOG_ARGV=raw recorder system -q -o raw.trace -- sh -c "$job" || fail "exit status $?"
	expect_eq "true --user me --password open-sesame
true --user me --token=open-sesame
in the files" "$(told raw.trace)" "raw"
	RECORDER_LOG_ARGV=0 recorder system -q -o none.trace -- sh -c "$job" || fail "exit status $?"
	expect_eq "" "$(told none.trace)" "none"
}

by_the_option_of_run()
{
	recorder run -q --system --log-argv raw -o run.trace -- sh -c "$job" || fail "exit status $?"
	told run.trace | grep -q "password open-sesame" || fail "raw: $(told run.trace)"
	recorder run -q --system -o both.trace -- sh -c "$job" || fail "exit status $?"
	expect_eq "0" "$(told both.trace | grep -c sesame)" "of both sides"
	told both.trace | grep -q 'password \*\*\*\*' || fail "masked: $(told both.trace)"
}

masks_what_was_there_before()
{
	mkfifo gate
	env perl -e 'open(G, "<", "gate"); <G>' -- --user me --password open-sesame &
	there=$!
	recorder system -o joined.trace --pid $there 2>said &
	recorder=$!
	until_ grep -q "are recorded" said
	echo go >gate
	wait $there
	wait $recorder || fail "exit status $?"
	told joined.trace >told
	grep -q -- '--user me --password \*\*\*' told || fail "joined: $(cat told)"
	! grep -q sesame told || fail "joined: $(cat told)"
}

try "masked" masks_by_itself
try "as they are, or not at all" keeps_or_leaves_out
try "recorder run" by_the_option_of_run
try "of a process that was there before" masks_what_was_there_before
echo "1..$reported"
