#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Files of a rank that was killed while several made one output are removed by the next job that makes it, and nothing else is.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpiexec
need_openmpi
heat=$TOP_SRCDIR/test/sql/heat.rtrace

cat >killed.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Rank 1 has made its log when it begins the thread that says that it is alive. */
int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *data)
{
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");

	if (rank && !strcmp(rank, "1"))
		raise(SIGKILL);
	return ((int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
		RTLD_NEXT, "pthread_create"))(thread, how, run, data);
}
END
${CC:-cc} -shared -fPIC -o killed.so killed.c -ldl || fail "cannot compile"
cat >one.sh <<'END'
LD_PRELOAD=$PWD/killed.so exec recorder2csv -q -o out.csv "$1"
END
run_mpi 2 sh one.sh "$heat" >/dev/null 2>&1 && fail "a killed rank is no failure"
# where nobody has time the launcher kills the first one, too, before it has removed its own
find . -name '*out.csv*' ! -name 'out.csv.?????????????.1.log' -delete
left=$(find . -name '*out.csv*')
case $left in
./out.csv.?????????????.1.log) ;;
*) fail "left by a rank that was killed: $left" ;;
esac

# it may be at work; so may another job, one of whose files is new
touch ./out.csv.0123456789abc.1.part
touch -d '2 hours ago' ./out.csv.0123456789abc.0.log
run_mpi 2 recorder2csv -q -o out.csv "$heat" || fail "recorder2csv"
[ -e "$left" ] && [ -e out.csv.0123456789abc.0.log ] && [ -e out.csv.0123456789abc.1.part ] || fail "what is new has been removed"

touch -d '2 hours ago' "$left" out.csv.0123456789abc.* .out.csv.0123456789abc.2.part.XYzt01
# of other outputs, and of people
for name in out.csv.old.log other.csv.0123456789abc.1.log out.csv.0123456789abc.1.log.gz .out.csv.XYzt01; do
	touch -d '2 hours ago' "$name"
done
run_mpi 2 recorder2csv -q --force -o out.csv "$heat" || fail "recorder2csv, again"
recorder2csv -q -o - "$heat" | cmp - out.csv || fail "it is not the same"
expect_eq ".out.csv.XYzt01 other.csv.0123456789abc.1.log out.csv out.csv.0123456789abc.1.log.gz out.csv.old.log " \
	"$(find . -name '*csv*' -printf '%P\n' | LC_ALL=C sort | tr '\n' ' ')" "what is there"

mkdir packed
touch -d '2 hours ago' packed/x.rtrace.0123456789abc.1.new packed/x.rtrace.0123456789abc.0.part
recorder unpack -q -o unpacked "$heat" || fail "recorder unpack"
run_mpi 2 recorder pack -q -o packed/x.rtrace unpacked || fail "recorder pack"
expect_eq "x.rtrace" "$(ls -A packed)" "left in the folder of a packed trace"
exit 0
