#!/bin/sh
# SPDX-License-Identifier: MIT
# RECORDER_ROTATE, RECORDER_KEEP and RECORDER_MODE=flight: segments that are readable alone, nothing lost between them, also when the
# process is killed in the middle of a turn; what is dropped is counted.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3

hooked=$TOP_BUILDDIR/test/.libs/librecorder_hooked.so
writes=$TEST_BIN/storage/writes
calls=200000
memory_dir
live=$memory

json()
{
	recorder info -q --json "$1" >info.json
	info_number "$2"
}

# all are kept: together they are the whole, and each is a trace of its own
RECORDER_ROTATE=64k recorder run -q -o all -- "$writes" data $calls || fail "exit status $?"
recorder check -q --strict all || fail "recorder check"
expect_eq $((calls + 1)) "$(json all records)" "records of all segments"
segments=$(find all -name '*-s*.rec' | wc -l)
[ "$segments" -ge 3 ] || fail "only $segments segments"
expect_eq "$calls" "$(recorder2text --functions pwrite all | grep -c 'data" *, count=8')" "writes with their file"
python3 "$TOP_SRCDIR/test/decode.py" all >decoded || fail "the second reader"
grep -q '"problems": \[\]' decoded || fail "the second reader has problems: $(cat decoded)"
for file in all/*-s2.rec; do
	mkdir one && cp all/recorder.gm "$file" "${file%.rec}.lm" one
	recorder check -q one || fail "$file alone"
	[ "$(json one records)" -gt 1000 ] || fail "$file alone: too few records"
	rm -r one
done

# they are one process to everyone: its levels, files and offsets go on from one to the next
expect_eq 1 "$(recorder sql -q --csv all 'SELECT COUNT(*) FROM streams' | tail -n 1)" "streams"
recorder info -q all >info || fail "recorder info"
grep -q "^segments *1 of 1 streams in $((segments + 1)) pairs of files$" info || fail "segments: $(cat info)"
RECORDER_ROTATE=64k recorder run -q -o copied -- dd if=/dev/zero of=data bs=512 count=100000 2>/dev/null || fail "dd"
[ "$(find copied -name '*-s*.rec' | wc -l)" -ge 1 ] || fail "dd: no segments"
expect_eq "100000,100000,51199488" "$(recorder sql -q --csv copied "SELECT COUNT(*), COUNT(offset), MAX(offset) FROM records
	WHERE function = 'write'" | tail -n 1)" "writes with their offset"
recorder pack -q copied -o copied.rtrace || fail "recorder pack"
recorder2text -q copied >text && recorder2text -q copied.rtrace | cmp - text || fail "the packed trace is another one"
recorder filter -q copied -o filtered --functions write || fail "recorder filter"
recorder check -q --strict filtered || fail "recorder check of what was filtered"
expect_eq 1 "$(find filtered -name '*.rec' | wc -l)" "files of the filtered trace"

# one in the middle is not here: what was in it is missing, and that is said
cp -r all gap && rm gap/*-s2.rec gap/*-s2.lm
recorder check -q gap >said 2>&1 && fail "recorder check of a trace without one segment"
grep -q "records of thread 0 before this are missing" said || fail "the gap: $(cat said)"
expect_eq $((calls + 1)) $(($(json gap records) + $(json gap lost))) "records and losses around the gap"
"$PYTHON" "$TOP_SRCDIR/test/decode.py" gap >decoded 2>/dev/null
grep -q "\"missing\": $(json gap lost)," decoded || fail "the second reader counts another gap"

# a closed LM is damaged, which is one problem, also where it is asked who the process is
rm -rf damaged && cp -r all damaged
rm "damaged/$(basename all/*-s2.lm -s2.lm).lm"
for lm in damaged/*-s*.lm; do
	printf 'XXXX' | dd of="$lm" bs=1 seek=40 conv=notrunc 2>dd.err || fail "$(cat dd.err)"
done
recorder check damaged >said 2>&1 && fail "recorder check of closed LMs that are damaged"
expect_eq "" "$(grep -- '-s[0-9]*\.lm: offset' said | sort | uniq -d)" "problems that are told of twice"
grep -q -- '-s[0-9]*\.lm: offset' said || fail "no closed LM is damaged: $(cat said)"

# the newest LM is not here, or has lost its begin: who the process is, those of the closed ones tell; how it ended, nobody
who()
{
	recorder info -q --json "$1" | "$PYTHON" -c 'import json, sys
stream = json.load(sys.stdin)["streams"][0]
print(*(stream[key] for key in ("rank", "pid", "host", "exe", "argv", "cwd", "records", "lost")))'
}

of_second()
{
	"$PYTHON" "$TOP_SRCDIR/test/decode.py" "$1" 2>/dev/null | "$PYTHON" -c 'import json, sys
stream = json.load(sys.stdin)["streams"][0]
print(*(stream[key] for key in ("rank", "pid", "state", "records", "missing")))'
}

stream=$(basename all/*-s2.rec -s2.rec)
for what in gone empty begin; do
	rm -rf headless && cp -r all headless
	case $what in
	gone) rm "headless/$stream.lm" ;;
	empty) head -c 40 "all/$stream.lm" >"headless/$stream.lm" ;;
	begin) printf '\377\376\377' | dd of="headless/$stream.lm" bs=1 seek=200 conv=notrunc 2>/dev/null ;;
	esac
	recorder check -q headless >said 2>&1 && fail "recorder check of a trace whose newest LM is $what"
	expect_eq "$(who all)" "$(who headless)" "the process whose newest LM is $what"
	state=died
	[ $what != begin ] || state=clean
	expect_eq "$(recorder info -q --json all | "$PYTHON" -c 'import json, sys
print(json.load(sys.stdin)["streams"][0]["pid"])')" "$(of_second headless | cut -d ' ' -f 2)" "pid for the second reader, newest LM $what"
	expect_eq "$state $((calls + 1)) 0" "$(of_second headless | cut -d ' ' -f 3-)" "the second reader, newest LM $what"
done

# not from one that is another process's
rm -rf headless && cp -r gap headless && rm headless/*.lm
cp copied/*-s1.lm "headless/$stream-s1.lm"
recorder check -q headless >said 2>&1 && fail "recorder check beside the LM of another process"
expect_eq "-1 0" "$(who headless | cut -d ' ' -f 1-2)" "the process beside the LM of another one"
expect_eq "-1 0" "$(of_second headless | cut -d ' ' -f 1-2)" "the second reader beside the LM of another process"

# renamed among each other: records are in the order of their numbers all the same
cp -r all renamed
for ending in lm rec; do
	mv "renamed/$stream-s1.$ending" renamed/aside && mv "renamed/$stream-s3.$ending" "renamed/$stream-s1.$ending" &&
		mv renamed/aside "renamed/$stream-s3.$ending"
done
recorder check -q --strict renamed || fail "recorder check of segments that were renamed"
recorder2text -q all >text && recorder2text -q renamed | cmp - text || fail "segments that were renamed are another trace"
expect_eq "$(of_second all)" "$(of_second renamed)" "the second reader, of segments that were renamed"

# one of another process under such a name: none of its records
cp -r all foreign
for file in foreign/*-s2.rec; do
	cp copied/*-s1.rec "$file"
done
recorder check -q foreign >said 2>&1 && fail "recorder check of a segment of another process"
grep -q "belongs to another stream than $(basename foreign/*-s2.rec -s2.rec)$" said || fail "a segment of another process: $(cat said)"
expect_eq "$(json gap records)" "$(json foreign records)" "records beside a segment of another process"
"$PYTHON" "$TOP_SRCDIR/test/decode.py" foreign >decoded 2>/dev/null
grep -q "\"missing\": $(json foreign lost)," decoded || fail "the second reader takes records of another process"

# files under names of segments that are none of the process's, or copies of others of its own: nothing of them counts
stream=$(basename all/*-s2.rec -s2.rec)
for file in copied/*-s1.rec all/*-s1.rec; do
	rm -rf more && cp -r all more
	cp "$file" "more/$stream-s99.rec" && cp "${file%.rec}.lm" "more/$stream-s99.lm"
	recorder check -q more >said 2>&1 && fail "recorder check of $file beside the segments"
	grep -q "more/$stream-s99.lm: " said || fail "$file beside the segments: $(cat said)"
	grep -q "said, .* found\|not there any more" said && fail "$file beside the segments counts: $(cat said)"
	expect_eq "$((calls + 1)) 0" "$(json more records) $(json more lost)" "records and losses beside $file"
done

# two are kept; the rest is counted as lost
RECORDER_ROTATE=64k RECORDER_KEEP=2 recorder run -q -o two -- "$writes" data $calls 2>notes || fail "exit status $?"
recorder check -q two || fail "recorder check of two"
expect_eq 2 "$(find two -name '*-s*.rec' | wc -l)" "segments kept"
expect_eq $((calls + 1)) $(($(json two records) + $(json two lost))) "records and losses"
grep -q rotated two/*.lm || fail "the reason is not in the LM"

# the latest, within a size
RECORDER_MODE=flight RECORDER_MAX_SIZE=200k recorder run -q -o flight -- "$writes" data $calls 2>notes ||
	fail "exit status $?"
recorder check -q flight || fail "recorder check of flight"
expect_eq $((calls + 1)) $(($(json flight records) + $(json flight lost))) "records and losses"
[ "$(cat flight/*.rec | wc -c)" -le 300000 ] || fail "flight: too large"
[ "$(cat flight/*.rec | wc -c)" -ge 100000 ] || fail "flight: too small"

# by time
RECORDER_ROTATE=100ms recorder run -q -o times -- sh -c 'for i in 1 2 3 4 5 6; do echo $i >file; sleep 0.06; done' ||
	fail "exit status $?"
recorder check -q --strict times || fail "recorder check of times"

# a limit of file sizes that a new segment meets: the program gets no signal for it
mkdir limited && (cd limited && timeout 60 env LD_PRELOAD="$RECORDER_SO" RECORDER_TRACES_DIR="$PWD/trace" \
	RECORDER_PROGRAMS='python*' RECORDER_LIVE_DIR="$live" RECORDER_FLUSH=50ms RECORDER_ROTATE=200ms \
	"$PYTHON" "$TOP_SRCDIR/test/control/limited.py" trace >out 2>err) || fail "limited.py: $(cat limited/err)"
expect_eq "signals 0" "$(cat limited/out)" "SIGXFSZ for a segment of ours"
[ "$(find limited/trace -name '*-s*.rec' | wc -l)" -ge 3 ] || fail "limited.py: no segments after the limit"
recorder check -q limited/trace || fail "limited.py: recorder check"

# what is in memory is found by way of closed segments, too
without_newest_lm()
{
	for first in trace/*-s1.rec; do
		[ -e "$first" ] || return # only begun to be closed
		rm -rf beheaded && cp -r trace beheaded && rm "beheaded/$(basename "$first" -s1.rec).lm"
		expect_eq "$(json trace records) $(json trace in_flight)" "$(json beheaded records) $(json beheaded in_flight)" \
			"$1: records and calls in flight without the newest LM"
		beheaded=yes
	done
}

# killed at each step of a turn, with four threads that write
for place in segment-copied segment-named segment-made segment-exchanged segment-turned; do
	for n in 1 2 4; do
		rm -rf trace data.* progress
		timeout -s KILL 20 env RECORDER_TEST_KILL="$place:$n" LD_PRELOAD="$hooked" RECORDER_ROTATE=30k \
			RECORDER_TRACES_DIR=trace RECORDER_LIVE_DIR="$live" \
			"$TEST_BIN/crash/writer" data progress 4 2>/dev/null
		expect_eq 137 $? "$place:$n: exit status"
		"$TEST_BIN/crash/verify" trace progress >verdict || { cat verdict; fail "killed at $place:$n"; }
		without_newest_lm "$place:$n"
		recorder repair -q trace >repaired 2>&1 || { cat repaired; fail "repair after $place:$n"; }
		"$TEST_BIN/crash/verify" trace progress >verdict || { cat verdict; fail "repaired after $place:$n"; }
	done
done
[ -n "${beheaded:-}" ] || fail "no process was killed after a turn"
