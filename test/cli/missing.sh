#!/bin/sh
# SPDX-License-Identifier: MIT
# files: memory
# What lies in a trace's directory and should not, and what does not and should: each tool says the same of it.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
[ -x "$TOP_BUILDDIR/tools/recorder2sqlite" ] || skip "built without SQLite"

# judged TRACE: whether it is complete, as each of them says it
judged()
{
	recorder info -q "$1" | sed -n 's/^state  *\([A-Za-z]*\):.*/info \1/p'
	recorder info -q --strict "$1" >/dev/null 2>&1 && echo "info --strict COMPLETE"
	recorder check -q --strict "$1" >/dev/null 2>&1 && echo "check --strict COMPLETE"
	recorder info -q --json "$1" | grep -q '"complete": true' && echo "info --json COMPLETE"
	recorder check --json "$1" 2>/dev/null | grep -q '"complete": true' && echo "check --json COMPLETE"
	recorder2pfw -q --format chrome -o - "$1" | grep -q '"complete":true' && echo "chrome COMPLETE"
	[ "$(recorder sql -q --csv "$1" "SELECT value FROM trace WHERE name = 'complete'" 2>/dev/null | tail -n 1)" = 1 ] && echo "sql COMPLETE"
	true
}

every()
{
	printf '%s\n' "info $1" "info --strict COMPLETE" "check --strict COMPLETE" "info --json COMPLETE" "check --json COMPLETE" \
		"chrome COMPLETE" "sql COMPLETE"
}

RECORDER_EXCLUDE=/nowhere
export RECORDER_EXCLUDE
recorder run -q -o trace -- sh -c '/bin/true; cat /etc/passwd; /bin/true' >/dev/null || fail "recorder run"
first=$(basename "$(find trace -name '*.rec' | sort | head -n 1)" .rec)
last=$(basename "$(find trace -name '*.rec' | sort | tail -n 1)" .rec)
calls=$(recorder2text -q trace | wc -l)
expect_eq "$(every complete)" "$(judged trace)" "a whole trace"

# the files of a process, whose end nobody but recorder.gm tells of
cp -R trace less
rm "less/$last.rec" "less/$last.lm"
expect_eq "info INCOMPLETE" "$(judged less)" "without a process"
recorder info less >said 2>/dev/null
grep -q '^absent  *1 stream that recorder.gm tells of$' said || fail "recorder info says nothing of the stream that is missing"
recorder filter -q -o part --functions none less
expect_eq "info INCOMPLETE" "$(judged part)" "a part of what lacks a process"
recorder repair less >/dev/null || fail "recorder repair"
expect_eq "info INCOMPLETE" "$(judged less)" "repaired, without a process"
recorder filter -q -o part --force --functions none trace
expect_eq "$(every complete)" "$(judged part)" "a part"
rm "part/$last.rec" "part/$last.lm"
expect_eq "info INCOMPLETE" "$(judged part)" "a part without a process"

# a byte of recorder.gm
cp -R trace damaged
printf 'X' | dd of=damaged/recorder.gm bs=1 seek=200 conv=notrunc 2>/dev/null
cmp -s trace/recorder.gm damaged/recorder.gm && fail "nothing was damaged"
expect_eq "info INCOMPLETE" "$(judged damaged)" "a damaged recorder.gm"
recorder filter -q -o part --force --functions none damaged 2>/dev/null
expect_eq "info INCOMPLETE" "$(judged part)" "a part of what has a damaged recorder.gm"

# the same stream under two names
cp -R trace twice
cp "twice/$first.rec" twice/zz.rec
cp "twice/$first.lm" twice/zz.lm
expect_eq "$calls" "$(recorder2text -q twice | wc -l)" "calls of a copied stream"
recorder check twice >said 2>/dev/null && fail "a copied stream is no problem"
grep -q "^twice/zz: is skipped: a copy of stream $first$" said || fail "recorder check says nothing of the copy"
expect_eq "info INCOMPLETE" "$(judged twice)" "a copied stream"
rm twice/zz.lm
mv twice/zz.rec twice/00.rec
expect_eq "$calls" "$(recorder2text -q twice | wc -l)" "calls of a copied .rec, which comes first"

# what is no file
cp -R trace odd
mkdir odd/a.rec odd/b.lm odd/c.node
mkfifo odd/d.rec odd/e.lm
ln -s /nowhere odd/f.rec
ln -s /nowhere odd/g.lm
for verb in pack anonymize 'filter --functions *'; do
	# shellcheck disable=SC2086 # an option
	(set -f && timeout 60 recorder $verb -o made odd 2>said) || fail "recorder $verb of what has directories, FIFOs and links in it"
	grep -q 'a\.rec' said || fail "recorder $verb says nothing of what it left out"
	expect_eq "$calls" "$(recorder2text -q made | wc -l)" "calls after recorder $verb"
	rm -rf made said
done

# a process that was killed, of which an anonymized trace has no record: its clock is nobody's concern
mkdir live
RECORDER_LIVE_DIR=$PWD/live RECORDER_TRACES_DIR=$PWD/killed preload sh -c 'cat /etc/passwd >/dev/null; kill -9 $$'
recorder anonymize -q -o made killed 2>/dev/null || fail "recorder anonymize"
recorder info -q made >said || fail "recorder info"
grep -q '^started.* s$' said || fail "clocks: $(grep '^started' said)"

# names that are as long as can be
name=$(printf '%0255d' 0)
for convert in recorder2text recorder2csv recorder2pfw recorder2collapsed 'recorder pack' 'recorder filter' 'recorder report'; do
	$convert -q -o "$name" trace || fail "$convert to a long name"
	[ -e "$name" ] || fail "$convert made no file"
	rm -rf "$name"
done
exit 0
