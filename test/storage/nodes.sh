#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 90
# Two nodes: namespaces of mounts, processes and host names, each with its own /dev/shm, one trace directory. A process is killed;
# all processes of a node are, with a survivor (recorder run) and, memory included, without.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
unshare -mpuf true 2>/dev/null || {
	[ "$(id -u)" != 0 ] || fail "root cannot make namespaces"
	skip "nodes of one's own need root"
}
writer=$TEST_BIN/crash/writer
verify=$TEST_BIN/crash/verify

cat >node <<'END2'
# NODE COMMAND...: as process 1 of a node of its own, whose end is the end of all in it
hostname "$1" && mount -t proc none /proc && mount -t tmpfs -o size=64m none /dev/shm || exit 90
shift
RECORDER_TRACES_DIR=$PWD/trace RECORDER_RUN_ID=two-nodes
export RECORDER_TRACES_DIR RECORDER_RUN_ID
"$@"
END2
# NODE COMMAND...
on_node()
{
	unshare -mpuf --kill-child=KILL --propagation private sh ./node "$@"
}

# NODE: exactly what its writer had done is in the trace; names of streams are RANK.HOST.PID, numbers of threads are the same on both
verified()
{
	rm -rf only
	mkdir only
	cp trace/recorder.gm trace/*."$1".* only
	"$verify" only progress."$1" >verdict || fail "$1: $(cat verdict)"
}

# ---- processes killed, a survivor on each node: nothing is lost, and neither touches what is the other's ----

for node in one two; do
	cat >job.$node <<END2
RECORDER_PROGRAMS=writer timeout -s KILL 1 "$writer" data.$node progress.$node 4
sleep 0.3 # until the kernel is through with it: what is still dying is running
exit 0
END2
	on_node $node recorder run -- sh ./job.$node >said.$node 2>&1 &
	eval "node_$node=$!"
done
# shellcheck disable=SC2154 # set by eval
wait "$node_one" || fail "node one: $(cat said.one)"
# shellcheck disable=SC2154
wait "$node_two" || fail "node two: $(cat said.two)"
recorder check trace >said || fail "recorder check: $(cat said)"
grep -q incomplete said && fail "incomplete: $(cat said)"
verified one
verified two

# ---- a whole node goes, with its memory and without a survivor: at most a ring a thread ----

rm -rf trace progress.* data.*
timeout -s KILL 1 unshare -mpuf --kill-child=KILL --propagation private sh ./node three env LD_PRELOAD="$RECORDER_SO" \
	"$writer" data.three progress.three 4 2>/dev/null
recorder check trace >said 2>&1 || fail "a node is gone: $(cat said)"
grep -q incomplete said || fail "a node is gone: said to be complete"
"$verify" trace progress.three >verdict
grep -E 'offset|result|level|problem|cannot' verdict && fail "a node is gone: what is there is wrong"
# 4 MiB of records of at least 56 bytes
grep ': writes: ' verdict | awk '{ if ($5 - $7 > 4194304 / 56) exit 1 }' || fail "more than a ring is lost: $(cat verdict)"
# another node cannot tell whether it will come back
recorder repair trace >said 2>&1
grep -q three said || fail "repair from another node: $(cat said)"
exit 0
