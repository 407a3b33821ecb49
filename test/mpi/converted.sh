#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# recorder2pfw gives the same bytes however many ranks of a launcher or processes of -j share the work, and the calls that several files of the Chrome form have, which
# are made in one walk. A full disk leaves no file. CONVERTED_CALLS: how many calls the long trace has, CONVERTED_RANKS: how many ranks, one after the other.
# CONVERTED_ROUNDS: of messages, more than are drawn.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpicc
need_openmpi
need python3
cli=$TOP_SRCDIR/test/cli

cat >halo.c <<'END'
#include <mpi.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Calls that others enclose, of a thread beside the one that communicates. */
static void *write_lines(void *data)
{
	FILE *file = fopen(data, "w");

	for (int i = 0; i < 1500; i++) {
		fprintf(file, "%d\n", i);
		if (i % 50 == 0)
			fflush(file);
	}
	fclose(file);
	return NULL;
}

int main(int argc, char **argv)
{
	double in[2][64], out[64] = {0};
	MPI_Request requests[4], persistent;
	char name[32];
	pthread_t thread;
	int rank, size, provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	snprintf(name, sizeof(name), "lines.%d", rank);
	pthread_create(&thread, NULL, write_lines, name);
	MPI_Send_init(out, 1, MPI_DOUBLE, rank, 3, MPI_COMM_WORLD, &persistent);
	for (int i = 0; i < atoi(argv[1]); i++) {
		int left = (rank + size - 1) % size, right = (rank + 1) % size;

		MPI_Irecv(in[0], 64, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
		MPI_Irecv(in[1], 64, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[1]);
		MPI_Isend(out, 64, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
		MPI_Isend(out, 64, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[3]);
		MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
		if (i % 100 == 0) {
			MPI_Start(&persistent);
			MPI_Recv(in[0], 1, MPI_DOUBLE, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Wait(&persistent, MPI_STATUS_IGNORE);
		}
	}
	pthread_join(thread, NULL);
	if (argc > 2)
		raise(SIGKILL);
	MPI_Finalize();
	return 0;
}
END
cat >long.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int file = open("long.out", O_RDWR | O_CREAT, 0600);

	for (int i = 0; i < atoi(argv[argc - 1]); i++)
		pwrite(file, "12345678", 8, i % 7 ? 8L * i : 3L * i * i);
	return 0;
}
END
"$MPICC" -O2 -pthread -o halo halo.c && "$MPICC" -O2 -o long long.c 2>/dev/null || fail "cannot compile"

quietly recorder run -q -o ranks -- "$MPIEXEC" -n 3 ./halo 4000 || fail "cannot record"
recorder run -q -o killed -- "$MPIEXEC" -n 2 ./halo 2000 killed >/dev/null 2>&1
quietly recorder run -q -o one -- ./long "${CONVERTED_CALLS:-120000}" || fail "cannot record"
quietly recorder pack -q -o packed.rtrace ranks || fail "cannot pack"
# pieces that are halved (tools/parcels.h), with requests that are open at every border
PYTHONPATH=$TOP_SRCDIR/test/analysis python3 - <<'END' || fail "no trace of large chunks"
from job import CHAR, WORLD, Job

job = Job(2, length=2_000_000)
job.chunk = 26000
for rank in range(2):
    for i in range(26000):
        if i % 2 == 0:
            job.call(rank, "MPI_Irecv", 1, 1, CHAR, 1 - rank, 0, WORLD, i + 1)
        else:
            job.call(rank, "MPI_Isend", 1, 1, CHAR, 1 - rank, 0, WORLD, i + 1)
        if i > 9 and i % 2:
            job.call(rank, "MPI_Waitall", 1, 2, [i - 9, i - 8], [1 - rank, 0, 1, 0, -2, -2, 0, 0])
job.save("large")
END

# TRACE RANKS [FILTER...]: the same by that many ranks ('': not tried), by processes, into a file and into a pipe, compressed and not
same() {
	trace=$1 ranks=${2:+${CONVERTED_RANKS:-$2}}
	shift 2
	for gzip in "" -z; do
		recorder2pfw -q --force -j 1 $gzip "$@" -o alone$gzip "$trace" || fail "$trace $*: one process"
		for jobs in 2 4; do
			recorder2pfw -q --force -j $jobs $gzip "$@" -o shared "$trace" || fail "$trace $*: -j $jobs"
			cmp alone$gzip shared || fail "$trace $*: -j $jobs $gzip gives something else"
		done
		recorder2pfw -q -j 3 $gzip "$@" -o - "$trace" >piped || fail "$trace $*: into a pipe"
		cmp alone$gzip piped || fail "$trace $*: $gzip into a pipe, something else"
		for n in $ranks; do
			run_mpi "$n" recorder2pfw -q --force $gzip "$@" -o shared "$trace" || fail "$trace $*: $n ranks"
			cmp alone$gzip shared || fail "$trace $*: $n ranks $gzip give something else"
		done
	done
	gzip -dc <alone-z | cmp alone - || fail "$trace $*: compressed, it is something else"
	expect_eq "" "$(find . -name '*shared.*')" "$trace $*: left over"
}

mkdir empty && cp ranks/recorder.gm empty || fail "no empty trace"
same ranks 3
same killed 2
same one 4
same packed.rtrace ''
same empty 2
same ranks 2 --ranks 1 --functions 'MPI_*,-MPI_Irecv'
same large 3
same large '' --format chrome
same ranks 3 --format chrome
same killed 2 --format chrome
same empty 2 --format chrome
same ranks 2 --format chrome --ranks 1,2 --functions 'MPI_*,-MPI_Irecv'
same one 2 --format chrome --functions nothing
same one '' --time 5ms..20ms --min-duration 1us
same one '' --functions nothing

# what the parts say is what a single walk says, whoever reads them
for trace in ranks killed one; do
	recorder2pfw -q --force -j 4 -o parts.pfw "$trace" && recorder2pfw -q --force --format chrome --split 900G -o walk.json "$trace" ||
		fail "$trace: cannot convert"
	python3 "$cli/same_events.py" parts.pfw walk-0000.json || fail "$trace: the forms differ"
	recorder2pfw -q --force --format chrome -j 4 -o parts.json "$trace" && python3 "$cli/check_chrome.py" parts.json || fail "$trace: Perfetto's rules"
	for file in parts.json walk-0000.json; do
		grep '"ph":' $file | sed -e 's/,$//' -e '/"name":"message"/s/"id":[0-9]*,//' | sort >$file.sorted
	done
	cmp parts.json.sorted walk-0000.json.sorted || fail "$trace: parts are not what the walk found"
done
python3 - parts.pfw <<'END' || fail "names are not given once"
import collections
import json
import sys

with open(sys.argv[1], encoding="ascii") as lines:
    names = collections.Counter(line for line in lines if '"ph":"M"' in line)
sys.exit(max(names.values()) != 1)
END

# which messages are left out does not depend on who looks at them, and they are counted
if [ -n "${CONVERTED_ROUNDS:-}" ]; then
	quietly recorder run -q -o rounds -- "$MPIEXEC" -n 3 ./halo "$CONVERTED_ROUNDS" || fail "cannot record"
	recorder2pfw -q -j 1 --format chrome -o rounds.json rounds || fail "too many messages: one process"
	run_mpi 3 recorder2pfw -q --format chrome -o rounds.3.json rounds && cmp rounds.json rounds.3.json || fail "too many messages: three ranks"
	python3 - rounds.json "$CONVERTED_ROUNDS" <<'END' || fail "messages that are left out are not counted"
import json
import sys

said, drawn = {}, 0
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        drawn += line.startswith('{"name":"message"') and '"ph":"s"' in line
        if line.startswith('"otherData"'):
            said = json.loads("{" + line[:-2] + "}")["otherData"]
rounds = int(sys.argv[2])
assert drawn == said["messages"] and said["messages_left_out"] > 0, said
assert drawn + said["messages_left_out"] == 3 * (2 * rounds + (rounds + 99) // 100), said
END
fi

# no half file
(ulimit -f 100 && trap '' XFSZ && exec recorder2pfw -q -j 2 -o big.out one) 2>/dev/null && fail "a full disk is no error"
recorder2pfw -q -j 2 -o - one 2>/dev/null >/dev/full && fail "a full pipe is no error"
run_mpi 3 sh -c 'ulimit -f 100; trap "" XFSZ; exec recorder2pfw -q -o big.out one' 2>errors && fail "ranks: a full disk is no error"
grep -q "big.out" errors || fail "nothing is said of a full disk: $(cat errors)"
run_mpi 2 recorder2pfw -q -o - one >/dev/null 2>errors && fail "ranks wrote into a pipe"
expect_eq "" "$(find . -name '*big.out*')" "left behind"
exit 0
