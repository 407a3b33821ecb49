#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Other preloads in front of the recorder and behind it: programs do the same as with those alone, and are recorded.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
[ -z "${SANITIZERS:-}" ] || skip "two allocators do not go together"

bin=$TEST_BIN/hostile
modules=$TEST_BIN/hostile/.libs
RECORDER_LIVE_DIR=$test_dir
ALLOCATOR_FILE=../written
export RECORDER_LIVE_DIR ALLOCATOR_FILE

# run FOLDER PRELOADS CMD...: waits for itself when something is wrong
run()
{
	folder=$1
	mkdir "$folder" || return 1
	libraries=$2
	shift 2
	(
		mkdir "$folder/work" && cd "$folder/work" || exit 99
		timeout -k 1 60 env LD_PRELOAD="$libraries" "$@" >../out 2>../err </dev/null
		echo "status $?" >>../out
	)
}

# same LIBRARY front|behind CMD...
same()
{
	library=$1
	preloads="$library $RECORDER_SO"
	[ "$2" = front ] || preloads="$RECORDER_SO $library"
	shift 2
	rm -rf bare traced trace
	run bare "$library" "$@" || return 1
	RECORDER_TRACES_DIR=$test_dir/trace run traced "$preloads" "$@" || return 1
	diff bare/out traced/out && diff bare/err traced/err &&
		recorder check -q trace && [ -z "$(find . -name 'recorder-*')" ]
}

bytes()
{
	wc -c <"$1"
}

# Any number of handlers of exit(): the one that would need memory is among them.
allocator()
{
	for HANDLERS in 30 31 32; do
		export HANDLERS
		same "$modules/allocator.so" "$1" "$bin/allocating" || return 1
	done
	unset HANDLERS
	[ "$(recorder2text -q --functions pwrite trace | wc -l)" = "$(bytes traced/written)" ] || {
		echo "$(recorder2text -q --functions pwrite trace | wc -l) records of $(bytes traced/written) calls"
		return 1
	}
	[ "$(recorder info --json trace | "$PYTHON" -c 'import json, sys; print(len(json.load(sys.stdin)["streams"]))')" = 3 ]
}

jemalloc=$(ldconfig -p | sed -n 's/.*libjemalloc\.so\.2 .*x86-64.*=> //p' | head -n 1)

# jemalloc front|behind
with_jemalloc()
{
	same "$jemalloc" "$1" "$bin/allocating" &&
		same "$jemalloc" "$1" "$PYTHON" -c 'import threading; print(sum(len(str(i)) for i in range(10000)))' &&
		recorder2text -q --functions mmap trace | grep -q 'mmap'
}

# A library that wraps what we wrap, and makes calls of its own by it. front: it calls us, and all that it passes on is recorded; behind:
# we call it, and do not see what it calls inside itself.
counting()
{
	same "$modules/counting.so" "$1" "$bin/rights" memlock || return 1
	diff bare/work/counted traced/work/counted || return 1
	calls=$(sed -n 's/^calls //p' traced/err)
	records=$(recorder2text -q --functions pwrite trace | wc -l)
	counted=$(sed -n 's/^writes //p' traced/work/counted)
	echo "$calls calls, $counted counted, $records records"
	recorder2text -q --functions open trace | grep -q counting.log && [ "$counted" -gt "$calls" ] || return 1
	case $1 in
	front) [ "$records" = "$counted" ] ;;
	behind) [ "$records" = "$calls" ] ;;
	esac
}

# The same with characters, of which not each call need be passed on: it is, if somebody is behind who wants to see them.
characters()
{
	same "$modules/counting.so" "$1" "$bin/characters" || return 1
	diff bare/work/counted traced/work/counted && grep -q '^characters 20001$' traced/work/counted || return 1
	recorder2text -q --functions fgetc trace | awk '
		{ calls += match($0, / repeat=[0-9]+/) ? substr($0, RSTART + 8, RLENGTH - 8) : 1 }
		END { exit calls != 20001 || NR > 3 }'
}

# In which it is another day, and which makes traced calls while it tells it: nothing of the recorder asks it, while a call is recorded or else.
dated()
{
	same "$modules/dated.so" "$1" "$bin/rights" memlock || return 1
	[ ! -e traced/dated.log ] || { echo "asked by the recorder: $(sort traced/dated.log | uniq -c)" && return 1; }
	same "$modules/dated.so" "$1" "$PYTHON" -c 'import time; print(time.time() < 1.6e9, open("/etc/hosts").read())' || return 1
	sort bare/dated.log >asked && sort traced/dated.log | diff asked - && [ -s asked ] && [ "$(recorder info trace | sed -n 's/^started *//p' | cut -c 1-10)" = "$(date -u +%F)" ]
}

# A PMPI tool in front calls PMPI_Send and the like, past us. Behind us is where test/mpi/mpi.t has it.
pmpi()
{
	rm -rf trace bare traced
	mkdir bare traced
	for run in bare traced; do
		(
			cd $run || exit 1
			libraries=$TEST_BIN/mpi/.libs/witness.so
			[ $run = bare ] || libraries=$libraries:$RECORDER_SO
			WITNESS_DIR=. RECORDER_TRACES_DIR=$test_dir/trace RECORDER_QUIET=1 run_mpi 4 \
				-x LD_PRELOAD="$libraries" "$TEST_BIN/mpi/p2p" >out 2>err
			echo "status $?" >>out
			cat ./[0-9]* | sort >counts
		) || return 1
	done
	grep -q 'MPI_Isend' bare/counts || return 1
	diff bare/out traced/out && diff bare/counts traced/counts && recorder check -q --strict trace
}

echo 1..11
for place in front behind; do
	allocator $place >why 2>&1
	report $? "an allocator that makes traced calls under its lock, $place" why
	if [ -n "$jemalloc" ]; then
		with_jemalloc $place >why 2>&1
		report $? "jemalloc, $place" why
	else
		report_skip "no jemalloc (package libjemalloc2)"
	fi
	counting $place >why 2>&1
	report $? "a library that wraps open and pwrite, $place" why
	characters $place >why 2>&1
	report $? "a library that wraps fgetc, $place" why
	dated $place >why 2>&1
	report $? "a library that tells another date, $place" why
done
if [ -x "$TEST_BIN/mpi/p2p" ]; then
	pmpi >why 2>&1
	report $? "a PMPI tool, front" why
else
	report_skip "built without MPI"
fi
