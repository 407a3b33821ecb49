#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 400
# once: what was found is found, and should not be overlooked because another run goes another way
# Runs the fuzz targets: all of them for 32 s together, or each for FUZZ_SECONDS. What was ever found
# is in test/data/fuzz and is tried first. FUZZ_TARGETS: only these. FUZZER: libfuzzer (the default),
# afl, or replay: no fuzzer, only the inputs there are.
#
# The corpus grows in the build directory, in test/fuzz/corpus; inputs that fail come into
# test/fuzz/found, and belong into test/data/fuzz when they are mended.
[ -d "${TMPDIR:=/dev/shm}" ] && export TMPDIR
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
fuzzer=${FUZZER:-libfuzzer}
source=$TOP_SRCDIR/test/fuzz
place=$TOP_BUILDDIR/test/fuzz
# clang is what the machine's compiler is not: the sanitizers of this build do not matter
unset ASAN_OPTIONS

# No input is larger than what a target takes a second for; memory and time are bounded for each.
max_bytes=16384
options="-max_len=$max_bytes -timeout=25 -rss_limit_mb=1024 -malloc_limit_mb=600"

case $fuzzer in
libfuzzer)
	need clang
	echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' >try.c
	clang -fsanitize=fuzzer,address,undefined -o try try.c >try.log 2>&1 ||
		skip "this clang has no libFuzzer: $(head -n 1 try.log)"
	;;
afl)
	need afl-fuzz afl++
	need afl-clang-fast afl++
	;;
esac

mkdir -p "$place/$fuzzer" "$place/found" || fail "cannot make $place/$fuzzer"
make -s -C "$place/$fuzzer" -f "$source/build.mk" SRC="$TOP_SRCDIR" BUILD="$TOP_BUILDDIR" HOW="$fuzzer" >make.log 2>&1 ||
	fail "the targets cannot be built: $(cat make.log)"
targets=${FUZZ_TARGETS:-dir gm lm node rec repair rtrace signatures textdeflate}
# shellcheck disable=SC2086 # the names have no blanks
set -- $targets
seconds=${FUZZ_SECONDS:-$((32 / $#))}
"${PYTHON:-python3}" "$source/seeds.py" "$PWD/seeds" || fail "no seeds"

# Every input there is, by name, once.
replay()
{
	"$place/$fuzzer/$1" "$test_dir/seeds/$1"/* >"$test_dir/$1.log" 2>&1
	for input in "$TOP_SRCDIR/test/data/fuzz/$1"/*; do
		[ -f "$input" ] || continue
		"$place/$fuzzer/$1" "$input" >>"$test_dir/$1.log" 2>&1 || return 1
	done
}

run_libfuzzer()
{
	# shellcheck disable=SC2086 # options are words
	"$place/libfuzzer/$1" $options -max_total_time="$seconds" -print_final_stats=1 \
		-artifact_prefix="$place/found/$1/" "$place/corpus/$1" "$test_dir/seeds/$1" \
		>>"$test_dir/$1.log" 2>&1
}

# AFL++ mutates without knowing the framing; what it is good at are the bytes of a body.
run_afl()
{
	AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
		afl-fuzz -V "$seconds" -m none -t 5000 -G "$max_bytes" -i "$test_dir/seeds/$1" \
		-o "$test_dir/$1.afl" -- "$place/afl/$1" >>"$test_dir/$1.log" 2>&1 || return
	find "$test_dir/$1.afl" -path '*/crashes/id*' -exec cp {} "$place/found/$1/" \;
}

failed=
for target; do
	mkdir -p "$place/found/$target" "$place/corpus/$target" "work/$target"
	rm -f "$place/found/$target"/*
	cd "work/$target" || fail "no folder for $target"
	replay "$target" || failed="$failed $target"
	[ "$fuzzer" = replay ] || "run_$fuzzer" "$target" || failed="$failed $target"
	cd "$test_dir" || exit 99
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p;s/^execs_done *: *//p' "$target.log" \
		"$target.afl"/default/fuzzer_stats 2>/dev/null | tail -n 1)
	found=$(find "$place/found/$target" -type f | wc -l)
	echo "$target: ${runs:+$runs runs in $seconds s, }$found found"
	[ "$found" -eq 0 ] || failed="$failed $target"
done
for target in $(echo "$failed" | tr ' ' '\n' | sort -u); do
	echo "---- $target"
	tail -n 40 "$target.log"
done
[ -z "$failed" ] || fail "inputs that do harm are in $place/found"
