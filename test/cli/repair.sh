#!/bin/sh
# SPDX-License-Identifier: MIT
# A killed process: its newest records and the call it was in are read where they lie, and are in the trace after repair,
# which done twice changes nothing. The second reader agrees throughout.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3

cat >writer.c <<'END'
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	int fd = open("data", O_CREAT | O_RDWR, 0644);
	char c = 0;

	for (int i = 0; i < 30000; i++)
		if (pwrite(fd, &c, 1, i) != 1)
			return 1;
	mkfifo("fifo", 0600);
	return (int)read(open("fifo", O_RDWR), &c, 1);
}
END
cc -w -o writer writer.c || fail "cannot compile"

mkdir live
LD_PRELOAD=$RECORDER_SO RECORDER_QUIET=1 RECORDER_LIVE_DIR=$PWD/live RECORDER_TRACES_DIR=trace ./writer &
pid=$!
trap 'kill -KILL $pid 2>/dev/null; test_cleanup' EXIT
writer_waits()
{
	recorder where -q $pid | grep -q 'read(.*fifo'
}
until_ writer_waits
kill -KILL $pid
wait $pid 2>/dev/null

offsets()
{
	recorder2text -q trace | sed -n 's/.*pwrite(.*offset=\([0-9]*\)) = 1$/\1/p'
}

seq 0 29999 >want
offsets | cmp want - || fail "before repair: not every offset once"
recorder info -q --strict trace >/dev/null && fail "a killed process is no complete trace"
before=$(python3 "$TOP_SRCDIR/test/decode.py" --text --in-flight trace | md5sum)

expect_eq 1 "$(find live -name '*.defs' | wc -l)" "arenas left"
RECORDER_LIVE_DIR=$PWD/live recorder clean -q 2>/dev/null
expect_eq 1 "$(find live -name '*.defs' | wc -l)" "arenas after clean, which keeps what a trace needs"
# nor is a trace gone that it may not look into
[ "$(id -u)" != 0 ] || bound="setpriv --bounding-set=-dac_override,-dac_read_search"
chmod 0 trace
# shellcheck disable=SC2086
if ${bound-} test ! -e trace/recorder.gm; then
	RECORDER_LIVE_DIR=$PWD/live ${bound-} recorder clean -q 2>/dev/null
	expect_eq 1 "$(find live -name '*.defs' | wc -l)" "arenas after clean, of a trace in a closed folder"
fi
chmod 700 trace
recorder repair trace >said || fail "repair"
grep -q '1 streams completed' said || fail "repair said: $(cat said)"
expect_eq "" "$(find live -type f)" "live files after repair"
cksum trace/* >sums
recorder repair trace >said || fail "repair again"
cksum trace/* | diff sums - || fail "repairing twice changed something"

offsets | cmp want - || fail "after repair: not every offset once"
expect_eq "$before" "$(python3 "$TOP_SRCDIR/test/decode.py" --text --in-flight trace | md5sum)" "the second reader"
recorder check -q trace || fail "check after repair"
recorder where trace | grep -q 'died in read(.*fifo' || fail "where after repair: $(recorder where trace)"

# a torn end and no recorder.gm: both are mended
mv trace/recorder.gm gm
printf 'RCHK torn' >>"$(echo trace/*.rec)"
recorder repair -q trace || fail "repair of a torn file"
[ -f trace/recorder.gm ] || fail "recorder.gm was not made again"
recorder check -q trace || fail "check after the second repair"
offsets | cmp want - || fail "after the second repair: not every offset once"
exit 0
