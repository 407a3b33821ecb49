#!/bin/sh
# SPDX-License-Identifier: MIT
# A process that ends in order after a repair has read its metadata, and before that looks whether it runs: nothing is left to be repaired, and what the process
# has written last stays.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need strace
need flock util-linux

cat >writer.c <<'END'
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	char c = 0;
	int fd = open("data", O_CREAT | O_RDWR, 0644);

	if (pwrite(fd, &c, 1, 0) != 1 || mkfifo("fifo", 0600))
		return 1;
	return read(open("fifo", O_RDWR), &c, 1) != 1;
}
END
cc -w -o writer writer.c || fail "cannot compile"

writer_waits()
{
	recorder where -q "$writer" 2>/dev/null | grep -q 'read(.*fifo'
}

is_locked()
{
	! flock -n "$1" true
}

# repaired NAME VARIABLE...: a trace NAME whose process ends within the repair
repaired()
{
	trace=$1
	shift
	rm -f fifo
	env LD_PRELOAD="$RECORDER_SO" RECORDER_QUIET=1 RECORDER_TRACES_DIR="$trace" "$@" ./writer &
	writer=$!
	trap 'kill -KILL $writer 2>/dev/null; test_cleanup' EXIT
	until_ writer_waits
	strace -o calls -P "/proc/$writer/stat" -e trace=openat -e inject=openat:delay_enter=3000000 \
		recorder repair "$trace" >said 2>&1 &
	repair=$!
	# shellcheck disable=SC2046
	until_ is_locked $(find "$trace" -name '*.lm' -o -name '*.node')
	sleep 0.3 # it reads
	echo >fifo
	wait "$writer" || fail "the program ended with $?"
	wait "$repair" || fail "repair: $(cat said)"
	trap test_cleanup EXIT
	grep -q "/proc/$writer/stat" calls || fail "repair did not look whether the process runs"
	recorder check --strict "$trace" || fail "$trace is damaged"
	recorder info "$trace" | grep -q '^ends .* 1 in order, 0 repaired, 0 died' ||
		fail "$trace: $(recorder info "$trace")"
}

repaired alone RECORDER_AGGREGATE=none
repaired shared RECORDER_AGGREGATE=node
