# SPDX-License-Identifier: MIT
"""The tables of `recorder summary --json` once more, from what recorder2text says of each call: nothing of libanalysis is in them."""
import collections
import re
import subprocess

LINE = re.compile(r"(?:(\d+):)?(-?\d+) (\d+) (\S+) (\S+) (\d+) (\S+) (\w+)\(.*\) = ?(.*)$")
RUN = re.compile(r" repeat=(\d+)(?: busy=([\d.]+))?$")
ERRNO = re.compile(r" (E[A-Z0-9]+)$")


def ns(seconds):
    whole, _, part = seconds.partition(".")
    return int(whole) * 10 ** 9 + int(part.ljust(9, "0"))


class Call:
    def __init__(self, match):
        self.rank, self.tid = int(match[2]), int(match[3])
        self.begin, self.end = ns(match[4]), ns(match[5])
        self.level, self.layer, self.function = int(match[6]), match[7], match[8]
        rest = match[9]
        run = RUN.search(rest)
        self.repeat = int(run[1]) if run else 1
        self.busy = ns(run[2]) if run and run[2] else self.end - self.begin
        rest = rest[:run.start()] if run else rest
        error = ERRNO.search(rest)
        self.error = error[1] if error else None
        self.below = 0  # ns in calls right below it


def read(trace, *options):
    text = subprocess.run(["recorder2text", *options, trace], capture_output=True, check=True).stdout
    calls = [Call(match) for line in text.decode("latin-1").splitlines()
             if (match := LINE.match(line)) and "in_flight" not in line]
    nest(calls)
    return calls


def nest(calls):
    """A call lies in the last one of its thread of a lower level that has not ended when it ends."""
    stacks = collections.defaultdict(dict)
    for call in calls:
        stack = stacks[call.rank, call.tid]
        stack[call.level] = call
        around = [stack[level] for level in range(call.level - 1, -1, -1)
                  if level in stack and stack[level].end >= call.end]
        if around:
            around[0].below += call.busy


def functions(calls):
    """{(layer, function): {calls, errors, time, self, least, most}}, and the times of each in order."""
    table, times = {}, collections.defaultdict(list)
    for call in calls:
        row = table.setdefault((call.layer, call.function),
                               dict(calls=0, errors=0, time=0, self=0, least=1 << 62, most=0))
        row["calls"] += call.repeat
        row["errors"] += call.repeat if call.error else 0
        row["time"] += call.busy
        row["self"] += call.busy - call.below
        each = call.busy // call.repeat
        row["least"] = min(row["least"], each)
        row["most"] = max(row["most"], each)
        times[call.layer, call.function] += [each] * call.repeat
    return table, {key: sorted(value) for key, value in times.items()}


def errors(calls):
    return dict(collections.Counter((call.layer, call.function, call.error) for call in calls
                                    for _ in range(call.repeat) if call.error))
