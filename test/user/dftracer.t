#!/bin/sh
# SPDX-License-Identifier: MIT
# A program instrumented for DFTracer, by its own macros, has its functions, regions and metadata in the trace as it says them; without the recorder it runs as it is.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
sources=$TOP_SRCDIR/test/user

# LEVEL FUNCTION(ARGUMENTS) of what the program has named, and of access()
told()
{
	recorder2text -q "$1" | sed -n 's/^.* \([0-9]*\) \(user [^ ]*(.*)\) = .*$/\1 \2/p; s/^.* \([0-9]*\) posix \(access(.*)\) = .*$/\1 \2/p' | sed 's/ user / /'
}

# record NAME PROGRAM: into NAME.trace, as it runs without
record()
{
	"$2" >out || fail "without the recorder: exit status $?"
	expect_eq "done" "$(cat out)" "output without the recorder"
	RECORDER_TRACES_DIR=$PWD/$1.trace preload "$2" >out || fail "exit status $?"
	expect_eq "done" "$(cat out)" "output"
	recorder check -q "$1.trace" || fail "recorder check"
	recorder info --json "$1.trace" >info.json
	expect_eq 0 "$(sed -n 's/.*"unmatched_ends": \([0-9]*\).*/\1/p' info.json)" "ends without a begin"
}

# pfw NAME PYTHON: of its events
pfw()
{
	recorder2pfw -q -o "$1.pfw" "$1.trace" || fail "recorder2pfw"
	grep '^{' "$1.pfw" | "$PYTHON" -c "
import json, sys
lines = [json.loads(line) for line in sys.stdin]
calls = [line for line in lines if line['ph'] == 'X']
found = {(line['cat'], line['name']): line['args'] for line in calls}
$2" || fail "events"
}

of_c()
{
	cc -std=c99 -D_DEFAULT_SOURCE -O2 -Wall -Wextra -Wpedantic -Wshadow -Werror -I"$TOP_SRCDIR/include" -o of_c "$sources/dftracer.c" -lpthread || fail "cannot compile"
	if command -v clang >/dev/null; then
		clang -std=c99 -D_DEFAULT_SOURCE -O2 -Wall -Wextra -Wpedantic -Werror -I"$TOP_SRCDIR/include" -o of_clang "$sources/dftracer.c" -lpthread || fail "cannot compile by clang"
		record clang ./of_clang
	fi
	record c ./of_c
	told c.trace | sort >got
	sort >want <<-'END'
	0 model(value="unet \"3d\"")
	0 lowest(value="-9223372036854775808")
	0 early(how=0)
	0 early(how=1)
	1 tail()
	0 early(how=2)
	1 tail()
	0 fibonacci(result=1)
	1 fibonacci(result=1)
	1 fibonacci(result=0)
	0 zero()
	1 access(path="/zero", mode=F_OK)
	0 access(path="/other", mode=F_OK)
	0 outer(text="twice", count=3, file="/a/name", level=7)
	1 middle(size=1048576, which=NULL)
	2 inner(mine="inner", behind=-1)
	3 access(path="/in/three", mode=F_OK)
	0 entity_type(value="sequence input What is folded")
	0 fold(used="fa85d45a18d31987", generated="ee412bdb69a8b579", used_2="0055b57fab984e3d")
	1 entity(value="fa85d45a18d31987 sequence memory")
	1 entity(value="ee412bdb69a8b579 structure parallel_fs /p/out/a.pdb")
	1 pack(updated="0055b57fab984e3d")
	2 entity(value="0055b57fab984e3d archive local_disk")
	1 entity_relation(value="contains 0055b57fab984e3d ee412bdb69a8b579")
	0 work()
	1 fibonacci(result=1)
	END
	diff want got || fail "not as the program has it"
	pfw c "
assert found['C_APP', 'outer']['text'] == 'twice' and found['C_APP', 'outer']['count'] == 3, found
assert found['C_APP', 'outer']['file'] == '/a/name' and found['C_APP', 'outer']['arg_level'] == 7, found
assert found['C_APP', 'inner']['mine'] == 'inner' and found['C_APP', 'inner']['level'] == 2, found
assert {cat for cat, name in found} <= {'C_APP', 'POSIX', 'STDIO', 'THREAD'}, found.keys()
told = {line['args']['name']: line['args']['value'] for line in lines if line['name'] == 'CM'}
assert told.pop('entity_type') == 'sequence input What is folded' and told.pop('entity').endswith('archive local_disk'), told
assert told.pop('entity_relation').startswith('contains '), told
assert found['C_APP', 'fold']['used_2'] == found['C_APP', 'pack']['updated'], found
assert told == {'model': 'unet \\\"3d\\\"', 'lowest': str(-2 ** 63)}, told
assert sum(line['name'] == 'fibonacci' for line in calls) == 4, calls"
}

of_cxx()
{
	c++ -std=c++11 -O2 -Wall -Wextra -Wpedantic -Wshadow -Werror -I"$TOP_SRCDIR/include" -o of_cxx "$sources/dftracer.cc" || fail "cannot compile"
	record cxx ./of_cxx
	told cxx.trace >got
	cat >want <<-'END'
	0 run(value="first")
	0 text(value="of C++")
	0 epochs(value="3")
	0 train(name="net", rate=0.5, caught=1)
	1 load(bytes=5368709120, good=1)
	2 access(path="/loaded", mode=F_OK)
	1 step(mode=4, text="a text", single=0.25)
	2 forward(n=1)
	3 forward(n=0)
	2 caught()
	1 open_to_the_end()
	0 relax(used="1f4033fa9c585726", generated="c303da494c881c9d", generated_2="4367fd14696ce898")
	1 entity(value="1f4033fa9c585726 unrelaxed memory")
	1 entity(value="c303da494c881c9d relaxed burst_buffer /bb/1")
	1 entity_relation(value="revision_of c303da494c881c9d 1f4033fa9c585726")
	1 entity(value="4367fd14696ce898 log memory")
	1 clean(invalidated="1f4033fa9c585726")
	0 in_c()
	END
	diff want got || fail "not as the program has it"
	pfw cxx "
assert found['CPP_APP', 'train']['rate'] == 0.5 and found['CPP_APP', 'load']['bytes'] == 5 << 30, found
assert ('C_APP', 'in_c') in found, found"
}

if command -v cc >/dev/null; then try "macros of C" of_c; else report_skip "no compiler"; fi
if command -v c++ >/dev/null; then try "macros of C++" of_cxx; else report_skip "no compiler for C++"; fi
echo "1..$reported"
