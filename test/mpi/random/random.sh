#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 900
# Random MPI programs write down what they do, and the trace must say the same, record by record.
# RANDOM_SEEDS: how many, from RANDOM_FIRST on. What is printed for a seed that fails brings it back alone.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpi

first=${RANDOM_FIRST:-1}
last=$((first + ${RANDOM_SEEDS:-25} - 1))
together=${RANDOM_TOGETHER:-9}
python=${PYTHON:-python3}
folder=$TOP_SRCDIR/test/mpi/random

# The outputs say the same as libreader.
shown()
{
	recorder2text --show mpi trace >text && recorder2pfw -q -o trace.pfw trace &&
		recorder2pfw -q --format chrome -o trace.json trace && recorder2pfw -q --format chrome --split 900G -o by.json trace &&
		"$python" "$folder/check_shown.py" told text trace.pfw trace.json by-0000.json && rm by-0000.json &&
		"$python" "$TOP_SRCDIR/test/cli/check_chrome.py" trace.json && drawn
}

# All messages that were received are drawn.
drawn()
{
	recorder summary -q --json trace | "$python" -c '
import json, sys
received = json.load(sys.stdin)["mpi_waits"]["messages"]
found = json.load(open("trace.json", encoding="utf-8"))["otherData"]["messages"]
sys.exit(None if found == received else f"{found} messages are drawn, not {received}")'
}

# What the trace says with one fault in it is refused, and the fault is named.
faults()
{
	for fault in 'source:status' 'completion:request' 'bytes:received'; do
		"$python" "$folder/plant.py" "${fault%:*}" <run/told >planted || return 1
		if (cd run && "$python" "$folder/check_random.py" . <../planted >../found); then
			echo "fault '${fault%:*}' was not found"
			return 1
		fi
		grep -q "^${fault#*:}" found || {
			cat found
			return 1
		}
	done
}

# run RANKS SEED...
run()
{
	ranks=$1
	shift
	rm -rf run && mkdir run && cd run || return 1
	run_mpi "$ranks" -x LD_PRELOAD="$RECORDER_SO" -x RECORDER_LAYERS=mpi,mpiio \
		-x RECORDER_TRACES_DIR="$test_dir/run/trace" "$TEST_BIN/mpi/random/random" "$@" >out 2>&1 &&
		"$TEST_BIN/mpi/random/tell" trace >told 2>>out &&
		"$python" "$folder/check_random.py" . <told >>out 2>&1 &&
		"$python" "$TOP_SRCDIR/test/mpi/check.py" comms trace >>out 2>&1 && shown >>out 2>&1
	status=$?
	cd ..
	return $status
}

seed=$first
batch=0
while [ "$seed" -le "$last" ]; do
	end=$((seed + together - 1))
	[ "$end" -le "$last" ] || end=$last
	# 8, 5, 2, 6, 3, 7, 4, 8 ... ranks
	ranks=${RANDOM_RANKS:-$((2 + (6 + 4 * batch) % 7))}
	# shellcheck disable=SC2046 # a list
	run "$ranks" $(seq "$seed" "$end") || {
		cat run/out
		failed=$(sed -n 's/^seed \([0-9]*\), .*/\1/p' run/out | head -n 1)
		echo "again: RANDOM_RANKS=$ranks RANDOM_FIRST=${failed:-$seed} RANDOM_SEEDS=1" \
			"make check TESTS=test/mpi/random/random.sh"
		fail "$ranks ranks, seeds $seed to $end"
	}
	tail -n 3 run/out | head -n 2 | tr '\n' ' '
	echo "communicators; $ranks ranks, seeds $seed to $end"
	[ "$batch" -gt 0 ] || faults || fail "planted faults"
	seed=$((end + 1))
	batch=$((batch + 1))
done
