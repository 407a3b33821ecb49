#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder2collapsed: what calls lie in, and that nothing gets lost or comes twice, for any number of processes.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3

python3 "$TOP_SRCDIR/test/sql/made.py" made || fail "no trace"
heat=$TOP_SRCDIR/test/sql/heat.rtrace

# sums of the lines, and of all records
total()
{
	awk '{ sum += $NF } END { printf "%.0f\n", sum }' "$1"
}

recorder2csv -q --no-args -o all.csv "$heat" || fail "recorder2csv"
python3 - >want <<'END'
import csv
rows = list(csv.DictReader(open("all.csv")))
print(sum(round(float(row["self"]) * 1e9) for row in rows), sum(int(row["bytes"] or 0) for row in rows), sum(int(row["calls"]) for row in rows))
END
for weight in time bytes calls; do
	recorder2collapsed -q --weight $weight -o $weight.collapsed "$heat" || fail "$weight"
	for jobs in 1 2 3; do
		recorder2collapsed -q --weight $weight -j $jobs -o - "$heat" | cmp - $weight.collapsed || fail "$weight: -j $jobs"
	done
	LC_ALL=C sort -c $weight.collapsed || fail "$weight: order"
	for by in rank thread; do
		recorder2collapsed -q --force --weight $weight --by $by -o $by.collapsed "$heat" || fail "--by $by"
		expect_eq "$(total $weight.collapsed)" "$(total $by.collapsed)" "$weight by $by"
		expect_eq "rank 0 rank 1 rank 2 rank 3 " "$(sed 's/;.*//' $by.collapsed | sort -u | tr '\n' ' ')" "roots by $by"
	done
done
expect_eq "$(cat want)" "$(total time.collapsed) $(total bytes.collapsed) $(total calls.collapsed)" "sums"

# by construction (made.py): a pwrite of 6 ms in a collective write of 10 ms on rank 0, 10 ms on each other
recorder2collapsed -q -o - --files /data/shared --functions 'MPI_File_write_at_all,pwrite' made >got
expect_eq "MPI_File_write_at_all 34000000 MPI_File_write_at_all;pwrite 6000000 " "$(tr '\n' ' ' <got)" "a call in another"
recorder2collapsed -q -o - --ranks 0 --layers posix --files /data/shared --weight bytes made >got
expect_eq "pwrite 4000" "$(cat got)" "without what encloses it"

recorder2collapsed -q made && [ -s made.collapsed ] || fail "into the working directory"
recorder2collapsed -q made 2>said && fail "an existing file was replaced"
recorder2collapsed -q --ranks x -o no made 2>said
expect_eq 2 $? "status of a wrong filter"

case ${SANITIZERS:-} in
*thread*) exit 0 ;;
esac
# call stacks: the same lines as recorder stacks --collapse has
cat >deep.c <<'END'
#include <fcntl.h>
#include <unistd.h>
__attribute__((noinline)) static int inner(int fd) { return (int)pwrite(fd, "x", 1, 0) + 1; }
__attribute__((noinline)) static int outer(int fd) { return inner(fd) + 1; }
int main(void)
{
	int fd = open("deep.data", O_RDWR | O_CREAT, 0600), sum = 0;

	for (int i = 0; i < 10; i++)
		sum += outer(fd);
	return sum != 30;
}
END
${CC:-cc} -g -O1 -fno-optimize-sibling-calls -o deep deep.c || fail "cannot compile"
RECORDER_STACKS=16 recorder run -q -o deep.trace ./deep || fail "cannot record: $?"
recorder2collapsed -q --weight calls --functions pwrite -o - deep.trace >got
recorder stacks -q --collapse --weight calls --functions pwrite deep.trace | LC_ALL=C sort >want
cmp want got || fail "not what recorder stacks has: $(diff want got)"
grep -q 'main;outer;inner;pwrite 10$' got || fail "stacks: $(cat got)"
recorder2collapsed -q --nesting --weight calls --functions pwrite -o - deep.trace >got
expect_eq "pwrite 10" "$(cat got)" "--nesting"
exit 0
