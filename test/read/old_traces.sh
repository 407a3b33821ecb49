#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces that earlier versions made read as they did when they were made: test/data/traces/VERSION/NAME and what recorder2text said of each, NAME.txt.
# (Made by 'recorder anonymize', so that they hold no names of the machine that they come from.)
. "${TOP_SRCDIR:?}/test/lib.sh"
need python3

seen=0
for text in "$TOP_SRCDIR"/test/data/traces/*/*.txt; do
	trace=${text%.txt}
	recorder2text -q "$trace" >said || fail "$trace: exit status $?"
	cmp "$text" said || fail "$trace: $(diff "$text" said | head -5)"
	quietly recorder check -q --strict "$trace" || fail "$trace: recorder check"
	python3 -B "$TOP_SRCDIR/test/format/readers_agree.py" "$trace" || fail "$trace: the readers do not agree"
	seen=$((seen + 1))
done
[ "$seen" -ge 3 ] || fail "only $seen traces"

# those of 1.0 are in the encodings that this version does not write any more
python3 - "$TOP_SRCDIR"/test/data/traces/1.0/*/*.rec <<'END' || fail "no DATA chunk of encoding 1"
import struct
import sys

DATA = 2
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        data = file.read()
    at, encodings = 32, set()
    while at + 96 <= len(data):
        kind, encoding, size = struct.unpack_from("<4xBBxxI", data, at)
        if kind == DATA:
            encodings.add(encoding)
        at += 96 + size
    if encodings != {1}:
        sys.exit(f"{name}: {encodings}")
END
exit 0
