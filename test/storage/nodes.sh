#!/bin/sh
# SPDX-License-Identifier: MIT
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

# ---- the live directory is deleted, then a process killed: at most a ring a thread, and the trace says that it is so ----

rm -rf trace progress.* data.*
cat >job.five <<END2
RECORDER_PROGRAMS=writer timeout -s KILL 1 "$writer" data.five progress.five 4 &
sleep 0.5
rm -rf /dev/shm/recorder-*
wait
exit 0
END2
on_node five recorder run -- sh ./job.five >said.five 2>&1 || fail "node five: $(cat said.five)"
recorder check trace >said 2>&1 || fail "the live directory is gone: $(cat said)"
grep -q incomplete said || fail "the live directory is gone: said to be complete"
grep -q 'no_ring' said || fail "the live directory is gone: no reason: $(cat said)"
"$verify" trace progress.five >verdict
grep -E 'offset|result|level|problem|cannot' verdict && fail "the live directory is gone: what is there is wrong"
# 4 MiB of records of at least 56 bytes
grep ': writes: ' verdict | awk '{ if ($5 - $7 > 4194304 / 56) exit 1 }' || fail "more than a ring is lost: $(cat verdict)"

# ---- a whole node goes, with its memory and without a survivor: at most a ring a thread ----

rm -rf trace progress.* data.*
timeout -s KILL 1 unshare -mpuf --kill-child=KILL --propagation private sh ./node three env LD_PRELOAD="$RECORDER_SO" \
	"$writer" data.three progress.three 4 2>/dev/null
nobody_writes()
{
	! recorder check trace >said 2>&1 || ! grep -q 'still being written' said
}
until_ nobody_writes # what is dying is seen from outside
grep -q incomplete said || fail "a node is gone: said to be complete"
"$verify" trace progress.three >verdict
# the kill may have cut a write short, and the ring that would tell what was in it is gone
sed -i '/^problem: .* \(cut short\|are no chunk\)/d' verdict
grep -E 'offset|result|level|problem|cannot' verdict && fail "a node is gone: what is there is wrong"
# 4 MiB of records of at least 56 bytes
grep ': writes: ' verdict | awk '{ if ($5 - $7 > 4194304 / 56) exit 1 }' || fail "more than a ring is lost: $(cat verdict)"
# another node cannot tell whether it will come back
recorder repair trace >said 2>&1
grep -q three said || fail "repair from another node: $(cat said)"

# ---- containers of one host name and one memory: process numbers alone tell them apart, and those begin at 1 in each ----

memory_dir
rm -rf trace progress.* data.*
cat >container <<'END2'
RECORDER_TRACES_DIR=$PWD/trace RECORDER_RUN_ID=containers RECORDER_LIVE_DIR=$memory
export RECORDER_TRACES_DIR RECORDER_RUN_ID RECORDER_LIVE_DIR
"$@"
END2
in_container="unshare -mpf --mount-proc --kill-child=KILL --propagation private sh ./container"
export memory
$in_container env LD_PRELOAD="$RECORDER_SO" "$writer" data.four progress.four 4 2>/dev/null &
four=$!
trap 'kill -KILL $four 2>/dev/null; test_cleanup' EXIT
container_records()
{
	ls trace/*.rec >/dev/null && [ -s progress.four ]
}
until_ container_records
before=$(ls "$memory"/*)
recorder info trace >said 2>&1
grep -q ' running ' said || fail "seen from outside: $(cat said)"
for place in "" "$in_container"; do
	$place recorder repair trace >said 2>&1 || fail "repair while it runs: $(cat said)"
	expect_eq "$before" "$(ls "$memory"/*)" "live files after a repair ${place:-from outside}"
	$place recorder clean >said 2>&1
	expect_eq "$before" "$(ls "$memory"/*)" "live files after a clean ${place:-from outside}"
done
grep -q died said && fail "seen from its sister: $(cat said)"
kill -KILL $four
wait $four 2>/dev/null
if [ "$(stat -L -c %i /proc/self/ns/pid)" = 4026531836 ]; then
	# whoever sees all processes knows that these are gone, a moment later
	repaired()
	{
		recorder repair trace >said 2>&1 && ! grep -q run said
	}
	until_ repaired
	expect_eq "" "$(ls "$memory")" "live files after its repair"
	"$verify" trace progress.four >verdict || fail "four: $(cat verdict)"
fi
exit 0
