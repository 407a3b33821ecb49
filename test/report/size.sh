#!/bin/sh
# SPDX-License-Identifier: MIT
# The page of 256 ranks is at most 2 MB, whether they have 64 or 512 records and 8 or 16 files each, though pictures with more in them take more; of more ranks, too,
# and it shows them in groups and tells the one that stands out.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/report/pages.sh"
need python3

# report_size NAME RANKS RECORDS FILES [SLOW]: makes NAME.html and says how large it is
report_size()
{
	python3 "$TOP_SRCDIR/test/report/write_long.py" "$@" || fail "$1: no trace"
	recorder report -q -o "$1.html" "$1" || fail "$1: no report"
	wc -c <"$1.html"
}

short=$(report_size short 256 64 8) || exit 1
long=$(report_size long 256 512 16) || exit 1
many=$(report_size many 1100 2 1 1050) || exit 1
for size in "$short" "$long" "$many"; do
	[ "$size" -le 2000000 ] || fail "a report of $size bytes: $short, $long, $many"
done
[ "$long" -le $((short + short / 4)) ] || fail "a report of $long bytes, and $short of a short trace"

need_browser
browse many long.html 256 1
browse many many.html 220 5 1050
