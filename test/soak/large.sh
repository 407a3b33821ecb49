#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# Arguments larger than is stored, SOAK_LARGE times: strings are cut at 4 KiB, arrays at 64 elements, argv at 256 words, which the text
# tells, and the memory of the process stays what it is.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3

rounds=${SOAK_LARGE:-2000}
RECORDER_BUFFER_SIZE=64k RECORDER_TRACES_DIR=trace preload "$TEST_BIN/soak/large" "$rounds" >memory || fail "exit status $?"
read -r early late <memory
[ $((late - early)) -lt 512 ] || fail "resident memory grew from $early to $late KiB"
recorder check -q trace || fail "recorder check"
recorder2text -q trace >text || fail "recorder2text"
python3 - "$rounds" <<'END' || fail "records"
import collections
import re
import sys

rounds, seen = int(sys.argv[1]), collections.Counter()
for line in open("text", errors="replace"):
    name = re.match(r"(\S+ ){6}(\w+)\(", line)[2]
    seen[name] += 1
    if len(line) > 10000:
        sys.exit(f"a line of {len(line)} bytes")
    if name == "open" and "ENAMETOOLONG" in line and not re.search(r'p{4096}"\.\.\.,', line):
        sys.exit(line[:200] + line[-200:])
    if name == "pwritev" and not re.search(r"parts=\[(\d, ){64}\.\.\.1024\],.* = 3584$", line):
        sys.exit(line)
    if name == "execv" and not re.search(r'argv=\["argument"(, "argument"){255}\.\.\.\]', line):
        sys.exit(line)
for name, count in (("open", rounds + 1), ("symlink", rounds), ("pwritev", rounds), ("execv", rounds)):
    if seen[name] != count:
        sys.exit(f"{seen[name]} records of {name}")
END
echo "$rounds rounds, resident memory $early KiB and at the end $late KiB"
