#!/bin/sh
# SPDX-License-Identifier: MIT
# Polls that find nothing are one record, with as many calls as the program counts; those that find something are records of their own.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpi

polls=$TEST_BIN/mpi/polls
RECORDER_TRACES_DIR=$test_dir/trace
export RECORDER_TRACES_DIR

# "TID FUNCTION nothing something" and, with "records", "TID FUNCTION records of nothing" of the trace
counted()
{
	recorder2text -q --functions 'MPI_Test*,MPI_I*probe,MPI_Request_get_status' "$@" trace |
		awk -v records="${records:-0}" '{
			name = $7
			sub(/\(.*/, "", name)
			key = $2 " " name
			calls = match($0, / repeat=[0-9]+/) ? substr($0, RSTART + 8, RLENGTH - 8) : 1
			if (/ flag=0| outcount=0/)
				nothing[key] += records ? 1 : calls
			else if (calls == 1)
				found[key]++
			else
				print "found, and repeated: " $0
			keys[key] = 1
		}
		END { for (key in keys) print key, nothing[key] + 0, found[key] + 0 }' | sort
}

# each way to poll, and what was found with its status
count()
{
	rm -rf trace
	run_mpi 2 -x LD_PRELOAD="$RECORDER_SO" "$polls" count | sort >want || return 1
	counted --ranks 0 >got
	diff want got && [ "$(wc -l <want)" -eq 7 ] || return 1
	expect_eq 7 "$(recorder2text -q --functions 'MPI_Test*,MPI_I*probe,MPI_Request_get_status' trace |
		grep -c 'source=1, tag=5, bytes=4}\]*.* = MPI_SUCCESS$')" "statuses"
	# a poll that sends in between ends a run
	records=1 counted --ranks 0 | awk '$3 > 200 { exit 1 }' || return 1
	recorder check -q trace && python3 "$TOP_SRCDIR/test/format/readers_agree.py" trace
}

# unfolded: a record for each call
count_unfolded()
{
	rm -rf trace
	run_mpi 2 -x LD_PRELOAD="$RECORDER_SO" -x RECORDER_FOLD=0 "$polls" count | sort >want || return 1
	records=1 counted --ranks 0 >got
	diff want got
}

# polls for one thing and for another, from the same place: each is told from the other
turns()
{
	rm -rf trace
	run_mpi 1 -x LD_PRELOAD="$RECORDER_SO" "$polls" turns | sort >want || return 1
	recorder2text -q --functions 'MPI_Test*,MPI_Iprobe' trace | awk '{
		name = $7
		sub(/\(.*/, "", name)
		match($0, /(request|tag|count)=[0-9]+,/)
		what = substr($0, RSTART, RLENGTH)
		calls[name " " what] += match($0, / repeat=[0-9]+/) ? substr($0, RSTART + 8, RLENGTH - 8) : 1
	}
	END { for (key in calls) print key, calls[key] }' | sort >got
	diff want got && expect_eq 6 "$(wc -l <got)" "kinds"
}

# a rank that is left out polls as ever
left_out()
{
	rm -rf trace
	run_mpi 2 -x LD_PRELOAD="$RECORDER_SO" -x RECORDER_RANKS=1 "$polls" count >want || return 1
	expect_eq 7 "$(awk '$4 == 1' want | wc -l)" "ways to poll that found something"
	expect_eq 0 "$(recorder2text -q --functions 'MPI_Test*,MPI_Iprobe,MPI_Irecv' trace | wc -l)" "its calls in the trace"
	recorder2text -q --ranks 1 --functions MPI_Send trace | grep -q ' = MPI_SUCCESS$'
}

threads()
{
	rm -rf trace
	run_mpi 1 -x LD_PRELOAD="$RECORDER_SO" "$polls" threads | sort >want
	[ -s want ] || return 77
	counted >got
	diff want got
}

# killed in the middle: not one call is lost, before and after a repair
killed()
{
	for seconds in 0.9 1.3 1.6 6; do
		[ $seconds != 6 ] || [ "$tries" -eq 0 ] || break # it began late, each time
		rm -rf trace progress
		timeout -s KILL $seconds env LD_PRELOAD="$RECORDER_SO" RECORDER_LIVE_DIR="$memory" \
			"$polls" forever progress 2>/dev/null
		[ -s progress ] || continue # killed before it began
		done=$(od -An -tu8 -j8 -N8 progress | tr -d ' ')
		for again in 0 1; do
			calls=$(counted | awk '{ n += $3 } END { print n + 0 }')
			[ "$calls" -eq "$done" ] || [ "$calls" -eq $((done + 1)) ] || {
				echo "killed after $done polls: $calls in the trace, $again repairs"
				return 1
			}
			recorder repair -q trace || return 1
		done
		tries=$((tries + 1))
	done
	[ "$tries" -gt 0 ]
}

fortran()
{
	rm -rf trace
	run_mpi 1 -x LD_PRELOAD="$RECORDER_SO" "$polls"_fortran | sort >want || return 1
	counted | cut -d' ' -f2- >got
	diff want got && expect_eq 3 "$(wc -l <got)" "functions"
}

try()
{
	("$1") >said 2>&1
	status=$?
	[ $status -ne 77 ] || { report_skip "$2" && return; }
	report $status "$2" said want got
}

tries=0
memory_dir
echo 1..7
try count "polls of each kind, until something is there"
try count_unfolded "RECORDER_FOLD=0: a record for each call"
try turns "polls for two things in turns"
try left_out "a rank that is left out"
try threads "threads that poll at once"
try killed "killed in the middle"
if [ -x "${polls}_fortran" ]; then
	try fortran "polls of Fortran"
else
	report_skip "polls of Fortran"
fi
