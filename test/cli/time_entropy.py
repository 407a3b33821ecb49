# SPDX-License-Identifier: MIT
"""The entropy of a trace's times, from the lines of recorder2text --callsites of one process of one thread: time_entropy.py RESOLUTION < lines."""
import collections
import math
import re
import sys

LINE = re.compile(r"\d+ (\d+) (\d+)\.(\d{9}) (\d+)\.(\d{9}) (\d+) \w+ (\w+)\(.*\{callsite=\"(.*)\"\}$")


def symbol(number):
    """(symbol, bits behind it)."""
    if number < 256:
        return number, 0
    bits = number.bit_length() - 5
    return (number >> bits, bits), bits


def main():
    resolution = int(sys.argv[1])
    calls, times, floor = [], collections.defaultdict(collections.Counter), 0
    for line in sys.stdin:
        _, *parts, level, function, site = LINE.match(line).groups()
        start, end = (int(parts[i]) * 10**9 + int(parts[i + 1]) for i in (0, 2))
        calls.append((end, start, (level, function, site)))
    last = 0
    for end, start, key in sorted(calls, key=lambda call: call[0]):  # equal ones stay in the order of the lines
        way, since = ("idle", start) if start >= last else ("around", end)
        for name, ns in ((way, since - last), ("duration", end - start)):
            times[name, key][symbol((ns + resolution // 2) // resolution)] += 1
        last = end
    for counts in times.values():
        total = sum(counts.values())
        for (_, bits), count in counts.items():
            floor += count * (bits + math.log2(total / count)) / 8
    print(f"{floor:.3f} {len(calls)}")


main()
