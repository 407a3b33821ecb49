#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""judge.py CASE TRACE WORK: whether the trace of a case of peers.c tells what that did; the tools are in PATH."""
import gzip
import json
import os
import re
import subprocess
import sys

case, trace, work = sys.argv[1:]
work = os.fsencode(os.path.realpath(work)) + b"/"


def lines(*options):
    """[(thread, function, rest)] of recorder2text."""
    out = subprocess.run(["recorder2text", "-q", *options, trace], check=True, stdout=subprocess.PIPE).stdout
    # a line a record, whatever is in a name
    return [(words[1], words[6].split(b"(", 1)[0], words[6]) for words in
            (line.split(b" ", 6) for line in out.splitlines())]


def expect(condition, what):
    if not condition:
        sys.exit(f"{case}: {what}")


def unescaped(text):
    """The bytes of a C string."""
    simple = {b"n": b"\n", b"t": b"\t", b'"': b'"', b"\\": b"\\"}
    return re.sub(rb'\\(x[0-9a-f]{2}|[0-7]{3}|.)',
                  lambda m: simple.get(m[1]) or bytes([int(m[1][1:], 16) if m[1][:1] == b"x" else int(m[1], 8)]), text)


def paths(text):
    return [unescaped(path) for path in re.findall(rb'"((?:[^"\\]|\\.)*)"', text)]


def names():
    made = {os.path.join(where, name) for where, _, files in os.walk(work) for name in files}
    told = {path for _, function, text in lines("--functions", "write") for path in paths(text)}
    expect(len(made) == 12, f"{len(made)} files")
    expect(made == told, f"files {made ^ told} are only on one side")
    for form, output in (("chrome", "t.json.gz"), ("pfw", "t.pfw.gz")):
        subprocess.run(["recorder2pfw", "-q", "--force", "-z", "--format", form, "-o", output, trace], check=True)
        with gzip.open(output) as file:
            text = file.read().decode("utf-8")  # JSON is UTF-8
        if form == "chrome":
            events = json.loads(text)["traceEvents"]
        else:
            body = [line.rstrip(",") for line in text.splitlines() if line not in ("[", "]")]
            events = [json.loads(line) for line in body]
        writes = [event for event in events if event.get("ph") == "X" and event["name"] == "write"]
        expect(len(writes) == 12, f"{form}: {len(writes)} events")


def descriptors():
    told = [(paths(text)[0], int(re.search(rb"offset=(\d+)", text)[1])) for _, _, text in lines("--functions", "pwrite")]
    expect(sorted(told) == sorted((work + b"of-%d" % i, i) for i in range(1500)), "a descriptor is taken for another")


def threads():
    tids = {}
    records = lines("--functions", "pwrite")
    expect(len(records) == 8000, f"{len(records)} writes")
    for tid, _, text in records:
        offset = int(re.search(rb"offset=(\d+)", text)[1])
        expect(paths(text) == [work + b"%d-%d" % divmod(offset, 10000)], f"another's file: {text}")
        tids.setdefault(tid, set()).add(offset // 10000)
    expect(sorted(map(tuple, tids.values())) == [(0,), (1,), (2,), (3,)], f"threads {tids}")
    for function in ("open", "close"):
        expect(len(lines("--functions", function)) == 8000, function)


def hijacked():
    with open(work + b"mine", "rb") as file:
        expect(file.read() == b"mine\n" * 1000, "something else is in the program's file")
    expect(len(lines("--functions", "write")) == 1001, "writes are missing")


def left():
    info = json.loads(subprocess.run(["recorder", "info", "-q", "--json", trace], check=True, stdout=subprocess.PIPE).stdout)
    expect(info["complete"] and len(info["streams"]) == 1, "not complete")
    expect(os.path.basename(info["streams"][0]["exe"]) == "peers", f"the program is {info['streams'][0]['exe']}")
    expect(len(lines("--functions", "write")) == 2, "writes are missing")


{"names": names, "descriptors": descriptors, "threads": threads, "hijacked": hijacked, "left": left}.get(case, lambda: None)()
