#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder system -t, recorder run -t --via uprobe: functions of the program by probes of the kernel, as often as they are called, in the job's processes alone, which go on as without.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
sources=$TOP_SRCDIR/test/system

cc -O1 -foptimize-sibling-calls -o dynamic "$sources/functions.c" -lpthread || fail "functions.c"
need_kernel
recorder system --check >check.json
python3 -c '
import json
assert [part["works"] for part in json.load(open("check.json"))["kernel"] if part["name"] == "functions"] == [True]
' 2>/dev/null || {
	[ -z "${CI:-}" ] || fail "this kernel has no probes in programs: $(cat check.json)"
	skip "this kernel has no probes in programs"
}
cc -static -O1 -foptimize-sibling-calls -o static "$sources/functions.c" -lpthread || cp dynamic static

# record NAME -t FUNCTION... -- CMD...: NAME.trace, and its functions as COUNT NAME LEVEL [left] in the file `got`
record()
{
	name=$1
	shift
	recorder system --events=-block,-writeback,-iouring -o "$name.trace" "$@"
	got=$?
	recorder2text -q "$name.trace" | sed -n 's/^.* \([0-9]*\) native \([^(]*\)().* = [-?]\( left\)*$/\2 \1\3/p' | sort | uniq -c | sed 's/^ *//' >got
	return $got
}

# The same in a program with libc.so and in one without, and what is between 64 and 200 calls deep.
counts()
{
	for program in dynamic static; do
		record $program -t leaf -t branch -t tail -t deep -t written -t loops -- ./$program fixed >/dev/null || fail "exit status $?"
		grep -v ' deep ' got >rest
		expect_eq "110 branch 0
220 leaf 1
10 loops 0
10 tail 0
1 written 0" "$(cat rest)" "calls"
		grep ' deep ' got | awk '{ n += $1; if ($3 < 10 && $1 != 2 || $3 >= 10 && $1 != 1 || $3 > 199) exit 1 } END { exit n != 210 }' ||
			fail "recursion: $(grep ' deep ' got)"
		recorder check -q --strict $program.trace || fail "recorder check"
	done
	# what they call is below them, in the same thread's time
	recorder2text -q static.trace | grep -A1 ' native written()' | sed 's/^[^ ]* [^ ]* [^ ]* [^ ]* //' >got
	sed -i 's/write(fd=1.*/write/' got
	expect_eq "0 native written() = -
1 kernel write" "$(cat got)" "levels"
	recorder functions -q --json static.trace | python3 -c '
import json, sys
found = json.load(sys.stdin)
assert len(found["results"]["deep"]) == 210, found["functions"]
' || fail "recorder functions"
}

# More than can be followed are counted.
deepest()
{
	record deepest -t deep -- ./static deepest || fail "exit status $?"
	expect_eq 255 "$(awk '{ n += $1 } END { print n }' got)" "calls that are not too deep"
	recorder info -q --json deepest.trace >info.json
	expect_eq 745 "$(info_number lost)" "lost"
	recorder info -q deepest.trace | grep -q 'too_deep' || fail "recorder info does not say why"
	quietly recorder check -q deepest.trace || fail "recorder check"
}

# The same counts as sums, by thread and interval, beside the calls and alone.
summed()
{
	calls="110 branch
210 deep
220 leaf
10 loops
10 tail
1 written"
	for mode in profile trace,profile; do
		record $mode --mode $mode --interval 10s -t leaf -t branch -t tail -t deep -t written -t loops -- ./static fixed >/dev/null || fail "exit status $?"
		recorder check -q --strict $mode.trace || fail "recorder check"
		recorder2text -q $mode.trace | sed -n 's/^.* native \([^(]*\)(file=none, count=\([0-9]*\), time=[1-9][0-9]*, .*) = sum$/\1 \2/p' |
			awk '{ n[$1] += $2 } END { for (k in n) print n[k], k }' | sort -k2 >sums
		expect_eq "$calls" "$(cat sums)" "calls in sums, $mode"
		recorder summary -q --json $mode.trace | python3 -c '
import json, sys
for row in json.load(sys.stdin)["functions"]:
    if row["layer"] == "native" and row["calls"]: print(row["calls"], row["function"])' | sort -k2 >got.summary
		expect_eq "$calls" "$(cat got.summary)" "calls in the summary, $mode"
	done
	awk '{ n[$2] += $1 } END { for (k in n) print n[k], k }' got | sort -k2 >calls
	expect_eq "$calls" "$(cat calls)" "calls beside the sums"
	expect_eq 0 "$(recorder2text -q profile.trace | grep -c ' native .*() = ')" "calls one by one in a profile"
	record deepest.sums --mode profile -t deep -- ./static deepest || fail "exit status $?"
	recorder info -q --json deepest.sums.trace >info.json
	expect_eq 745 "$(info_number lost)" "too deep, in a profile"
	record threads.sums --mode profile --interval 10us -t leaf -t branch -- ./dynamic threads || fail "exit status $?"
	expect_eq "1000 branch
2000 leaf" "$(recorder2text -q threads.sums.trace | sed -n 's/^.* native \([^(]*\)(file=none, count=\([0-9]*\), .*) = sum$/\1 \2/p' |
		awk '{ n[$1] += $2 } END { for (k in n) print n[k], k }' | sort -k2)" "calls of threads"
}

left()
{
	record left -t leaf -t jumps -- ./static left || fail "exit status $?"
	expect_eq "5 jumps 0 left
1 leaf 0
5 leaf 1" "$(cat got)" "calls"
	record ends -t leaf -t ends -- ./static ends
	expect_eq 3 $? "exit status"
	expect_eq "1 ends 0
1 leaf 1" "$(cat got)" "calls"
	recorder2text -q ends.trace | tail -2 | sed 's/^[^ ]* [^ ]* [^ ]* [^ ]* //' >got
	expect_eq "1 native leaf() = -
1 kernel exit_group(status=3) = ?" "$(cat got)" "the end"
	record executes -t executes -t loops -- ./dynamic executes >/dev/null || fail "exit status $?"
	expect_eq "1 executes 0
10 loops 0" "$(cat got)" "calls"
	recorder2text -q executes.trace | grep -q ' 1 kernel execve(.* = 0$' || fail "execve is not in the function"
	record stack -t leaf -t signalled -- ./static stack || fail "exit status $?"
	expect_eq "2 leaf 1
1 signalled 0" "$(cat got)" "calls"
	for trace in left ends executes stack; do
		recorder check -q --strict $trace.trace || fail "recorder check of $trace"
	done
}

thrown()
{
	need c++ g++
	c++ -O1 -o thrown "$sources/thrown.cc" -lpthread || fail "thrown.cc"
	expect_eq "$(./thrown)" "$(recorder system -q -t 'Square::*' -t leaves -o thrown.trace -- ./thrown)" "its output"
	recorder2text -q thrown.trace | sed -n 's/^.* \([0-9]*\) native \(.*\)() = [-?]\( left\)*$/\2 \1\3/p' | sort | uniq -c | sed 's/^ *//' >got
	expect_eq "1 leaves 0
3 shape::Square<int>::area 0 left
5 shape::Square<int>::area 0
3 shape::Square<int>::check 1 left
5 shape::Square<int>::check 1" "$(sort -k2,2 -k3,3 -k4,4r got)" "calls"
}

# Threads that map and unmap memory all the while, children, and what goes on when these have ended.
tree()
{
	record threads -t leaf -t branch -- ./dynamic threads || fail "exit status $?"
	expect_eq "1000 branch 0
2000 leaf 1" "$(cat got)" "calls"
	record forks -t leaf -t branch -- ./dynamic forks || fail "exit status $?"
	expect_eq "3 branch 0
3 leaf 0
6 leaf 1" "$(cat got)" "calls"
	for trace in threads forks; do
		recorder check -q --strict $trace.trace || fail "recorder check of $trace"
	done
}

has_two_lines()
{
	[ "$(wc -l <"$1")" -eq 2 ]
}

# A process beside the job has no probe in it, and is not recorded; nor has one that is there when the recorder is killed, from then on.
beside()
{
	record beside -t leaf -t branch -- sh -c './dynamic probed' || fail "exit status $?"
	expect_eq "" "$(cat got)" "the shell is the program; what it starts is not known of"
	# where the recorder is not told in time of a process that forks at once, it says so
	record inside -t "$PWD/dynamic:leaf" -- sh -c './dynamic probed >inside; ./dynamic forks' 2>err || fail "exit status $?"
	expect_eq 1 "$(cat inside)" "a program named by its path, in the job"
	calls=$(awk '{ n += $1 } END { print n }' got)
	[ "$calls" -eq 9 ] || { [ "$calls" -lt 9 ] && grep -q 'calls of functions may be missing' err; } || fail "$calls calls, not 9: $(cat err)"
	mkfifo go
	recorder system -q -t leaf -o beside2.trace -- ./dynamic waits >within &
	recorder=$!
	while [ ! -s within ]; do sleep 0.01; done
	expect_eq 1 "$(cat within)" "in the job"
	expect_eq 0 "$(./dynamic probed)" "beside it"
	./dynamic forks || fail "beside it"
	kill -KILL $recorder
	wait $recorder 2>/dev/null
	until_ has_two_lines within
	expect_eq "1
0" "$(cat within)" "what the job's process finds when the recorder is killed"
}

names()
{
	printf 'int foo(int n) { return n + 1; }\nint food(int n) { return n + 2; }\n' >foo.c
	printf 'int foo(int), food(int); int main(void) { return foo(1) + foo(2) + food(3) - 10; }\n' >uses.c
	cc -O1 -shared -fPIC -o libfoo.so.1 foo.c || fail "foo.c"
	cc -O1 -o uses uses.c ./libfoo.so.1 || fail "uses.c"
	record library -t 'libfoo:foo*' -- ./uses || fail "exit status $?"
	expect_eq "2 foo 0
1 food 0" "$(cat got)" "calls of the library"
	# of a stripped library those that it gives to others; of a program, those that it was stripped of
	strip libfoo.so.1
	record stripped -t foo -- ./uses || fail "exit status $?"
	expect_eq "2 foo 0" "$(cat got)" "calls of the stripped library"
	cp static bare
	objcopy --only-keep-debug bare bare.debug
	strip --add-gnu-debuglink=bare.debug bare 2>/dev/null || { strip bare; objcopy --add-gnu-debuglink=bare.debug bare; }
	record bare -t 'bra*' -- ./bare fixed >/dev/null || fail "exit status $?"
	expect_eq "110 branch 0" "$(cat got)" "calls of the stripped program"
	cp dynamic 'odd name: 1'
	record odd -t branch -- './odd name: 1' fixed >/dev/null || fail "exit status $?"
	expect_eq 110 "$(awk '{ n += $1 } END { print n }' got)" "calls of a program whose name has blanks"
	recorder system --strict -t brunch -o none.trace -- ./dynamic forks >out 2>&1
	expect_eq 125 $? "exit status with --strict"
	grep -q "no function is 'brunch'; is it branch" out || fail "$(cat out)"
	recorder system -t brunch -o none2.trace -- ./dynamic forks >out 2>&1 || fail "exit status $?"
	recorder run --strict --via uprobe -t brunch -o none3.trace -- ./dynamic forks >out 2>&1
	expect_eq 125 $? "exit status of recorder run with --strict"
}

# Programs that a launcher starts are looked at, too.
ranks()
{
	command -v "$MPIEXEC" >/dev/null || return 0
	run_mpi 3 true 2>/dev/null || return 0
	recorder system -q --events=-calls,-block,-writeback,-iouring -t branch -o ranks.trace -- "$MPIEXEC" -n 3 ./dynamic fixed >/dev/null || fail "exit status $?"
	recorder2text -q ranks.trace | sed -n 's/^[0-9:]* \([0-9]*\) .* native branch() = -$/\1/p' | sort | uniq -c | awk '{ print $1 }' >got
	expect_eq "110
110
110" "$(cat got)" "calls of three ranks"
}

# With the library's records, in one trace; or alone, where there is no place for the library.
via()
{
	recorder run -q -t 'branch' --via uprobe -o via.trace -- ./dynamic fixed >written || fail "exit status $?"
	recorder2text -q via.trace >text
	expect_eq 110 "$(grep -c ' native branch() = -$' text)" "functions"
	grep -q ' posix write(' text || fail "no calls of the library"
	grep -q ' kernel ' text && fail "system calls, which are not asked for"
	recorder check -q --strict via.trace || fail "recorder check"
	recorder run -q -t branch --via uprobe -o via2.trace -- ./static fixed >/dev/null || fail "exit status $?"
	expect_eq 110 "$(recorder2text -q via2.trace | grep -c ' native branch() = -$')" "functions of a static program"
	recorder run -t branch --via nobody -- ./dynamic fixed >out 2>&1
	expect_eq 125 $? "exit status of a way that is none"
}

# A program of ours at a function can lose its CPU before it has sent what it has numbered; three processes take one from each other.
without_a_cpu()
{
	cat >often.c <<-'END'
	__attribute__((noinline, noipa)) int often(int i) { return i + 1; }
	int main(void)
	{
		int i = 0;

		while (i < 10000)
			i = often(i);
		return 0;
	}
	END
	cc -O1 -o often often.c || fail "often.c"
	recorder system -q --mode trace,profile --events sched -o often.trace -t ./often:often -- \
		taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')" sh -c './often & ./often & ./often & wait' || fail "exit status $?"
	recorder check -q --strict often.trace || fail "recorder check"
	expect_eq 30000 "$(recorder2text -q often.trace | grep -c ' native often() = -')" "calls"
}

try "counts of a dynamic and a static program" counts
try "deeper than can be followed" deepest
try "as sums" summed
try "functions that are left" left
try "exceptions and a thread's end" thrown
try "threads and children" tree
try "processes beside the job" beside
try "those who have no CPU" without_a_cpu
try "names" names
try "ranks" ranks
try "with the library's records" via
echo "1..$reported"
