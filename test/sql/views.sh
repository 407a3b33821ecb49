#!/bin/sh
# SPDX-License-Identifier: MIT
# The views of recorder2sqlite, on a trace and on programs of which all answers are known, and files as recorder summary tells of them.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3
[ -x "$TOP_BUILDDIR/tools/recorder2sqlite" ] || skip "built without SQLite"

# WANT QUERY: what $base answers, rows and columns separated by blanks and commas
check()
{
	got=$(python3 -c 'import sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute(sys.argv[2])
print(" ".join(",".join("-" if value is None else str(value) for value in row) for row in rows))' "$base" "$2") || fail "$2"
	expect_eq "$1" "$got" "$2"
}

python3 "$TOP_SRCDIR/test/sql/made.py" made || fail "no trace"
recorder2sqlite -q made || fail "made"
base=made.sqlite
check "mpi,12,0.048,0.048,42.86 mpiio,4,0.04,0.034,30.36 posix,25,0.03,0.03,26.79" "SELECT * FROM layer_time"
check "pwrite,13,0.018,0.018,1384.615,6000.0,16000,0" "SELECT function, calls, time_s, self_s, mean_us, most_us, bytes, failed FROM function_time WHERE function = 'pwrite'"
check "0,0.03,0.018,0.012,10,7000,12.5,0.0 1,0.028,0.016,0.012,10,3000,0.0,0.0 2,0.027,0.015,0.012,0,3000,-6.25,0.0 3,0.027,0.015,0.012,0,3000,-6.25,0.0" \
	"SELECT rank, self_s, io_s, mpi_s, bytes_read, bytes_written, io_percent_off, mpi_percent_off FROM rank_time"
check "0,0.018 1,0.016 2,0.015 3,0.015" "SELECT rank, io_s FROM io_time ORDER BY rank"
check "0,ext4,2,20,13,16000" "SELECT second, fs, reads, bytes_read, writes, bytes_written FROM bandwidth"
check "mpiio,write,1K-10K,4,4000 posix,read,0-100,2,20 posix,write,1K-10K,13,16000" "SELECT * FROM access_sizes"
check "/data/pair,data,2,2,100.0,2,2" "SELECT * FROM small_reads"
check "/data/own.3,3,3,2" "SELECT path, calls, with_offset, unaligned FROM small_accesses WHERE path = '/data/own.3'"
check "3,3,2,2,0,0" "SELECT rank, calls, compared, consecutive, forward, backward FROM access_order WHERE path = '/data/own.3'"
check "/data/shared,4,4,all ranks,0,1,0,4000,0.006 /data/own.1,1,1,one rank,1,3,0,3000,0.004 /data/pair,2,2,some ranks,0,0,20,0,0.002 /none,4,0,-,0,0,0,0,0.006" \
	"SELECT path, ranks, moving_ranks, shared_by, opens, writes, bytes_read, bytes_written, time_s FROM file_use
	 WHERE path NOT LIKE '%own%' OR path LIKE '%1' ORDER BY bytes_written DESC, bytes_read DESC"
check "N-1,1,0,4000 N-M,1,20,0 N-N,4,0,12000" "SELECT pattern, files, bytes_read, bytes_written FROM sharing ORDER BY pattern"
check "mpiio,MPI_File_write_at_all,posix,pwrite,1,1,4000,0.006" "SELECT * FROM layer_translation"
check "MPI_File_write_at_all,/data/shared,4,1,4,4000,1,4000,1.0" "SELECT * FROM collective_buffering"
check "0,open,4,3,2,0.004" "SELECT rank, function, calls, failed, files, self_s FROM metadata_calls WHERE rank = 0"
check "/,6,6,1,4,0.006 /data/,4,0,4,4,0.004" "SELECT * FROM metadata_folders"
check "open,ENOENT,6,4,0.006,1,/none" "SELECT function, errno, calls, ranks, time_s, files, example FROM errors"
check "0.032,0.006,4000,1,1,1,0.667,- 0.1,0.004,4000,4,4,4,1.0,0.068 0.2,0.004,4000,4,4,4,1.0,0.1 0.3,0.004,4000,4,4,4,1.0,0.1" \
	"SELECT begin_s, lasted_s, bytes, writes, ranks, files, mb_per_s, period_s FROM bursts"
check "0,1,80 1,2,80 2,3,80 3,0,80" "SELECT source, dest, bytes FROM comm_matrix"
check "0,1,5,1,-0.001 1,2,5,1,-0.001 2,3,5,1,-0.001 3,0,5,1,-0.001" "SELECT source, dest, tag, number, late_s FROM message_pairs"
check "" "SELECT * FROM conflicts"
check "3,0,5 0,1,5 1,2,5 2,3,5" "SELECT peer, rank, tag FROM records WHERE function = 'MPI_Recv'"
check "MPI_COMM_WORLD,MPI_Barrier,4,0.034 MPI_COMM_WORLD,MPI_Recv,4,0.01 MPI_COMM_WORLD,MPI_Send,4,0.004" "SELECT name, function, calls, time_s FROM comm_time"
check "MPI_Barrier,4,0.003,3,0.006,0.007" "SELECT function, ranks, spread_s, last_rank, waited_s, rest_s FROM collective_calls"
check "MPI_Barrier,1,4,0.034,0.006,0.003" "SELECT function, times, ranks, time_s, waited_s, most_spread_s FROM collectives"
check "3,1,0.0 2,0,0.001 1,0,0.002 0,0,0.003" "SELECT rank, came_last, waited_s FROM stragglers"
check "" "SELECT * FROM missing"
check "0,0.311 1,0.311 2,0.303 3,0.304" "SELECT rank, lasted_s FROM processes ORDER BY rank"

export PYTHONPATH="$TOP_SRCDIR/test/analysis" # made-up jobs
# jobs that follow each other: a file is shared by ranks of one
python3 - <<'END' || fail "no jobs"
from job import Job

job = Job(5, files=5)
for rank in range(2, 5):
    job.worlds[rank] = ("later", rank - 2)
    job.compute(rank, 500_000)
for rank in range(5):
    job.pwrite(rank, 100, 1000, 4096 * rank)
    if rank != 1:
        job.pwrite(rank, 100, 1000, 4096 * rank, file=1)
    if rank >= 2:
        job.pwrite(rank, 100, 1000, 0, file=rank)
job.save("jobs")
END
recorder2sqlite -q jobs || fail "jobs"
base=jobs.sqlite
check "/data/0,3,3,all ranks /data/1,3,3,all ranks /data/2,1,1,one rank /data/3,1,1,one rank /data/4,1,1,one rank" \
	"SELECT path, ranks, moving_ranks, shared_by FROM file_use ORDER BY path"
check "N-1,2,9000 N-N,3,3000" "SELECT pattern, files, bytes_written FROM sharing ORDER BY pattern"
recorder summary -q --csv --table files jobs >files.csv || fail "files of jobs"
expect_eq "3 3 1 1 1" "$(sed 1d files.csv | sort | cut -d, -f3 | xargs)" "ranks of files of jobs"

# two ranks at the same bytes: one after the other, and at once
python3 - <<'END' || fail "no job"
from job import Job

job = Job(2)
job.pwrite(0, 100, 1000, 0)
job.now[1] = 500
job.pread(1, 100, 500, 700)
job.now = [1000, 1050]
job.pwrite(0, 100, 10, 5000)
job.pwrite(1, 100, 10, 5005)
job.pread(0, 100, 10, 9000)
job.pread(1, 100, 10, 9000)
job.save("job")
END
recorder2sqlite -q job || fail "job"
base=job.sqlite
check "/data/0,0,1,700,1000,write,read,0 /data/0,0,1,5005,5010,write,write,1" \
	"SELECT path, one, other, begin, end, first, second, together FROM conflicts"

recorder2sqlite -q -o part.sqlite --ranks 1 made || fail "part"
base=part.sqlite
check "filter,--ranks 1" "SELECT what, text FROM missing"
python3 "$TOP_SRCDIR/test/cli/sample.py" sample && recorder2sqlite -q sample || fail "sample"
base=sample.sqlite
check "lost,0,2,too_deep" "SELECT what, rank, records, text FROM missing WHERE what = 'lost'"

case ${SANITIZERS:-} in
*thread*) exit 0 ;;
esac

# TRACE: what recorder summary says of files
files_agree()
{
	recorder summary -q --json "$1" >summary.json || fail "summary"
	python3 - summary.json "$base" <<'END' || fail "files of $1"
import json, sqlite3, sys
with open(sys.argv[1]) as file:
    told = {row["path"]: row for row in json.load(file)["files"]}
base = sqlite3.connect(sys.argv[2])
base.row_factory = sqlite3.Row
rows = {row["path"]: row for row in base.execute("SELECT * FROM file_use")}
wrong = 0
for path, row in told.items():
    have = rows[path]
    for key in ("ranks", "opens", "reads", "writes", "bytes_read", "bytes_written", "class"):
        if key in row and row[key] != have[key]:
            print(path, key, row[key], have[key])
            wrong += 1
print(len(told), "files", len(rows))
sys.exit(wrong > 0 or not told)
END
}

RECORDER_TRACES_DIR=$PWD/known.trace preload "$TEST_BIN/analysis/known" 3 || fail "known: exit status $?"
recorder2sqlite -q known.trace || fail "known"
base=known.trace.sqlite
check "1,5,11,500,240960" "SELECT opens, reads, writes, bytes_read, bytes_written FROM file_use WHERE path LIKE '%/data'"
check "access,ENOENT,2,1 open,ENOENT,3,1" "SELECT function, errno, calls, files FROM errors WHERE example LIKE '%/none' ORDER BY 1"
check "5,5,5,4" "SELECT calls, small, with_offset, unaligned FROM small_reads WHERE path LIKE '%/data'"
check "write,11,10,10,0,0" "SELECT operation, calls, compared, consecutive, forward, backward FROM access_order WHERE path LIKE '%/data' AND operation = 'write'"
# descriptors and streams are followed
check "4,3,3,0,0" "SELECT calls, compared, consecutive, forward, backward FROM access_order WHERE path LIKE '%/of.1'"
check "300,300 600,300 900,100" "SELECT offset, bytes FROM transfers WHERE path LIKE '%/lines' AND operation = 'read' ORDER BY id"
# of a run of characters one lies at a multiple of 4,096
cat >chars.c <<'END'
#include <stdio.h>
int main(void)
{
	FILE *file = fopen("chars", "w");

	if (!file || fseek(file, 4000, SEEK_SET))
		return 1;
	for (int i = 0; i < 200; i++)
		fputc('x', file);
	return fclose(file);
}
END
cc -O1 -o chars.exe chars.c || fail "cc"
for fold in 1 0; do
	RECORDER_FOLD=$fold RECORDER_TRACES_DIR=$PWD/chars.$fold preload ./chars.exe || fail "chars: exit status $?"
	recorder2sqlite -q -o chars.$fold.sqlite chars.$fold || fail "chars.$fold"
	base=chars.$fold.sqlite
	check "200,200,199" "SELECT calls, with_offset, unaligned FROM small_accesses WHERE path LIKE '%/chars' AND operation = 'write'"
done
base=known.trace.sqlite
check "2" "SELECT count(*) FROM processes"
check "1" "SELECT count(*) FROM processes c JOIN processes p ON c.parent = p.stream"
# a forked process begins when it is forked, not with its program
check "1,1" "SELECT c.start >= f.tstart, c.start <= min(r.tstart) FROM streams c JOIN records f ON f.stream = c.parent AND f.function = 'fork' AND f.ret = c.pid JOIN records r ON r.stream = c.id"
check "3" "SELECT count(DISTINCT thread) FROM calls WHERE path LIKE '%/of.%' AND operation = 'write'"
files_agree known.trace

[ -x "$TEST_BIN/analysis/known_mpi" ] || exit 0
need_mpiexec
recorder run -q -o mpi.trace -- "$MPIEXEC" -n 4 "$TEST_BIN/analysis/known_mpi" || fail "known_mpi: exit status $?"
recorder2sqlite -q mpi.trace || fail "known_mpi"
base=mpi.trace.sqlite
check "0,1,5,5000 1,2,5,5000 2,3,5,5000 3,0,5,5000" "SELECT source, dest, messages, bytes FROM comm_matrix ORDER BY 1"
check "N-1,1,8000,1200000" "SELECT s.pattern, 1, f.bytes_read, f.bytes_written FROM sharing s JOIN file_use f USING (shared_by) WHERE f.path LIKE '%/shared'"
check "4,4,1200000,1200000" "SELECT ranks, calls, bytes, posix_bytes FROM collective_buffering WHERE function = 'MPI_File_write_at_all'"
check "4,8,8000" "SELECT ranks, calls, bytes FROM collective_buffering WHERE function = 'MPI_File_read_at'"
check "MPI_Barrier,2,4 MPI_Bcast,1,4" "SELECT function, times, ranks FROM collectives WHERE name = 'MPI_COMM_WORLD' ORDER BY 1"
check "3 3 3 3" "SELECT collectives FROM stragglers"
check "20,20000" "SELECT sum(calls), sum(received) FROM records WHERE function = 'MPI_Wait' AND operation = 'completion'"
files_agree mpi.trace
