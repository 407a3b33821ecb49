#!/bin/sh
# SPDX-License-Identifier: MIT
# Regions of Python: functions of all kinds, blocks, loops, threads; each as often as it runs, with its arguments and exceptions; the program does the same without the recorder.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/python/python.sh"
case ${SANITIZERS:-} in *address*) skip "two runtimes of AddressSanitizer in one interpreter" ;; esac

expect_eq "done" "$(py "$TOP_SRCDIR/test/python/say.py")" "without the recorder"
RECORDER_TRACES_DIR=$PWD/trace LD_PRELOAD=$RECORDER_SO "$python" "$TOP_SRCDIR/test/python/say.py" >out || fail "exit status $?"
expect_eq "done" "$(cat out)" "with it"
recorder check -q trace || fail "recorder check"

# who only says what it is doing loads no reader
expect_eq "[]" "$(py -c 'import sys, recorder.regions; print([name for name in sys.modules if name in ("recorder._reader", "recorder.reader", "subprocess")])')" "loaded beside regions"

# how often, and which level of which thread
recorder2text -q --layers user trace | sed 's/^.* \([0-9]*\) user \(.*)\) = .*$/\1 \2/' | sort | uniq -c | sed 's/^ *//' >got
cat >want <<-'END'
	1 0 Kinds.of_class()
	1 0 Kinds.property()
	1 0 Kinds.static()
	1 0 block(key="value", exception="OSError")
	1 0 cut(step=0)
	1 0 cut.fetch(step=0)
	1 0 epoch(epoch=1, rate=0.5, name="x", big="1180591620717411303424", none=NULL, on=1, late="[1, 2]")
	1 0 failing(level=3, exception="KeyError")
	1 0 generator(exception="ValueError")
	1 0 step(step=0)
	1 0 step(step=1)
	1 0 step.fetch()
	1 0 step.fetch(step=0)
	1 0 step.fetch(step=1)
	1 1 here()
	1 1 loss(value=0.25)
	1 1 model(value="resnet")
	2 0 Kinds.method()
	2 0 plain()
	2 0 request(id=7)
	5 0 async_generator()
	5 0 recursive()
	5 1 recursive()
	5 2 recursive()
	5 3 recursive()
	5 4 recursive()
	1 5 recursive()
	1 6 recursive()
	1 7 recursive()
	1 8 recursive()
	1 9 recursive()
	6 0 coroutine()
	6 0 generator()
END
for number in 1 2 3 4; do echo "2 0 generator(id=$number)"; done >>want
for number in 5 6 7; do echo "2 0 coroutine(id=$number)"; done >>want
echo "2 0 async_generator(id=8)" >>want
sort want >want.sorted
sort got | diff - want.sorted || fail "other regions"

# spans end where they began in time: none before its begin
recorder2pfw -q --format chrome -o trace.json trace || fail "recorder2pfw"
recorder summary -q trace >/dev/null || fail "recorder summary"
