#!/bin/sh
# SPDX-License-Identifier: MIT
# Regions, instants, counters and what is said of them are in the trace as the program has them, around its calls; whatever order they are ended in, the program
# runs as without the recorder.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
regions=$TEST_BIN/user/regions
sources=$TOP_SRCDIR/test/user

# LEVEL FUNCTION(ARGUMENTS) of what the program has named, and of access()
told()
{
	recorder2text -q "$@" | sed -n 's/^.* \([0-9]*\) \(user\|posix\) \(.*(.*)\) = .*$/\1 \3/p' |
		grep -v '^[0-9]* \(open\|close\|read\|write\|fstat\|mmap\|munmap\|clone\|fork\|wait4\|waitpid\|_exit\|exit\)('
}

# record NAME PROGRAM ARGUMENT...: into NAME.trace
record()
{
	trace=$1.trace
	shift
	RECORDER_TRACES_DIR=$PWD/$trace preload "$@" >out || fail "exit status $?"
	expect_eq "done" "$(cat out)" "output"
	recorder check -q "$trace" || fail "recorder check"
}

want_all()
{
	printf '%s\n' '0 job(host="a \"b\"\n")'
	printf '%s\n' '1 model(value="resnet50")'
	for epoch in 0 1; do
		printf '%s\n' "1 epoch(epoch=$epoch)"
		printf '%s\n' '2 step(step=0, rate=0.5, which="again", behind=0)'
		printf '%s\n' '3 access(path="/by/step", mode=F_OK)'
		printf '%s\n' '3 loss(value=1)'
		printf '%s\n' '2 step(step=1, rate=0.25, which="again", behind=-1)'
		printf '%s\n' '3 access(path="/by/step", mode=F_OK)'
		printf '%s\n' '3 loss(value=0.5)'
		printf '%s\n' '2 done()'
	done
	printf '%d fibonacci()\n' 1 2 3 3 2
	printf '%s\n' '1 leave()' '2 turn(turn=0)' '1 leave()' '2 turn(turn=0)' '2 turn(turn=1)' '1 leave()' '2 turn(turn=0)'
	printf '%s\n' '1 copy(id=7)'
	printf '%s\n' '1 copy(id=18446744073709551615)'
}

all()
{
	record "$1" "$2"
	told "$1.trace" >got
	want_all | diff - got || fail "not as the program has it"
}

without()
{
	"$1" >out || fail "exit status $?"
	expect_eq "done" "$(cat out)" "output"
}

# Each call of a region is in it by time as well, and regions in each other.
nested()
{
	record nested "$regions"
	recorder2text -q --layers user,posix nested.trace | awk '
		{ level = $5; while (depth > level) depth--; if (level > 0 && depth == level && ($3 < from[level - 1] || $4 > to[level - 1])) bad = 1
		  from[level] = $3; to[level] = $4; depth = level + 1 }
		END { exit bad }' || fail "a call is not in the time of what is around it"
}

categories()
{
	record categories "$regions"
	recorder2pfw -q --format chrome -o categories.json categories.trace || fail "recorder2pfw"
	"$PYTHON" - <<-'END' || fail "categories"
	import json
	events = json.load(open("categories.json"))
	events = [event for event in (events["traceEvents"] if isinstance(events, dict) else events) if event.get("ph") == "X"]
	found = {event["name"]: event["cat"].lower() for event in events}
	assert (found["job"], found["step"], found["access"]) == ("app", "user", "posix"), found
	assert not {"copy", "loss", "done", "model"} & found.keys(), found
	assert [event["args"]["step"] for event in events if event["name"] == "step"] == [0, 1, 0, 1], events
	END
}

# What takes no time is no X, but what viewers have for it: instants, counters, begins and ends across threads, metadata.
marks()
{
	record marks "$regions"
	for form in chrome pfw pfw2; do
		recorder2pfw -q --format $form -o marks.$form marks.trace || fail "recorder2pfw"
	done
	cli=$TOP_SRCDIR/test/cli
	"$PYTHON" "$cli/check_chrome.py" marks.chrome && "$PYTHON" "$cli/check_pfw.py" marks.pfw && "$PYTHON" "$cli/check_pfw.py" marks.pfw2 || fail "events"
	"$PYTHON" - <<-'END' || fail "marks"
	import json
	MARKS = ("model", "loss", "done", "copy")
	def lines(name):
	    return [json.loads(line) for line in open(name) if line.startswith("{")]
	def told(events):
	    return [event for event in events if event["name"] in MARKS or event["args"].get("name") in MARKS]
	def parts(events):
	    return [(event["ph"], event["name"], event.get("cat"), event.get("id2", {}).get("local"), event["args"].get("value")) for event in events]
	losses = [("C", "loss", "user", None, value) for value in (0.5, 0.5, 1, 1)]
	others = [("b", "copy", "device", "0x7", None), ("e", "copy", "device", "0xffffffffffffffff", None)]
	instants = [("i", "done", "user", None, None)] * 2
	chrome = told(json.load(open("marks.chrome"))["traceEvents"])
	assert parts(chrome) == sorted(losses + others + instants + [("i", "model", "user", None, "resnet50")], key=str) or \
	    sorted(parts(chrome), key=str) == sorted(losses + others + instants + [("i", "model", "user", None, "resnet50")], key=str), parts(chrome)
	pfw = told(lines("marks.pfw"))
	want = [(ph, name, cat.upper() if cat == "user" else cat, id2, value) for ph, name, cat, id2, value in losses + others + instants]
	assert sorted(parts(pfw), key=str) == sorted(want + [("M", "CM", "dftracer", None, "resnet50")], key=str), parts(pfw)
	later = told(lines("marks.pfw2"))
	assert sorted(event["ph"] for event in later) == [1, 1, 1, 1, 2, 2, 2, 2, 4], later
	END
	recorder2pfw -q --no-args -o bare.pfw marks.trace && "$PYTHON" "$cli/check_pfw.py" bare.pfw || fail "--no-args"
	recorder2pfw -q --format chrome --no-args -o bare.json marks.trace && "$PYTHON" "$cli/check_chrome.py" bare.json || fail "--no-args"
	recorder2pfw -q --format chrome --split 2K -o part.json marks.trace || fail "--split"
	for part in part-*.json; do "$PYTHON" -c 'import json, sys; json.load(open(sys.argv[1]))' "$part" || fail "$part"; done
}

# Ends that are none, in a thread, in a child and twice, are counted; what has no end ends with what is around it.
orders()
{
	record orders "$regions" orders
	told orders.trace | sort >got
	printf '%s\n' '0 access(path="/not/mine", mode=F_OK)' '0 inner()' '0 outer()' '0 outer()' '1 inner()' | diff - got || fail "regions"
	recorder info --json orders.trace >info.json
	expect_eq 4 "$(info_number unmatched_ends)" "ends without a begin"
	recorder info orders.trace | grep -q "4 ends of regions had no begin" || fail "recorder info does not tell"
}

names()
{
	record names "$regions" names
	told names.trace >got
	expect_eq 20000 "$(wc -l <got)" "regions"
	expect_eq "$(seq 0 19999 | sed 's/.*/name &/')" "$(sed 's/^0 \(name [0-9]*\)(.*/\1/; s/^0 other(name="\(.*\)",.*/\1/; s/^0 other(name="\(.*\)")/\1/' got)" "names"
	grep -q '^0 name 17(i=17)$' got || fail "arguments"
	# of so many functions, too, records are encoded
	[ "$(cat names.trace/*.rec | wc -c)" -lt 400000 ] || fail "$(cat names.trace/*.rec | wc -c) bytes"
}

much()
{
	record much "$regions" much
	told much.trace >got
	expect_eq 2 "$(wc -l <got)" "regions"
	sed 1q got | grep -q '^0 x\{255\}(k0=0, k1=1, k2=2, k3=33, .*k15=15)$' || fail "a long name: $(sed 1q got)"
	sed 1d got | grep -q '^1 strings(s0="x\{4096\}"\.\.\.' || fail "long strings: $(sed 1d got | cut -c 1-100)"
}

pauses()
{
	record pauses "$regions" pauses
	expect_eq '0 around(kept=1)' "$(told pauses.trace)" "regions"
}

filtered()
{
	RECORDER_FUNCTIONS=-dropped record filtered "$regions" filtered
	expect_eq '0 kept(of kept=1)' "$(told --layers user filtered.trace)" "regions"
	RECORDER_LAYERS=posix record layers "$regions" filtered
	expect_eq '' "$(told --layers user layers.trace)" "regions without their layer"
}

by_site()
{
	record site "$regions" "by site"
	told --layers user site.trace >got
	printf '%s\n' '0 outer(kept=1)' '0 past(ms=3)' '1 inner()' >want
	sort got | diff want - || fail "regions"
	recorder2text -q --layers user site.trace | awk '/ past[(]/ { ns = ($4 - $3) * 1e9; exit !(ns > 2980000 && ns < 3020000) }' || fail "time of the past"
}

# main() is in flight as a function by name: that is no region
in_main()
{
	for program in orders "by site"; do
		rm -rf main.trace
		RECORDER_TARGETS=main record main "$regions" "$program"
		recorder2text -q main.trace | grep -q ' 0 native main(' || fail "$program: main() is not in the trace"
	done
	RECORDER_TARGETS=main record unmatched "$regions" orders
	recorder info --json unmatched.trace >info.json
	expect_eq 4 "$(info_number unmatched_ends)" "ends without a begin"
}

killed()
{
	RECORDER_TRACES_DIR=$PWD/killed.trace preload "$regions" killed
	expect_eq 137 $? "exit status"
	told killed.trace | sed 's/pid=[0-9]*/pid=PID/' >got
	printf '%s\n' '0 epoch(epoch=41)' '1 step(what="dies")' "2 kill(pid=PID, signal=SIGKILL)" | diff - got || fail "regions in flight"
	recorder where killed.trace | grep -q step || fail "recorder where"
}

# In a program that is at a fixed address, too, where a weak symbol may be decided when it is linked.
fixed()
{
	cc -O2 -fno-pie -no-pie -I"$TOP_SRCDIR/include" -o fixed "$sources/regions.c" -lpthread || fail "cannot compile"
	all fixed ./fixed
	without ./fixed
}

objects()
{
	c++ -O2 -Wall -Wextra -Werror -I"$TOP_SRCDIR/include" -o objects "$sources/objects.cc" -lpthread || fail "cannot compile"
	without ./objects
	record objects ./objects
	told objects.trace | grep -v "pthread_\|mprotect" | sort >got
	for threads in 1 2; do
		printf '%s\n' "0 work(threads=$threads, ratio=0.25, text=\"of C++\")" '1 tried()' '2 deeper()' '3 deeper()' '4 deeper()' '1 caught()'
	done | sort | diff - got || fail "regions"
}

fortran()
{
	gfortran -O1 -Wall -o phases "$TOP_SRCDIR/include/recorder/recorder.f90" "$sources/phases.f90" || fail "cannot compile"
	without ./phases
	record phases ./phases
	told --layers user phases.trace >got
	{
		printf '%s\n' '0 run()' '1 mesh(value="coarse")'
		printf '1 step(step=%d, cells=5000000000, residual=%s, single=0.25, scheme="upwind")\n2 time step(value=0.125)\n' 1 0.5 2 0.25
		printf '%s\n' '1 converged()' '1 request(id=7)' '1 request(id=7)'
	} | diff - got || fail "regions"
	expect_eq 0 "$(recorder info --json phases.trace | sed -n 's/.*"unmatched_ends": \([0-9]*\).*/\1/p')" "ends without a begin"
}

try "the program without the recorder" without "$regions"
try "regions, instants, counters, spans" all all "$regions"
try "calls are inside of regions" nested
try "categories" categories
try "what takes no time" marks
try "ends in other orders" orders
try "more names than numbers" names
try "too much of all" much
try "pauses inside of regions" pauses
try "filters" filtered
try "by their sites" by_site
try "inside of main() as a target" in_main
try "killed in a region" killed
if command -v cc >/dev/null; then try "at a fixed address" fixed; else report_skip "no compiler"; fi
if command -v c++ >/dev/null; then try "objects of C++" objects; else report_skip "no compiler for C++"; fi
if command -v gfortran >/dev/null; then try "Fortran" fortran; else report_skip "no Fortran compiler"; fi
echo "1..$reported"
