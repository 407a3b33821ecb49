#!/bin/sh
# SPDX-License-Identifier: MIT
# Characters that come from many places at once are counted in few records: of each function at each place as many calls as if each were recorded, whose times are in order.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

characters=$TEST_BIN/trace/characters

# DIR: "CALLS FUNCTION PLACE" of each
calls_of()
{
	recorder2text -q --callsites --functions 'getc,fgetc,putc,ungetc,fflush,rewind' "$1" | awk '
		{
			calls = match($0, / repeat=[0-9]+/) ? substr($0, RSTART + 8, RLENGTH - 8) : 1
			match($0, /callsite=.*/)
			sum[substr($7, 1, index($7, "(") - 1) " " substr($0, RSTART)] += calls
		}
		END {
			for (place in sum)
				print sum[place], place
		}' | sort
}

# DIR: records whose times are not possible
disordered()
{
	recorder2text -q "$1" | sort -s -k2,2 -k3,3 | awk '
		{
			busy = match($0, / busy=[0-9.]+/) ? substr($0, RSTART + 6, RLENGTH - 6) + 0 : 0
			if ($4 < $3 || busy > $4 - $3 + 2e-9)
				print "times: " $0
			if ($5 == 0 && $2 == thread && $3 < end - 2e-9)
				print "before the end of the one before: " $0
			if ($5 == 0) {
				thread = $2
				end = $4
			}
		}'
}

for threads in 1 3; do
	mkdir "bare.$threads" "each.$threads" "runs.$threads" || fail "mkdir"
	(cd "bare.$threads" && "$characters" "$threads" >words) || fail "untraced"
	for how in each runs; do
		[ $how = each ] && fold=0 || fold=1
		(
			cd "$how.$threads" &&
				RECORDER_FOLD=$fold recorder run -q -o ../"trace.$how.$threads" -- "$characters" "$threads" >words
		) || fail "$how, of $threads threads"
		diff -r "bare.$threads" "$how.$threads" >differ || { head -5 differ; fail "$how, of $threads threads: another result"; }
		quietly recorder check "trace.$how.$threads"
		calls_of "trace.$how.$threads" >"$how"
		disordered "trace.$how.$threads" >wrong
		[ ! -s wrong ] || { head -5 wrong; fail "$how, of $threads threads"; }
	done
	[ "$(wc -l <each)" -gt 15 ] || { cat each; fail "not what was done"; }
	diff each runs >differ || { cat differ; fail "the same calls, of $threads threads"; }
	records=$(recorder2text -q "trace.runs.$threads" | wc -l)
	calls=$(recorder2text -q "trace.each.$threads" | wc -l)
	[ "$((records * 12))" -lt "$calls" ] || fail "$records records for $calls calls of $threads threads"
	echo "$threads threads: $calls calls in $records records"
done
