#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder filter: recorder2text shows of the new trace what it shows of the old one by the same filter, for any number of processes; directories and
# packed traces appear whole or not at all.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3

# TRACE [OPTION...]
same()
{
	trace=$1
	shift
	rm -rf less
	recorder filter -q "$@" -o less "$trace" || fail "$trace $*"
	recorder2text -q --show callsite,mpi,phase,stack "$@" "$trace" >want || fail "recorder2text $trace $*"
	recorder2text -q --show callsite,mpi,phase,stack less >got || fail "recorder2text less, $trace $*"
	cmp want got || fail "$trace $*: other records"
	python3 "$TOP_SRCDIR/test/decode.py" less >/dev/null || fail "$trace $*: the second reader"
	recorder check -q less >checked || fail "$trace $*: $(cat checked)"
}

# what info says of the whole trace, but for sizes
facts()
{
	recorder info -q --json "$1" | grep -v '^ *"\(dir\|bytes\|format\)"' | sed '/"streams"/,$d;/"filtered"/,/}/d'
}

python3 "$TOP_SRCDIR/test/cli/sample.py" sample && python3 "$TOP_SRCDIR/test/sql/made.py" made || fail "no traces"
heat=$TOP_SRCDIR/test/sql/heat.rtrace
for trace in sample made "$heat" "$TOP_SRCDIR/test/data/traces/1.0/p2p"; do
	same "$trace"
	facts "$trace" >want
	facts less >got
	diff want got || fail "$trace: info says something else"
done
same sample --ranks 0 --levels 0
same made --ranks 1,2 --functions 'pwrite,MPI_*'
recorder info -q --json less | grep -q '"conditions": "--ranks 1,2 --functions '"'pwrite,MPI_\*'\"" || fail "not said how: $(recorder info less)"
expect_eq 2 "$(recorder info -q --json less | sed -n 's/.*"ranks": \([0-9]*\),.*/\1/p;/"ranks"/q')" "ranks"
recorder check less | grep -q 'left no stream' && fail "ranks that were not asked for are missed"
same "$heat" --layers mpiio
same "$heat" --files '*.out' --time 1ms..100ms
same "$heat" --functions none
same "$heat" --ranks 3 --min-duration 10us
whole=$(wc -c <"$heat")
[ "$(cat less/* | wc -c)" -lt "$whole" ] || fail "it is not smaller"
recorder filter -q --layers posix --ranks 1-3 -o first "$heat" && recorder filter -q --functions 'p*' -o second first || fail "twice"
recorder2text -q --layers posix --ranks 1-3 --functions 'p*' "$heat" >want
recorder2text -q second | cmp want - || fail "twice: other records"
recorder info -q second | grep -q -- "--ranks 1-3 --layers posix | --functions 'p\*'" || fail "twice: not said how"
# other answers are the same, too
recorder summary -q --json --layers posix --ranks 1-3 "$heat" >want && recorder summary -q --json first >got || fail summary
python3 - <<'END' || fail "summary says something else"
import json, sys
want, got = (json.load(open(name)) for name in ("want", "got"))
sys.exit([key for key in ("layers", "functions", "files", "communicators", "messages", "errors") if want[key] != got[key]] or 0)
END
# layers are in one order, whichever function of them comes first in a trace
recorder filter -q --layers mpi,posix -o later "$heat" || fail "calls of files before MPI_Init() ends"
for trace in "$heat" later; do
	recorder summary -q --json "$trace" | python3 -c 'import json, sys
print(*(layer["layer"] for layer in json.load(sys.stdin)["layers"] if layer["layer"] in ("mpi", "posix")))' || fail "summary of $trace"
done | uniq >orders
expect_eq "mpi posix" "$(cat orders)" "orders of layers"
# what cannot be known by the filter cannot be known of its trace
recorder filter -q --functions 'write,read,open*,MPI_*' -o unmoved "$heat" || fail "no calls that seek"
recorder filter -q --ranks 0-3 -o twice unmoved || fail "twice"
for answer in verify match; do
	recorder $answer -q "$heat" | grep -q 'not known: conditions' && fail "$answer: nothing is left out"
	for trace in unmoved twice; do
		recorder $answer -q $trace | grep -q "not known: conditions" || fail "$answer: calls are left out, $(recorder $answer -q $trace)"
	done
done
offsets="SELECT count(offset) AS n FROM records WHERE function IN ('read', 'write')"
expect_eq '"n"
0' "$(recorder sql -q --csv unmoved "$offsets")" "offsets of a trace without lseek"

case ${SANITIZERS:-} in
*thread*) ;;
*)
	cat >threads.py <<'END'
import os, threading

def work(number):
    fd = os.open("data%d" % number, os.O_RDWR | os.O_CREAT)
    for i in range(3000):
        os.pwrite(fd, b"x" * (1 + i % 7), i)
        os.pread(fd, 1, i * (number + 5))
    os.close(fd)

threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
END
	for timing in full summary; do
		RECORDER_TIMING=$timing recorder run -q -o $timing.trace /usr/bin/python3 threads.py || fail "cannot record"
		same $timing.trace
		expect_eq "$(facts $timing.trace | grep summed)" "$(facts less | grep summed)" "times that are made up"
		same $timing.trace --files '*data1' --functions pread
		[ "$(wc -l <got)" -eq 3000 ] || fail "reads of a file: $(wc -l <got)"
		same $timing.trace --min-duration 2us
	done
	# calls in flight, of a process that was killed and whose rings lie in memory
	cat >killed.py <<'END'
import os, signal
fd = os.open("data", os.O_RDWR | os.O_CREAT)
for i in range(100):
    os.pwrite(fd, b"x", i)
os.kill(os.getpid(), signal.SIGKILL)
END
	memory_dir
	RECORDER_LIVE_DIR=$memory RECORDER_TRACES_DIR=$PWD/killed.trace preload /usr/bin/python3 killed.py 2>said && fail "it was not killed"
	[ -n "$(find "$memory" -name '*.defs')" ] || fail "no rings: $(cat said)"
	same killed.trace
	grep -c pwrite got | grep -qx 100 || fail "a killed process: $(cat got)"
	same killed.trace --functions kill
	;;
esac

# any number of processes
for jobs in 1 2 3; do
	recorder filter -q -j $jobs --layers posix -o jobs.$jobs "$heat" || fail "-j $jobs"
	diff -r jobs.1 jobs.$jobs || fail "-j $jobs: other files"
done

# one file, as packing makes it of the directory
for conditions in "--layers posix" "--ranks 1-3 --functions MPI_*" "--functions none"; do
	rm -rf less less.rtrace packed.rtrace
	recorder filter -q $conditions -o less "$heat" && recorder pack -q -o packed.rtrace less || fail "$conditions: not packed"
	for jobs in 1 2 3; do
		recorder filter -q --force -j $jobs $conditions -o less.rtrace "$heat" || fail "$conditions: no packed trace"
		cmp packed.rtrace less.rtrace || fail "$conditions, -j $jobs: another packed trace"
	done
	recorder2text -q $conditions "$heat" >want && recorder2text -q less.rtrace | cmp want - || fail "$conditions: other records"
done
cp less.rtrace before.rtrace
recorder filter -q -o less.rtrace "$heat" 2>said && fail "a packed trace was replaced"
grep -q -- "--force" said || fail "a packed trace that is there: $(cat said)"
cmp before.rtrace less.rtrace || fail "a packed trace was changed"
recorder filter -q --force -o less.rtrace less.rtrace 2>said && fail "a packed trace was filtered onto itself"
grep -q "the trace itself" said || fail "onto itself: $(cat said)"
mkdir folder.rtrace
recorder filter -q --force -o folder.rtrace "$heat" 2>said && fail "a folder was replaced by a file"
rmdir folder.rtrace || fail "something is in it"
(ulimit -f 4 && trap '' XFSZ && exec recorder filter -q -o jammed.rtrace "$heat") 2>/dev/null && fail "a full disk is no error"

# whole or not at all
recorder filter -q -o jobs.1 "$heat" 2>said && fail "a trace was replaced"
grep -q -- "--force" said || fail "a trace that is there: $(cat said)"
recorder filter -q --force -o jobs.1 --ranks 0 "$heat" || fail "--force"
recorder2text -q --ranks 0 "$heat" >want && recorder2text -q jobs.1 | cmp want - || fail "--force: other records"
mkdir other && : >other/thesis.txt
recorder filter -q --force -o other "$heat" 2>said && fail "a folder that is no trace was replaced"
[ -f other/thesis.txt ] || fail "a file was removed"
recorder filter -q --force -o made made 2>said && fail "onto itself"
[ -f made/recorder.gm ] || fail "the trace itself was removed"
(ulimit -f 4 && trap '' XFSZ && exec recorder filter -q -o jammed "$heat") 2>/dev/null && fail "a full disk is no error"
for name in stopped stopped.rtrace; do
	recorder filter -q -o $name "$heat" &
	pid=$!
	kill -TERM $pid
	wait $pid
	[ ! -e $name ] || recorder check -q $name >/dev/null || fail "$name: half a trace"
	rm -rf $name
done
# the first of two ranks, as it gives the new trace its name
case ${SANITIZERS:-} in
'')
	command -v strace >/dev/null && for name in stopped stopped.rtrace; do
		OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 recorder filter -q -o $name "$heat" &
		pid=$!
		OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 strace -f -qq -o /dev/null -e inject=rename,renameat,renameat2:error=EIO:signal=TERM \
			"$TOP_BUILDDIR/tools/recorder" filter -q -o $name "$heat"
		expect_eq 143 $? "status of the first rank, which was interrupted"
		kill -TERM $pid
		wait $pid
	done
	;;
esac
expect_eq "" "$(find . -maxdepth 1 -name 'jammed*' -o -maxdepth 1 -name 'stopped*' -o -maxdepth 1 -name 'jobs.1.*' -o -maxdepth 1 -name '*.rtrace.*')" "left behind"
recorder filter -q -o no "$heat" --ranks x 2>said
expect_eq 2 $? "status of a wrong filter"
[ ! -e no ] || fail "a wrong filter made a trace"
exit 0
