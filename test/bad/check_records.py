#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds a trace against what the program of write_calls.py said: calls that failed are recorded with their errno.

    check_records.py OUTPUT LAYER.api... <TEXT     OUTPUT: of the program; TEXT: of recorder2text
"""
import collections
import errno
import os
import re
import sys

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "functions"))

from catalogue import read_catalogue  # noqa: E402


def main():
    names = {}  # of those that fail with -1, by symbol
    for function in read_catalogue(sys.argv[2:]):
        if function.fails == "result == -1":
            names.update((symbol, function.record_as or function.name)
                         for symbol in function.symbols())
    wanted, got = collections.Counter(), collections.Counter()
    with open(sys.argv[1], encoding="ascii") as file:
        for line in file:
            found = re.match(r"(\w+) .* -> -1 (\d+)$", line)
            if found and found.group(1) in names and found.group(2) != "0":
                name = errno.errorcode[int(found.group(2))].replace("EOPNOTSUPP", "ENOTSUP")
                wanted[names[found.group(1)], name] += 1
    for line in sys.stdin:
        found = re.search(r" 0 \w+ (\w+)\(.*\) = -1 (E\w+)$", line.rstrip())
        if found and found.group(1) in names.values():
            got[found.group(1), found.group(2).replace("EOPNOTSUPP", "ENOTSUP")] += 1
    for key in sorted(wanted.keys() | got.keys()):
        if wanted[key] != got[key]:
            print(*key, f"failed {wanted[key]} times, recorded {got[key]} times")
    print(sum(wanted.values()), "calls failed with -1")
    return int(wanted != got or not wanted)


if __name__ == "__main__":
    sys.exit(main())
