#!/bin/sh
# SPDX-License-Identifier: MIT
# Every tool reads a trace that is still being written, as a consistent prefix that it calls so, time and again, and the process
# that writes it does not notice: in the end all its records are there.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3

RECORDER_TRACES_DIR=trace RECORDER_BUFFER_SIZE=32k RECORDER_ROTATE=300ms preload "$TEST_BIN/control/steps" &
program=$!
much_is_written()
{
	[ "$(recorder2text -q trace | wc -l)" -gt 20 ]
}
until_ much_is_written

# FILE: the offsets 0, 1, 2 ... of the text in it, each once; prints how many
prefix()
{
	sed -n 's/.* pwrite(.*offset=\([0-9]*\)) = 1$/\1/p' "$1" |
		awk '$1 != n++ { print "offset", $1, "is number", n; exit 1 } END { print n }'
}

before=0
for _ in 1 2 3 4; do
	recorder2text trace >text 2>said || fail "recorder2text: $(cat said)"
	grep -q 'still being written\|running' said || fail "recorder2text does not say that it runs: $(cat said)"
	count=$(prefix text) || fail "recorder2text: $count"
	[ "$count" -ge "$before" ] || fail "recorder2text: $count records after $before"
	recorder info --json trace >info.json 2>said || fail "recorder info: $(cat said)"
	grep -q '^  "running": true' info.json || fail "recorder info --json does not say that it runs"
	grep -q '^  "complete": false' info.json || fail "recorder info --json: complete"
	[ "$(info_number records)" -ge "$count" ] || fail "recorder info: $(info_number records) records after $count"
	recorder info trace >text 2>said || fail "recorder info: $(cat said)"
	grep -q 'still being written' text || fail "recorder info does not say that it runs: $(cat text)"
	recorder check trace >text 2>&1 || fail "recorder check: $(cat text)"
	grep -q 'running' text || fail "recorder check does not say that it runs: $(cat text)"
	recorder where trace >text 2>&1 || fail "recorder where: $(cat text)"
	grep -q 'rank 0' text || fail "recorder where: $(cat text)"
	for form in pfw chrome; do
		recorder2pfw --force --format $form -o "t.$form" trace 2>said || fail "recorder2pfw: $(cat said)"
		[ $form = pfw ] && checker=check_pfw.py || checker=check_chrome.py
		python3 "$TOP_SRCDIR/test/cli/$checker" "t.$form" "$(grep -c '"ph": *"X"' "t.$form")" || fail "recorder2pfw: $form"
		[ "$(grep -c '"ph": *"X"' "t.$form")" -ge "$count" ] || fail "recorder2pfw: $form: fewer than $count events"
	done
	# what would have to be whole is refused
	recorder anonymize -o copy trace >text 2>&1 && fail "recorder anonymize makes a copy of a part"
	grep -q 'still being written' text && [ ! -e copy ] || fail "recorder anonymize: $(cat text)"
	# neither of these takes anything from a process that runs
	recorder repair trace >text 2>&1 || fail "recorder repair: $(cat text)"
	recorder clean >/dev/null 2>&1
	before=$count
	sleep 0.2
done
kill -0 $program || fail "the program has ended"
: >stop
wait $program || fail "exit status of the program"
recorder check -q --strict trace || fail "recorder check: $(recorder check trace)"
recorder2text -q trace >text
expect_eq "$(wc -c <data)" "$(prefix text)" "records in the end"
exit 0
