#!/bin/sh
# SPDX-License-Identifier: MIT
# Passwords, tokens and keys in command lines do not come into a trace, neither in its metadata nor in the records of exec,
# posix_spawn, system and popen; nor do environment variables that nobody asked for.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

word=Tr0ub4dor
plain()
{
	# everything that is in a trace, decompressed
	python3 "$TOP_SRCDIR/test/privacy/plain.py" "$1"
}

trace()
{
	dir=$1
	shift
	RECORDER_TRACES_DIR=$PWD/$dir preload "$@" || fail "$*: status $?"
	recorder check -q "$dir" || fail "recorder check $dir"
}

export HIDDEN=$word
trace masked "$TEST_BIN/privacy/exec" --password=$word
plain masked >masked.bytes || fail "cannot read the trace"
grep -aq $word masked.bytes && fail "a secret is in the trace: $(grep -ao ".\{30\}$word" masked.bytes)"
for call in execv execve posix_spawn system popen; do
	recorder2text masked | grep " $call(.*plain-argument" >call || fail "$call is not recorded"
	grep -qF '****' call || fail "$call is not masked"
done
[ "$(recorder info --json masked | grep -c -- '--password=\*\*\*\*')" -ge 1 ] ||
	fail "the command line is not masked"

trace raw env RECORDER_LOG_ARGV=raw "$TEST_BIN/privacy/exec" --password=$word
for call in execv execve posix_spawn system popen; do
	recorder2text raw | grep " $call(.*plain-argument" | grep -q $word ||
		fail "$call is masked though RECORDER_LOG_ARGV=raw"
done

trace none env RECORDER_LOG_ARGV=0 "$TEST_BIN/privacy/exec" --password=$word
plain none | grep -aq plain-argument && fail "command lines are stored though RECORDER_LOG_ARGV=0"

# variables: those that are asked for, by name or pattern; secrets among them are masked
unset HIDDEN
trace some env COLOUR=blue COLD=ice HOT=fire MY_TOKEN=$word DB="postgres://me:$word@host/db" \
	RECORDER_LOG_ENV='COL*,MY_TOKEN,DB,-COLD' "$TEST_BIN/privacy/exec" --password=$word
plain some >some.bytes
grep -aq env.COLOUR some.bytes || fail "COLOUR is not stored"
grep -aq blue some.bytes || fail "the value of COLOUR is not stored"
grep -aq 'env.MY_TOKEN' some.bytes || fail "MY_TOKEN is not stored"
grep -aq 'postgres://me:\*\*\*\*' some.bytes || fail "DB is not stored, or not masked"
grep -aq $word some.bytes && fail "a secret variable is in the trace"
grep -aq 'env.HOT\|env.COLD\|env.PATH' some.bytes && fail "a variable is stored that nobody asked for"
exit 0
