# SPDX-License-Identifier: MIT
"""coverage.py TOP LEAST: sums up what gcov says as JSON, a line an object file, of lib/format and
lib/read. A line counts as run if any program ran it; lines of unit tests do not count. Exit status 1
below LEAST percent."""
import collections
import json
import os
import sys


def first_test_line(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#ifdef UNIT_TEST"):
                return number
    return sys.maxsize


def main():
    top, least = os.path.realpath(sys.argv[1]), float(sys.argv[2])
    runs = collections.defaultdict(dict)
    for line in sys.stdin:
        for file in json.loads(line)["files"]:
            name = os.path.relpath(os.path.realpath(file["file"]), top)
            if name.startswith(("lib/format/", "lib/read/")):
                for place in file["lines"]:
                    number = place["line_number"]
                    runs[name][number] = runs[name].get(number, False) or place["count"] > 0
    every = done = 0
    for name, lines in sorted(runs.items()):
        end = first_test_line(os.path.join(top, name))
        ours = [run for number, run in lines.items() if number < end]
        every, done = every + len(ours), done + sum(ours)
        print(f"{name:32} {100 * sum(ours) / max(len(ours), 1):6.1f} % of {len(ours):4} lines")
    print(f"{100 * done / max(every, 1):.1f} % of the {every} lines of lib/format and lib/read")
    return 1 if not every or 100 * done / every < least else 0


if __name__ == "__main__":
    sys.exit(main())
