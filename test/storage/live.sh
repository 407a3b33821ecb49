#!/bin/sh
# SPDX-License-Identifier: MIT
# What a node has of memory for live files: 500 threads in a /dev/shm of 8 MiB, of which the program needs 7. Rings beyond the
# budget are the process's own memory, nothing is lost, and the program gets its space.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
unshare -m true 2>/dev/null || {
	[ "$(id -u)" != 0 ] || fail "root cannot make a mount namespace"
	skip "a /dev/shm of its own needs root"
}
many=$TEST_BIN/storage/many

# COMMAND: in a mount namespace, whose mounts end with it
cat >inside <<'END2'
mount -t tmpfs -o size=8m none /dev/shm || exit 90
mkdir /dev/shm/data
"$@" >out 2>notes
status=$?
ls /dev/shm | grep -v '^data$' >left
exit $status
END2

# TRACE VARIABLE=VALUE...
run()
{
	trace=$1
	shift
	unshare -m --propagation private sh ./inside env LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR="$PWD/$trace" "$@" \
		"$many" /dev/shm/data 500 100 5 || fail "$trace: status $?: $(cat notes)"
	expect_eq 50000 "$(cat out)" "$trace: what the program said"
	expect_eq "" "$(cat left)" "$trace: left in /dev/shm"
	recorder info --json "$trace" >info.json 2>info.said || fail "$trace: $(cat info.said)"
	grep -q '"complete": true' info.json || fail "$trace: not complete: $(cat info.said)"
	expect_eq $((500 * 102 + 2 + 5 + 1)) "$(info_number records)" "$trace: records"
	recorder check -q --strict "$trace" || fail "$trace: recorder check"
}

run budget
run none RECORDER_LIVE_MAX=0
run plenty RECORDER_LIVE_MAX=1g
exit 0
