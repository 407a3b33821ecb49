#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder run is in its command's place: status, signal, output, signals that come; and leaves one trace a run.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3

status_of()
{
	"$@" >/dev/null 2>&1
	echo $?
}

# `recorder run` in a child of Python, which sees signals as signals
signal_of()
{
	python3 -c '
import subprocess, sys
print(-subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL).returncode)' "$@"
}

field()
{
	recorder info -q --json "$1" | python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$2"
}

# ---- status and signal ----
expect_eq 0 "$(status_of recorder run -q -o s -- true)" "true"
expect_eq 7 "$(status_of recorder run -q -o s -- sh -c 'exit 7')" "exit 7"
expect_eq 127 "$(status_of recorder run -q -- no-such-command)" "no command"
expect_eq 126 "$(status_of recorder run -q -- /etc/passwd)" "not executable"
expect_eq 125 "$(status_of recorder run -q)" "no command given"
expect_eq 125 "$(status_of recorder run --no-such-option -- true)" "wrong option"
expect_eq 9 "$(signal_of recorder run -q -o s -- sh -c 'kill -9 $$')" "SIGKILL"
expect_eq 15 "$(signal_of recorder run -q -o s -- sh -c 'kill -15 $$')" "SIGTERM"
expect_eq 6 "$(signal_of recorder run -q -o s -- python3 -c 'import os; os.abort()')" "abort"

# ---- output is the command's own; notes are one line on stderr ----
expect_eq "out" "$(recorder run -o n -- sh -c 'echo out; cat /dev/null' 2>err)" "stdout"
expect_eq 1 "$(wc -l <err)" "lines on stderr"
grep -q "/n" err || fail "the note does not name the trace: $(cat err)"
expect_eq "" "$(RECORDER_QUIET=1 recorder run -o n -- cat /dev/null 2>&1)" "quiet"
expect_eq "" "$(recorder run -q -o n -- cat /dev/null 2>&1)" "-q"

# ---- signals are handed on ----
recorder run -q -o f -- sh -c 'trap "exit 21" TERM; trap "exit 22" USR1; echo ready >ready; while :; do sleep 0.1; done' &
pid=$!
while [ ! -f ready ]; do sleep 0.05; done
kill -USR1 $pid
wait $pid
expect_eq 22 $? "status after a forwarded signal"

# ---- two runs, two traces ----
recorder run -q -o two -- cat /dev/null
recorder run -q -o two -- cat /dev/null 2>/dev/null
[ -f two/recorder.gm ] && [ -f two.2/recorder.gm ] || fail "two runs did not leave two traces"
expect_eq 1 "$(field two ranks)" "ranks of the first"
expect_eq True "$(field two complete)" "first complete"
expect_eq True "$(field two.2 complete)" "second complete"

# ---- the default name, and options that become variables ----
mkdir default
(cd default && recorder run -q --layers stdio --tags alpha,beta -- sh -c 'test "$RECORDER_LAYERS" = stdio &&
	test "$RECORDER_TAGS" = alpha,beta && cat /dev/null') || fail "options are not in the environment"
(cd default && recorder run -q -t 'so*lve' -t 'libm.so:sin' -A 'f@arg1/i' -R 'f@ret/d' -R g@ret --usage -- sh -c 'cat /dev/null
	test "$RECORDER_TARGETS" = "so*lve;libm.so:sin" && test "$RECORDER_ARGUMENTS" = f@arg1/i &&
	test "$RECORDER_RESULTS" = "f@ret/d;g@ret" && test "$RECORDER_USAGE" = 1') || fail "targets are not in the environment"
recorder run -A f@ -- true 2>/dev/null && fail "arguments with an empty list"

# ---- a function that is nowhere ----
recorder run -o nowhere -t no_such_function -t ' ' -- cat /dev/null 2>err || fail "a target that is nowhere"
expect_eq 1 "$(grep -c "no function is 'no_such_function'" err)" "warnings of the target"
expect_eq 125 "$(status_of recorder run -q --strict -o nowhere2 -t no_such_function -- cat /dev/null)" "--strict"
expect_eq 0 "$(status_of recorder run -q --strict -o nowhere3 -- cat /dev/null)" "--strict without targets"
recorder env -o "with blank" --layers mpi >env.sh
(
	. ./env.sh
	[ "$RECORDER_LAYERS" = mpi ] && [ "$RECORDER_TRACES_DIR" = "$PWD/with blank" ] &&
		[ -f "$LD_PRELOAD" ]
) || fail "recorder env"

# ---- what cannot be recorded is said, and runs ----
if echo 'int main(void) { return 3; }' | cc -static -x c -o static - 2>/dev/null; then
	expect_eq 3 "$(status_of recorder run -q -o st -- ./static)" "static program"
	recorder run -o st -- ./static 2>&1 | grep -q 'static' || fail "a static program is not named"
fi
# ---- AddressSanitizer wants to be first, and calls before libc is ready ----
cat >checked.c <<'END'
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
	int fd = open("checked.out", O_CREAT | O_WRONLY, 0600);

	fsync(fd);
	return 4;
}
END
if [ -z "${SANITIZERS:-}" ] || [ "$SANITIZERS" = none ]; then
	if cc -fsanitize=address -o checked checked.c 2>/dev/null && ./checked; [ $? -eq 4 ]; then
		expect_eq 4 "$(status_of recorder run -q -o asan -- ./checked)" "a program with AddressSanitizer"
		expect_eq 2 "$(recorder2text -q asan | grep -c 'checked.out')" "its records"
	fi
fi
exit 0
