#!/bin/sh
# SPDX-License-Identifier: MIT
# Job scripts written for Recorder of UIUC: its variables do what they do there, without a word on stderr.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

# record NAME VARIABLE=VALUE...: cat of two files, whose own lines are what is in NAME.lines; notes in NAME.notes
mkdir here there
echo one >here/file
echo two >there/file
record()
{
	name=$1
	shift
	env "$@" LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR="$name" /bin/cat here/file there/file >/dev/null 2>"$name.notes" ||
		fail "$name: cat"
	: >"$name.lines"
	[ ! -d "$name" ] || recorder2text -q "$name" >"$name.lines" || fail "$name: no trace"
}
quiet()
{
	[ ! -s "$1.notes" ] || fail "$1: $(cat "$1.notes")"
}
files_of()
{
	grep -o '[a-z]*/file"' "$1.lines" | sort -u | tr -d '\n'
}

record plain RECORDER_TRACES_MODE=600
quiet plain
expect_eq 'here/file"there/file"' "$(files_of plain)" "files without a word"

# what has nothing to say
record nothing RECORDER_WITH_NON_MPI=1 RECORDER_STORE_TID=1 RECORDER_STORE_CALL_DEPTH=1 RECORDER_LOG_TID=1 RECORDER_LOG_LEVEL=1 \
	RECORDER_INTERPROCESS_COMPRESSION=1 RECORDER_INTERPROCESS_PATTERN_RECOGNITION=1 RECORDER_INTRAPROCESS_PATTERN_RECOGNITION=0 \
	RECORDER_TIME_COMPRESSION=1 RECORDER_INSTALL_PATH=/nowhere RECORDER_POSIX_TRACING=1 RECORDER_MPI_TRACING=1 RECORDER_MPIIO_TRACING=0 \
	RECORDER_BUFFER_SIZE=1
quiet nothing
expect_eq "$(wc -l <plain.lines)" "$(wc -l <nothing.lines)" "calls"

# layers
record without RECORDER_POSIX_TRACING=0
quiet without
expect_eq 0 "$(wc -l <without.lines)" "calls without posix and stdio"
record own RECORDER_POSIX_TRACING=0 RECORDER_LAYERS=posix
expect_eq 'here/file"there/file"' "$(files_of own)" "RECORDER_LAYERS comes before"

# files
printf '%s\n' "$PWD/here" /etc >list
record included RECORDER_INCLUSION_FILE="$PWD/list"
quiet included
expect_eq 'here/file"' "$(files_of included)" "included files"
record excluded RECORDER_EXCLUSION_FILE="$PWD/list"
quiet excluded
expect_eq 'there/file"' "$(files_of excluded)" "without excluded files"
record both RECORDER_EXCLUSION_FILE="$PWD/list" RECORDER_EXCLUDE="$PWD/there"
expect_eq 'here/file"' "$(files_of both)" "RECORDER_EXCLUDE comes before"

# names of DFTracer
record dftracer DFTRACER_ENABLE=1 DFTRACER_INIT=PRELOAD DFTRACER_INC_METADATA=1 DFTRACER_LOG_LEVEL=INFO DFTRACER_DATA_DIR=all DFTRACER_DISABLE_IO=0
quiet dftracer
expect_eq "$(wc -l <plain.lines)" "$(wc -l <dftracer.lines)" "calls with what says nothing new"
record directories DFTRACER_DATA_DIR="/nowhere:$PWD/there"
quiet directories
expect_eq 'there/file"' "$(files_of directories)" "files below DFTRACER_DATA_DIR"
record io DFTRACER_DISABLE_IO=1
expect_eq 0 "$(wc -l <io.lines)" "calls with DFTRACER_DISABLE_IO=1"
record stdio DFTRACER_DISABLE_STDIO=1
expect_eq 'here/file"there/file"' "$(files_of stdio)" "files with DFTRACER_DISABLE_STDIO=1"
! grep -q ' stdio ' stdio.lines || fail "stdio with DFTRACER_DISABLE_STDIO=1"
record off DFTRACER_ENABLE=0
quiet off
[ ! -e off ] || fail "a trace with DFTRACER_ENABLE=0"
record on DFTRACER_ENABLE=0 RECORDER_ENABLE=1
expect_eq 'here/file"there/file"' "$(files_of on)" "RECORDER_ENABLE comes before"

# A resolution in seconds: calls take multiples of it, but for what the counter's steps do not come out even, and for its rate, which is known to
# a hundredth after a few milliseconds of a busy machine.
whole_steps()
{
	awk '{ ns = ($4 - $3) * 1e9; off = ns % 1000; if (off > 500) off = 1000 - off }
		ns < 20000 && off > 4 + ns / 100 { bad++ }
		END { exit NR < 5 || bad > 0 }' "$1.lines"
}
for resolution in 1e-6 0.000001 1.0E-06; do
	rm -rf coarse
	record coarse RECORDER_TIME_RESOLUTION=$resolution
	quiet coarse
	whole_steps coarse || fail "RECORDER_TIME_RESOLUTION=$resolution: $(cat coarse.lines)"
done

# what makes no sense is still told
record nonsense RECORDER_MPI_TRACING=maybe RECORDER_MPI_TRACIN=1 RECORDER_TIME_RESOLUTION=1e-7x
grep -q 'cannot understand RECORDER_MPI_TRACING=maybe' nonsense.notes || fail "a word for a number"
grep -q 'unknown variable RECORDER_MPI_TRACIN ' nonsense.notes || fail "an unknown name"
grep -q 'cannot understand RECORDER_TIME_RESOLUTION=1e-7x' nonsense.notes || fail "an odd resolution"
expect_eq "$(wc -l <plain.lines)" "$(wc -l <nonsense.lines)" "calls, all the same"
