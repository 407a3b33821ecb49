#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder summary --callsites: what recorder stacks says of places in the program, in all forms, for any number of threads and ranks.
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3
heat=$TOP_SRCDIR/test/sql/heat.rtrace
python3 "$TOP_SRCDIR/test/sql/made.py" made || fail "no trace"

for trace in "$heat" made; do
	recorder stacks -q --json "$trace" >stacks.json && recorder summary -q --json --callsites "$trace" >summary.json || fail "$trace"
	recorder summary -q --csv --table callsites "$trace" >summary.csv || fail "$trace: CSV"
	python3 - <<'END' || fail "$trace: other places than recorder stacks has"
import csv, json, sys
from collections import Counter

def sums(rows):
    calls, times = Counter(), Counter()
    for row in rows:
        key = (row["function"], row["module"], int(row["offset"]))
        calls[key] += int(row["calls"])
        times[key] += round(float(row["time"]) * 1e9)
    return calls, times

want = sums(dict(row, **{name: row["callsite"][name] for name in ("module", "offset")})
            for row in json.load(open("stacks.json"))["groups"])
found = json.load(open("summary.json"))["callsites"]
if sums(found) != want or sums(csv.DictReader(open("summary.csv"))) != want:
    sys.exit("they differ")
times = [row["time"] for row in found]
sys.exit(0 if found and times == sorted(times, reverse=True) else "order")
END
	for jobs in 1 3; do
		recorder summary -q --json --callsites -j $jobs "$trace" | cmp - summary.json || fail "$trace: -j $jobs"
	done
done
recorder summary -q --callsites "$heat" >text || fail "text"
grep -q 'MPI_Waitall at heat+0x13ac' text || fail "text: $(cat text)"
recorder summary -q --json "$heat" | grep -q '"callsites"' && fail "they are looked up though nobody asked"

case ${SANITIZERS:-} in
*thread*) exit 0 ;;
esac
cat >places.c <<'END'
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
	int fd = open("places.data", O_RDWR | O_CREAT, 0600);

	for (int i = 0; i < 10; i++)
		if (pwrite(fd, "12345", 5, 0) != 5) /* line 8 */
			return 1;
	return pwrite(fd, "1", 1, 0) != 1; /* line 10 */
}
END
${CC:-cc} -g -O0 -o places places.c || fail "cannot compile"
recorder run -q -o places.trace ./places || fail "cannot record"
recorder summary -q --csv --table callsites --functions pwrite places.trace | cut -d, -f2,3,6-9 | sed 's|"[^"]*/places.c"|"places.c"|;1d' | LC_ALL=C sort >got
printf '"%s",%s,0,%s,"main","places.c"\n' pwrite 1 1 pwrite 10 50 >want
expect_eq "$(cat want)" "$(cat got)" "places of a known program"
command -v "${MPIEXEC:-none}" >/dev/null && [ "${MPI_KIND:-}" = openmpi ] || exit 0
recorder summary -q --json --callsites "$heat" >want
for ranks in 2 3; do
	"$MPIEXEC" -n $ranks "$TOP_BUILDDIR/tools/recorder" summary -q --json --callsites "$heat" >got || fail "$ranks ranks"
	cmp want got || fail "$ranks ranks"
done
exit 0
