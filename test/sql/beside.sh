#!/bin/sh
# SPDX-License-Identifier: MIT
# What the kernel does beside a thread takes no time off its calls, and sums are as many calls as they say: the same in every output (made_beside.py).
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3

python3 "$TOP_SRCDIR/test/sql/made_beside.py" made || fail "no trace"
cat >want <<'END'
block block_write 2 0.022000000 0.022000000
fault page_fault 1 0.001000000 0.001000000
kernel fsync 1 0.010000000 0.010000000
kernel openat 1 0.010000000 0.008000000
kernel read 1 0.002000000 0.002000000
kernel write 1 0.001000000 0.001000000
mem malloc 3 0.000003000 0.000003000
END

# FILE LAYER FUNCTION CALLS TIME SELF: the numbers of columns, sums of equal ones
same()
{
	tail -n +2 "$1" | tr -d '"' | awk -F, -v a="$2" -v b="$3" -v c="$4" -v d="$5" -v e="$6" '
		{ key = $a " " $b; calls[key] += $c; time[key] += $d; self[key] += $e }
		END { for (key in calls) printf "%s %d %.9f %.9f\n", key, calls[key], time[key], self[key] }' |
		LC_ALL=C sort >got
	diff want got || fail "$1"
}

recorder summary -q --csv --table functions made >summary.csv || fail "recorder summary"
same summary.csv 1 2 4 6 7
recorder stacks -q --csv made >stacks.csv || fail "recorder stacks"
same stacks.csv 1 2 3 4 5
expect_eq '"?"' "$(tail -n +2 stacks.csv | cut -d, -f7 | sort -u)" "a sum is at no place"
recorder2csv -q --no-args -o records.csv made || fail "recorder2csv"
python3 - >columns.csv <<'END'
import csv
print("layer,function,calls,duration,self")
for row in csv.DictReader(open("records.csv")):
    if row["calls"] != "0": # the sum of calls that are there as well
        print(",".join(row[name] for name in ("layer", "function", "calls", "duration", "self")))
END
same columns.csv 1 2 3 4 5
if [ -x "$TOP_BUILDDIR/tools/recorder2sqlite" ]; then
	expect_eq "0" "$(recorder sql -q --csv made "SELECT sum(callsite IS NOT NULL) AS n FROM records" | tail -n 1)" "callsites of sums"
fi

recorder2collapsed -q -o - made >got
cat >want <<'END'
block_write 14000000
fsync 10000000
fsync;block_write 8000000
fsync;page_fault 1000000
malloc 3000
openat 8000000
openat;read 2000000
write 1000000
END
diff want got || fail "recorder2collapsed"
expect_eq "malloc 3" "$(recorder2collapsed -q --weight calls --layers mem -o - made)" "calls of a sum"
expect_eq "malloc 300" "$(recorder2collapsed -q --weight bytes --layers mem -o - made)" "bytes of a sum"
recorder stacks -q --collapse made | sed 's/^?;//' >got
grep -qx 'fsync 10000000' got && grep -qx 'malloc 3000' got || fail "stacks --collapse: $(cat got)"
