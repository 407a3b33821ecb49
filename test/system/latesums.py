# SPDX-License-Identifier: MIT
"""latesums.py TEXT: whether sums of what ends elsewhere than in its thread are those of the events, by recorder2text of a trace with both."""

import re
import sys
from collections import Counter

counts, sizes, times, queues = {}, {}, {}, {}


def add(tid, layer, name, is_sum, count, size, time, queue):
    for table, value in ((counts, count), (sizes, size), (times, time), (queues, queue)):
        table.setdefault(is_sum, Counter())[(tid, layer, name)] += value


def number(name, arguments):
    found = re.search(rf"\b{name}=(\d+)", arguments)
    return int(found.group(1)) if found else 0


def moved(layer, name, arguments, result):
    if layer == "block":
        return number("bytes", arguments) if result == "0" else 0
    if layer == "writeback":
        return number("pages", arguments) * 4096
    return int(result) if re.match(r"opcode=(READ|WRITE)", arguments) and result.isdigit() else 0


for line in open(sys.argv[1]):
    match = re.match(r"\S+ (\d+) (\S+) (\S+) \d+ (block|writeback|iouring|sched) (\w+)\((.*)\) = (\S+)", line)
    if not match:
        continue
    tid, begin, end, layer, name, arguments, result = match.groups()
    if result == "sum":
        add(tid, layer, name, True, number("count", arguments), number("bytes", arguments), number("time", arguments),
            number("queue", arguments))
    else:
        took = round((float(end) - float(begin)) * 1e9)
        add(tid, layer, name, False, 1, 0 if layer == "sched" else moved(layer, name, arguments, result), took,
            number("queue_ns", arguments))
for table in counts, sizes, queues:
    assert table[True] == table[False], (table[True] - table[False], table[False] - table[True])
for key, time in times[False].items():
    assert abs(times[True][key] - time) < 100 * counts[False][key] + 1000, (key, time, times[True][key])
assert {layer for _, layer, _ in counts[True]} - {"sched"}, counts
