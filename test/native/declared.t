#!/bin/sh
# SPDX-License-Identifier: MIT
# Arguments and results as functions were declared, by their debugging information; file and line.
. "${TOP_SRCDIR:?}/test/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip "not of this CPU yet"
skip_under_tsan
sources=$TOP_SRCDIR/test/native

# shown TRACE: the calls of its functions, sorted
shown()
{
	recorder2text -q --layers native "$1" | sed -E 's/^([^ ]+ ){5}native //' | LC_ALL=C sort
}

functions='plain narrow crowded returned small text chosen Counter::add Counter::is twice called'

cat >want.c++ <<-'END'
	Counter::add(this=0x1, by=4, other=0x1) = 7
	Counter::is(this=0x1, wanted=7) = 1
	called(with=NULL, n=3) = 0
	chosen(list=0x1, at=0, result="zero") = -
	chosen(list=0x1, at=1, result=NULL) = -
	crowded(a=1, b=2, c=3, d=4, e=5, on_stack=6, last=8) = 2.5
	narrow(a=200, b=-5, c=60000, d=-300, e=120, f=9223372036854775808) = 201
	plain(count=0, name="first", weight=1.5, flag=0, shade=0, half=0.25) = 0
	plain(count=1, name="first", weight=1.5, flag=1, shade=200, half=0.25) = -1
	returned(a=9, text="nine") = -
	small(a=11) = -
	text(by_reference=0x1, n=3, out=0x1) = -
	twice<double>(value=1.25) = 2.5
	twice<int>(value=21) = 42
END

# cplusplus PROGRAM: that was compiled as ./PROGRAM
cplusplus()
{
	"./$1" >alone || fail "alone"
	set -- "$1" "$(printf '%s;' $functions)"
	RECORDER_TRACES_DIR=$PWD/$1.trace RECORDER_ARGUMENTS=$2 RECORDER_RESULTS=$2 preload "./$1" >out 2>err || fail "exit status $?"
	diff alone out || fail "another output"
	shown "$1.trace" | diff want.c++ - || fail "other arguments"
}

by()
{
	compiler=$1
	shift
	"$compiler" "$@" -w -o by "$sources/declared.cc" || fail "cannot compile"
	rm -rf by.trace
	cplusplus by
}

told()
{
	c++ -O2 -g -Wall -Wextra -o told "$sources/declared.cc" || fail "cannot compile"
	cplusplus told
	grep -qx "recorder: the argument 'both' of 'crowded' cannot be recorded: a structure" err || fail "crowded: $(cat err)"
	grep -qx "recorder: the result of 'small' cannot be recorded: a structure" err || fail "small: $(cat err)"
	strip -g -o without told || fail "strip"
	RECORDER_TRACES_DIR=$PWD/without.trace RECORDER_ARGUMENTS='plain' preload ./without >out 2>err || fail "exit status $?"
	grep -q "arguments of 'plain' cannot be recorded: there is no debugging information" err || fail "without: $(cat err)"
	RECORDER_TRACES_DIR=$PWD/some.trace RECORDER_ARGUMENTS='plain@weight,count;returned@text' preload ./told >out 2>err || fail "exit status $?"
	printf '%s\n' 'plain(count=0, weight=1.5)' 'plain(count=1, weight=1.5)' 'returned(text="nine")' >want
	shown some.trace | sed 's/ = -$//' | diff want - || fail "by name"
	[ ! -s err ] || fail "by name: $(cat err)"
	expect_eq 'plain() = -' "$(shown without.trace | uniq)" "without"
}

source_lines()
{
	recorder functions told.trace >list || fail "functions"
	line=$(grep -n 'NOINLINE int plain' "$sources/declared.cc" | cut -d: -f1)
	grep -q "plain at .*/declared.cc:$line\$" list || fail "plain: $(cat list)"
	recorder functions --json told.trace >json || fail "functions --json"
	"${PYTHON:-python3}" - json <<-'END' || fail "metadata"
		import json, sys
		known = json.load(open(sys.argv[1]))["metadata"]["crowded"]
		assert known["args"][1] == "both" and known["args"][-1] == "last", known
		assert known["path"].startswith("crowded(int, pair, long, big,"), known
		assert known["module"] == "told", known
	END
}

# What is passed to functions that nobody else calls is the compiler's affair: values are right, or left out.
copies()
{
	for compiler in cc clang; do
		command -v $compiler >/dev/null || continue
		for options in "-O0 -g" "-O2 -g" "-O2 -gdwarf-4"; do
			# shellcheck disable=SC2086
			$compiler $options -Wall -Wextra -o copies "$sources/copies.c" || fail "cannot compile"
			./copies one >alone || fail "alone"
			rm -rf copies.trace
			RECORDER_TRACES_DIR=$PWD/copies.trace RECORDER_ARGUMENTS='relax;fixed;split' RECORDER_QUIET=1 preload ./copies one >out || fail "exit status $?"
			diff alone out || fail "another output"
			shown copies.trace | sed -E 's/[(](.*)[)] = -$/ \1/; s/, / /g; s/ +$//' >got
			expect_eq 7 "$(grep -c . got)" "calls, $compiler $options"
			while read -r name values; do
				for value in $values; do
					case $name.$value in
					relax.g=0x1 | relax.eps=0 | relax.eps=0.5 | relax.eps=1 | relax.mode=2 | 'relax.tag="one"') ;;
					fixed.a=2 | fixed.k=10 | fixed.b=3 | fixed.a=4 | fixed.b=5) ;;
					split.unused=2 | split.unused=3 | split.a=7 | split.a=9 | split.b=6 | split.b=8) ;;
					*) fail "$compiler $options: $name $value" ;;
					esac
				done
			done <got
			if nm copies | grep -q ' split\..*\.cold$'; then
				expect_eq 2 "$(grep -c '^.*split .*a=[79] b=[68]$' got)" "calls of what is in two pieces, $options"
			fi
		done
	done
}

separate()
{
	objcopy --only-keep-debug --compress-debug-sections=zlib told told.debug || fail "objcopy"
	strip -o bare told && objcopy --add-gnu-debuglink=told.debug bare apart || fail "objcopy"
	cplusplus apart
}

fortran()
{
	gfortran -O1 -fno-inline -g -o steps "$sources/declared.f90" || fail "cannot compile"
	./steps >alone || fail "alone"
	RECORDER_TRACES_DIR=$PWD/steps.trace RECORDER_ARGUMENTS='solver::*' RECORDER_RESULTS='solver::*' preload ./steps >out || fail "exit status $?"
	diff alone out || fail "another output"
	cat >want <<-'END'
		solver::label(n=5, prefix="ab") = -
		solver::norm(a=0x1, m=-2) = 6.5
		solver::norm(a=0x1, m=0) = 17
		solver::step(n=3, x=1, name="abc", y=4, single=0.5) = -
		solver::turned(z=0x1, back=1) = -
	END
	shown steps.trace | diff want - || fail "other arguments"
}

# none of it may be followed without a look
torn()
{
	"${PYTHON:-python3}" - told <<-'END' || fail "torn"
		import random, subprocess, sys
		whole = bytearray(open(sys.argv[1], "rb").read())
		sections = subprocess.run(["readelf", "-SW", sys.argv[1]], capture_output=True, text=True).stdout
		places = []
		for line in sections.splitlines():
		    words = line.replace("[ ", "[").split()
		    if len(words) > 5 and words[1].startswith(".debug_"):
		        places.append((int(words[4], 16), int(words[5], 16)))
		assert places
		chance = random.Random(7)
		for number in range(12):
		    copy = bytearray(whole)
		    for begin, size in places:
		        for _ in range(1 + size // 50):
		            copy[begin + chance.randrange(size)] = chance.randrange(256)
		    open("torn%d" % number, "wb").write(copy)
	END
	for number in 0 1 2 3 4 5 6 7 8 9 10 11; do
		chmod +x "torn$number"
		RECORDER_TRACES_DIR=$PWD/torn.trace RECORDER_ARGUMENTS='plain;crowded;text' RECORDER_RESULTS=text preload "./torn$number" >out 2>err ||
			fail "torn$number: exit status $?: $(cat err)"
		diff alone out || fail "torn$number: another output"
		rm -rf torn.trace
	done
}

count=6
command -v clang++ >/dev/null && count=7
echo "1..$((count + 1))"
try "each argument by its type, and why some cannot be" told
try "file, line, names" source_lines
try "copies that the compiler makes" copies
try "with debugging information in a file of its own" separate
try "DWARF 4, without optimization" by c++ -O0 -gdwarf-4
[ $count -lt 7 ] || try "of another compiler" by clang++ -O2 -g
try "debugging information that is damaged" torn
if command -v gfortran >/dev/null; then
	try "Fortran" fortran
else
	report_skip "Fortran" "no gfortran"
fi
