#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder.gm says at the end of a run what the streams hold: written by recorder run, by repair, by the launcher of killed ranks
# and by the last of the ranks that each run in a recorder of their own; once. Where the streams hold something else, check says so.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3
memory_dir
live=$memory
RECORDER_LIVE_DIR=$live
export RECORDER_LIVE_DIR

# TRACE RANKS WORLDS STREAMS
summary()
{
	PYTHONDONTWRITEBYTECODE=1 python3 - "$TOP_SRCDIR/test" "$@" <<-'END' || fail "summary of $1"
		import sys
		sys.path.insert(0, sys.argv[1])
		import decode
		trace = decode.Trace(sys.argv[2])
		gm = trace.meta
		for key, want in zip(("ranks", "worlds", "streams"), sys.argv[3:]):
		    assert gm.get(key) == int(want), (key, want, gm)
		assert gm["hosts"] == 1 and gm["clock.source"] == b"mono", gm
		assert gm["clock.0.boot.id"] == open("/proc/sys/kernel/random/boot_id", "rb").read().strip(), gm
		assert gm["created"] <= gm["end.time"] < gm["created"] + 200e9, gm
		assert gm["world.0.ranks"] == int(sys.argv[3]), gm
	END
	recorder check "$1" >said || fail "check of $1: $(cat said)"
	grep ' said, ' said && fail "$1: check finds another number"
	cksum "$1/recorder.gm" >before
	recorder repair -q "$1" || fail "repair of $1"
	cksum "$1/recorder.gm" | diff before - || fail "$1: a second summary"
}

recorder run -q -o alone -- sh -c 'cat /dev/null; exec cat /dev/null' || fail "recorder run"
summary alone 1 1 3

# of a rank alone that is killed: the bare preload has nobody else
env LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR=killed sh -c 'cat /dev/null; echo some >file; kill -KILL $$'
recorder repair -q killed || fail "repair"
summary killed 1 1 2

need_mpiexec
for rank in 0 1 2; do
	echo "PMI_RANK=$rank PMI_SIZE=3 recorder run -q -o each -- cat /dev/null &"
done >each.sh
echo wait >>each.sh
sh each.sh
summary each 3 1 3
recorder run -q -o around -- "$MPIEXEC" -n 2 cat /dev/null || fail "around the launcher"
summary around 2 1 2
LD_PRELOAD=$RECORDER_SO RECORDER_TRACES_DIR=bare "$MPIEXEC" -n 2 \
	sh -c 'echo some >ready.$$; until set -- ready.*; [ $# = 2 ]; do :; done; kill -KILL $$' >killed.out 2>&1
summary bare 2 1 2

# a process that went on: its stream came when the summary was written
cp -r alone late
mkdir aside
mv "$(ls late/*.lm | head -n 1)" "$(ls late/*.rec | head -n 1)" aside
rm late/recorder.gm
recorder repair -q late || fail "repair without one stream"
mv aside/* late
recorder check late >said || fail "check of a trace with a stream more: $(cat said)"
grep -q 'recorder.gm: streams: 2 said, 3 found: some went on' said || fail "check of a trace with a stream more: $(cat said)"

# one more stream than there was
rm "$(ls alone/*.lm | head -n 1)" "$(ls alone/*.rec | head -n 1)"
recorder check alone >said
grep -q 'recorder.gm: streams: 3 said, 2 found' said || fail "check of a trace that lacks a stream: $(cat said)"
exit 0
