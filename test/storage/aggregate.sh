#!/bin/sh
# SPDX-License-Identifier: MIT
# RECORDER_AGGREGATE: one file of the node. Readers say the same of it as of files of each process; when it is made by itself; a process
# that is killed, a failed exec, writes cut short; what needs files of its own; the other tools.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
memory_dir
RECORDER_LIVE_DIR=$memory
export RECORDER_LIVE_DIR
decode="$PYTHON $TOP_SRCDIR/test/decode.py"
torn="$PYTHON $TOP_SRCDIR/test/storage/torn.py"

# TRACE MODE COMMAND...
traced()
{
	RECORDER_TRACES_DIR=$PWD/$1 RECORDER_AGGREGATE=$2
	RECORDER_RUN_ID=$1
	export RECORDER_TRACES_DIR RECORDER_AGGREGATE RECORDER_RUN_ID
	shift 2
	preload "$@"
	unset RECORDER_TRACES_DIR RECORDER_AGGREGATE RECORDER_RUN_ID
}

# TRACE: what its calls are, without times, thread and process numbers
calls()
{
	$decode --text --bare "$1" >bare || fail "$1: the second reader: $(head -3 bare)"
	sed 's/0x[0-9a-f]*/ADDRESS/' bare | sort
}

# A B: all tools that read say the same of both
same_output()
{
	for tool in "recorder2text" "recorder2text --plain" "recorder2pfw -o -" \
		"recorder2pfw --format chrome -o -" "recorder info --csv" "$decode --plain"; do
		$tool "$1" >one 2>one.err || fail "$tool $1: $(cat one.err)"
		$tool "$2" >two 2>two.err || fail "$tool $2: $(cat two.err)"
		cmp one two || fail "$tool says otherwise of $2 than of $1"
	done
	recorder check -q "$1" || fail "check of $1"
	recorder check -q "$2" || fail "check of $2"
}

# TRACE [HOW]: the node file, all of its files
one_file()
{
	expect_eq "$2" "$(find "$1" -type f | sed 's/.*[.]//' | sort | tr '\n' ' ')" "files of $1"
}

# ---- the same program, with files of each process and with one ----

cat >job <<END2
rm -rf work && mkdir work && cd work
for i in 1 2 3; do "$TEST_BIN/trace/readwrite" data.\$i >/dev/null; done
"$TEST_BIN/trace/nested" >/dev/null
"$TEST_BIN/trace/stdio" >/dev/null
END2
RECORDER_PROGRAMS='readwrite,nested,stdio'
export RECORDER_PROGRAMS
traced none none sh ./job
traced node node sh ./job
unset RECORDER_PROGRAMS
one_file node "gm node "
one_file none "gm lm lm lm lm lm rec rec rec rec rec "
calls none >want
calls node >got
[ "$(wc -l <got)" -gt 100 ] || fail "only $(wc -l <got) calls"
cmp want got || fail "other calls: $(diff want got | head -5)"
recorder info node | grep -q '^nodes  *5 of 5 streams in .*[.]node$' || fail "$(recorder info node)"

# apart, and packed: the very same
recorder pack -q node -o node.rtrace || fail "pack"
recorder unpack -q node.rtrace -o apart || fail "unpack"
one_file apart "gm lm lm lm lm lm rec rec rec rec rec "
same_output apart node
same_output node.rtrace node
recorder anonymize node -o nameless || fail "anonymize"
recorder check -q nameless || fail "check of the anonymized one"
expect_eq "$(wc -l <got)" "$(recorder2text nameless | wc -l)" "anonymized calls"

# ---- an exec that fails is one record, which says so ----

for mode in none node; do
	traced "failed.$mode" $mode env -u X /nowhere/at/all 2>/dev/null
	calls failed.$mode >failed.$mode.calls
done
grep -q 'exec.*-1' failed.node.calls || fail "no failed exec: $(cat failed.node.calls)"
sed 's/[0-9][0-9]*/N/g' failed.none.calls >want
sed 's/[0-9][0-9]*/N/g' failed.node.calls | diff want - >differs || fail "failed exec: $(cat differs)"
recorder check -q failed.node || fail "check after a failed exec"

# ---- made by itself: by what the launcher says, by what lives on the node ----

for size in 64 65; do
	OMPI_COMM_WORLD_LOCAL_RANK=0 OMPI_COMM_WORLD_LOCAL_SIZE=$size traced auto.$size auto cat job >/dev/null
done
one_file auto.64 "gm lm rec "
one_file auto.65 "gm node "
cat >many <<'END2'
# 66 processes that have begun and wait, then 4 more, which see them
mkfifo gate
exec 3<>gate
start()
{
	for i in $1; do
		cat gate >/dev/null 3<&- &
	done
}
# N: until so many have begun
await()
{
	i=0
	while [ "$(ls "$RECORDER_LIVE_DIR"/recorder-*/*.defs 2>/dev/null | wc -l)" -lt "$1" ] && [ $i -lt 600 ]; do
		sleep 0.05
		i=$((i + 1))
	done
}
start "$(seq 66)"
await 66
start "$(seq 4)"
await 70
ls "$RECORDER_LIVE_DIR"/recorder-*/*.defs | wc -l >lived
exec 3<&-
wait
END2
RECORDER_PROGRAMS='cat' traced crowd auto sh ./many
expect_eq 70 "$(cat lived)" "processes at once"
own=$(find crowd -name '*.lm' | wc -l)
# those that begin at the same time do not see each other
[ "$own" -ge 64 ] && [ "$own" -le 66 ] || fail "$own of 70 have files of their own"
one_file crowd "gm $(yes lm | head -"$own" | tr '\n' ' ')node $(yes rec | head -"$own" | tr '\n' ' ')"
expect_eq 70 "$(recorder2text crowd | grep -c 'open.*gate')" "processes in the trace"
recorder check -q crowd || fail "check of 70 processes"
$decode crowd >second || fail "the second reader: $(cat second)"

# One after the other, while the first of them goes on: sh, its child that becomes seq, and 2 each time.
cat >many <<'END2'
for i in $(seq 35); do sh -c 'cat job >/dev/null; exit'; done
END2
RECORDER_PROGRAMS='sh,cat' traced row auto sh ./many
expect_eq "64 72" "$(find row -name '*.lm' | wc -l) $(streams row)" "streams in a row: with files of their own, and all"
one_file row "gm $(yes lm | head -64 | tr '\n' ' ')node $(yes rec | head -64 | tr '\n' ' ')"
expect_eq 35 "$(recorder2text --functions open row | grep -c 'job')" "processes in a row in the trace"
expect_eq "" "$(ls "$memory")" "live files of processes in a row"
recorder check -q row || fail "check of processes in a row"

# The last one is killed: what it leaves goes when the trace is repaired.
RECORDER_PROGRAMS='sh,cat' traced last auto sh -c 'cat job >/dev/null; kill -9 $$' 2>/dev/null
expect_eq 1 "$(find "$memory" -name streams | wc -l)" "a count that is left"
recorder repair last >said 2>&1 || fail "repair: $(cat said)"
expect_eq "" "$(ls "$memory")" "live files after a repair"
expect_eq 2 "$(find last -name '*.lm' | wc -l)" "streams of two processes"

# ---- a process is killed among others: nothing of it is lost, and it gets no file ----

cat >job <<END2
"$TEST_BIN/trace/readwrite" before >/dev/null
"$TEST_BIN/crash/writer" data progress 4 &
until [ "\$(ls "\$RECORDER_LIVE_DIR"/recorder-*/*.ring 2>/dev/null | wc -l)" -ge 4 ]; do sleep 0.02; done
sleep 0.1
kill -KILL \$!
wait
"$TEST_BIN/trace/readwrite" behind >/dev/null
exit 0
END2
RECORDER_PROGRAMS='readwrite,writer' traced killed node sh ./job 2>/dev/null
"$TEST_BIN/crash/verify" killed progress >verdict || fail "killed: $(cat verdict)"
recorder clean -n killed 2>kept >/dev/null
grep -q 'hold records of traces' kept || fail "recorder clean would remove what is needed: $(cat kept)"
recorder where killed >where || fail "where"
$torn killed/*.node killed >place || fail "torn.py"
recorder2text -q killed >/dev/null || fail "killed in a write: recorder2text"
recorder repair -q killed || fail "repair"
"$TEST_BIN/crash/verify" killed progress >verdict || fail "repaired: $(cat verdict)"
one_file killed "gm node "
[ -z "$(ls "$memory")" ] || fail "live files remain: $(ls "$memory"/*)"
recorder check killed >said || fail "check of the repaired one: $(cat said)"
$decode killed >second || fail "the second reader of the repaired one: $(cat second)"
recorder repair killed >said
grep -q '3 needed nothing' said || fail "repaired again: $(cat said)"

# ---- writes that were cut short, and damage: it costs that chunk, and the others are read ----

node=$(basename node/*.node)
all=$(recorder2text node | wc -l)
for how in header body flip tag end; do
	rm -rf torn
	cp -r node torn
	$torn "torn/$node" $how >place || fail "torn.py"
	recorder check torn >said
	status=$?
	$decode torn >second 2>&1
	second=$?
	recorder2text --plain torn >one 2>/dev/null || fail "$how: recorder2text"
	$decode --plain torn 2>/dev/null >two
	sort one >one.sorted
	sort two | diff one.sorted - >differs || fail "$how: the readers differ: $(head -5 differs)"
	left=$(wc -l <one)
	case $how in
	header) want="0 0 $all" ;;
	end) want="1 1 $all" ;; # of the LM
	*) want="1 1 less" ;;
	esac
	[ "$left" -eq "$all" ] || left=less
	expect_eq "$want" "$status $second $left" "$how: check, second reader, calls ($(cat said))"
	[ "$(wc -l <one)" -gt $((all / 2)) ] || fail "$how: $(wc -l <one) of $all calls are left"
done

# ---- what needs files of its own has them, and says why ----

RECORDER_ROTATE=1m traced rotate node "$TEST_BIN/trace/readwrite" data >/dev/null
(ulimit -f 100000 && traced limit node "$TEST_BIN/trace/readwrite" data >/dev/null)
for why in rotate:rotate limit:file_size; do
	one_file ${why%:*} "gm lm rec "
	recorder info ${why%:*} | grep -q "own all the same: ${why#*:}\$" || fail "$(recorder info ${why%:*})"
done
RECORDER_MAX_SIZE=8k traced small node timeout -s TERM 0.3 "$TEST_BIN/crash/writer" data progress 2
one_file small "gm node "
recorder info small | grep -q 'max_size' || fail "a limit that has no effect: $(recorder info small)"
