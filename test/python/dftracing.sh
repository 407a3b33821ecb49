#!/bin/sh
# SPDX-License-Identifier: MIT
# A program in Python that is instrumented for DFTracer has its events in the trace, by name, category and arguments, with the values that were so; without the recorder it does the same.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/python/python.sh"
case ${SANITIZERS:-} in *address*) skip "two runtimes of AddressSanitizer in one interpreter" ;; esac
program=$TOP_SRCDIR/test/python/instrumented.py

expect_eq "done" "$(py "$program")" "without the recorder"
expect_eq "done" "$(DFTRACER_ENABLE=0 py "$program")" "switched off"
RECORDER_TRACES_DIR=$PWD/trace LD_PRELOAD=$RECORDER_SO "$python" "$program" >out || fail "exit status $?"
expect_eq "done" "$(cat out)" "with it"
recorder check -q trace || fail "recorder check"
expect_eq 0 "$(recorder info --json trace | sed -n 's/.*"unmatched_ends": \([0-9]*\).*/\1/p')" "ends without a begin"

recorder2pfw -q -o trace.pfw trace || fail "recorder2pfw"
cat >want <<-'END'
	1 0 PLAIN nothing
	1 0 COMPUTE given epoch=3 image_size=7 step=4
	1 0 COMPUTE given epoch=3 image_size=6 step=5
	1 0 COMPUTE renamed epoch=3 step=1
	1 0 PLAIN Loader.__init__ epoch=5
	1 0 PLAIN Loader.read epoch=5 image_idx=2 size=1.5 tagged=4
	1 0 PLAIN Loader.static
	1 0 PLAIN Loader.of_class
	1 0 PLAIN failing exception=KeyError
	2 0 PLAIN recursive
	2 1 PLAIN recursive
	1 2 PLAIN recursive
	3 0 PLAIN items step=1
	2 0 PLAIN later
	1 0 block blocks epoch=2 none=None step=1 text=a "b"\n
	1 1 block inner epoch=2 of=inner step=1
	2 0 block twice step=1
	1 0 block twice step=2
	1 0 block left exception=OSError
	1 0 LOOP loop.iter step=1
	1 0 LOOP loop.iter step=2
	1 0 LOOP loop.yield step=1
	1 0 LOOP loop.yield step=2
	1 0 LOOP cut.iter i=1
	1 0 LOOP cut.yield i=1
	1 0 cat2 custom n=5 text=x
	1 0 cat3 low n=1 real=0.5 text=y
	1 0 pipeline train
	1 1 checkpoint checkpoint.init
	1 1 pipeline epoch.block count=1 epoch=0
	1 1 pipeline epoch.block count=2 epoch=1
	1 2 dataloader fetch.iter count=1 epoch=0
	1 2 dataloader fetch.iter count=1 epoch=1
	2 3 dataloader fetch epoch=0
	2 3 dataloader fetch epoch=1
	1 2 dataloader fetch.block count=1 epoch=0 step=0
	1 2 dataloader fetch.block count=1 epoch=1 step=0
	1 3 compute step epoch=0 step=0
	1 3 compute step epoch=1 step=0
	1 4 compute forward epoch=0 step=0
	1 4 compute forward epoch=1 step=0
	1 5 comm all_reduce bytes=8 epoch=0 step=0
	1 5 comm all_reduce bytes=8 epoch=1 step=0
	1 1 comm all_reduce bytes=8
	1 4 data preprocess.collate epoch=0 step=0
	1 4 data preprocess.collate epoch=1 step=0
	1 1 compute backward scale=0.5
	1 1 data data.io.open
	1 0 dynamo function.len grad_enabled=1
	1 0 PP aten::inner cpu_memory=64 device=0 input_size=2 is_remote=0
	1 0 PP aten::outer cpu_memory=64 device=0 input_size=2 is_remote=0
END
"$PYTHON" - trace.pfw <<-'END' >got || fail "cannot read the events"
import collections, json, sys
found = collections.Counter()
for line in open(sys.argv[1]):
    event = json.loads(line) if line.startswith("{") else {"ph": ""}
    if event["ph"] != "X" or event["cat"] in ("POSIX", "STDIO", "THREAD", "NET"):
        continue
    args = {key: value for key, value in event["args"].items() if key not in ("level", "hhash", "fhash", "p_idx", "start")}
    text = "".join(f" {key}={value}" for key, value in sorted(args.items())).replace("\n", "\\n")
    found[f"{event['args']['level']} {event['cat']} {event['name']}{text}"] += 1
for what, count in found.items():
    print(count, what)
END
sort want >want.sorted
sort got | diff want.sorted - || fail "other events"

# what was measured by the program itself: as long as it says; its access() is in it by time
recorder2text -q trace | awk '/ user custom[(]/ { exit !($4 - $3 > 0.00198 && $4 - $3 < 0.00202) }' || fail "duration of an event of the past"
"$PYTHON" - trace.pfw <<-'END' || fail "metadata"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1]) if line.startswith("{")]
told = {line["args"]["name"]: line["args"]["value"] for line in lines if line["name"] == "CM"}
assert told.keys() == {"model", "key", "test.start", "test.end"} and (told["model"], told["key"]) == ("unet", "7"), told
spans = [(line["ph"], line["name"]) for line in lines if line["ph"] in ("b", "e")]
assert sorted(set(spans)) == [(ph, name) for ph in "be" for name in ("fetch", "items", "later")], spans
END
recorder2text -q trace | awk '/ user aten::/ { ns = ($4 - $3) * 1e9; want = /outer/ ? 800000 : 100000; bad += ns < want - 20000 || ns > want + 20000; n++ } END { exit bad || n != 2 }' ||
	fail "durations of what torch measured"
for key in model key; do recorder2text -q --layers user trace | grep -q " user $key(value=" || fail "no metadata $key"; done
for key in test.start test.end; do
	recorder2text -q --layers user trace | grep -q " user $key(value=\"[0-9]\{16\}\")" || fail "no metadata $key"
done
exit 0
