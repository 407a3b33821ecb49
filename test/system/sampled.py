# SPDX-License-Identifier: MIT
"""Looks at the samples of a trace.

    sampled.py used SAID <TEXT       those of the process that busy.py told of
    sampled.py monotone <TEXT        what is cumulative never falls
    sampled.py ARGUMENT=VALUE... <TEXT   prints FUNCTION and its other arguments of the records that have these
"""
import re
import sys

ARGUMENT = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|[^,)]*)')
GAUGES = {"running", "blocked", "in_progress", "rss", "threads", "processor", "bound", "ppid", "pid", "iowait"}


def records():
    for line in sys.stdin:
        words = line.split(" ", 6)
        if words[5] == "sample":
            name, rest = words[6].split("(", 1)
            yield float(words[2]), name, dict(ARGUMENT.findall(rest))


def check_used(said):
    facts = {}
    with open(said) as file:
        for line in file:
            words = line.split()
            for i in range(0, len(words) - 1, 2 if words[0] == "wchar" else len(words)):
                facts[words[i]] = [int(word) for word in words[i + 1:] if word.isdigit()]
    pid = str(facts["pid"][0])
    own = [(name, args) for _, name, args in records() if args.get("pid") == pid]
    used = [args for name, args in own if name == "process" and facts["used"][0] <= int(args["user"]) + int(args["system"]) <= facts["used"][1]]
    # the last ones may be of its end
    assert any(int(args["threads"]) == 4 and int(args["rss"]) > 64 << 20 for args in used), (facts, own[-2:])
    io = [args for name, args in own if name == "process_io" and int(args["write_calls"]) == facts["syscw"][0]][-1]
    assert int(io["written_by_calls"]) == facts["wchar"][0] > 1000000, (facts, io)
    assert int(io["write_calls"]) == facts["syscw"][0] >= 10, (facts, io)


def check_monotone():
    before, count = {}, 0
    for time, name, args in records():
        if name == "memory":
            continue
        of = tuple(args.get(key) for key in ("cpu", "disk", "interface", "resource", "pid"))
        for key, value in args.items():
            if value.startswith('"') or key in GAUGES:
                continue
            known = before.get((name, of, key), (0, 0))
            assert known[0] <= time, (name, args)
            assert known[1] <= int(value), (name, args, key, known)
            before[name, of, key] = time, int(value)
            count += known[0] > 0
    assert count > 100, count


def show(wanted):
    for _, name, args in records():
        if all(args.get(key) == value for key, value in wanted.items()):
            print(name, " ".join(value for key, value in args.items() if key not in wanted))


if sys.argv[1] == "used":
    check_used(sys.argv[2])
elif sys.argv[1] == "monotone":
    check_monotone()
else:
    show(dict(word.split("=", 1) for word in sys.argv[1:]))
