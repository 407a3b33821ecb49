#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
What DFTracer's analyzer makes of .pfw files, by its own rules restated here: dftracer.py TRACE FILE..., where the files are all that TRACE was converted to.
Compares it with recorder summary --json and recorder info --json.
"""
import collections
import gzip
import json
import math
import subprocess
import sys
import zlib

FILES, HOSTS, COMMANDS, PROCESSES = "FH", "HH", "SH", "PR"
WHOLE_RUN = 1 << 40  # microseconds: one bin of time
# by their names they read, but no bytes of files
MISJUDGED = {"readlink", "readlinkat"}


def fail(text):
    print(f"{' '.join(sys.argv[2:])}: {text}")
    sys.exit(1)


def lines_of(path):
    """The analyzer's index takes what a whole gzip stream has, and of one that is cut nothing."""
    if not path.endswith((".pfw", ".pfw.gz")):
        return
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".gz"):
        try:
            data = gzip.decompress(data)
        except (EOFError, zlib.error):
            return
    yield from data.splitlines()


def number(value):
    """A hash: an integer, or the digits of one in hexadecimal."""
    return int(value, 16) if isinstance(value, str) else int(value)


class Events:
    """All files together."""

    def __init__(self, paths):
        self.names = collections.defaultdict(dict)
        self.calls = []
        for path in paths:
            for line in lines_of(path):
                self.take(line)
        begin = min((call["ts"] for call in self.calls), default=0)
        for call in self.calls:
            call["ts"] -= begin

    def take(self, line):
        text = line.decode("ascii", "replace").replace("\ufffd", "#").strip()
        if not text or text[0] in "[]":
            return
        event = json.loads(text, strict=False)
        phase = event["ph"]
        if "name" not in event:
            return
        if phase in ("M", 4):
            self.define(event)
        elif phase in ("X", 1):
            self.call(event)

    def define(self, event):
        args = event["args"]
        number(args["hhash"])
        if event["name"] in (FILES, HOSTS, COMMANDS):
            self.names[event["name"]].setdefault(number(args["value"]), args["name"])

    def call(self, event):
        args = event.get("args", {})
        call = {"name": event["name"], "cat": event["cat"], "pid": int(event["pid"]),
                "tid": int(event["tid"]), "ts": int(event["ts"]), "dur": int(event["dur"]),
                "size": 0, "file": number(args.get("fhash", 0)),
                "host": number(args["hhash"]), "type": event.get("type")}
        if call["cat"] == "POSIX" and "ret" in args:
            name, ret = call["name"], int(args["ret"])
            if ret > 0 and ("write" in name or ("read" in name and "readdir" not in name)):
                call["size"] = ret
        elif int(args.get("image_size", 0)) > 0:
            call["size"] = int(args["image_size"])
        self.calls.append(call)

    def io(self):
        return [call for call in self.calls if call["cat"] == "POSIX"]

    def io_time(self, granularity):
        """The thread that spent most counts, in each bin of time."""
        bins = collections.Counter()
        for call in self.io():
            trange = call["ts"] // granularity
            if trange > 65535:
                fail("a bin of time has a number of more than 16 bits")
            bins[trange, call["pid"], call["tid"]] += call["dur"]
        most = collections.defaultdict(int)
        for (trange, _, _), time in bins.items():
            most[trange] = max(most[trange], time)
        return sum(most.values())


def recorder(*words):
    return json.loads(subprocess.run(["recorder", *words], check=True, stdout=subprocess.PIPE).stdout)


def layer(summary, name):
    none = {"calls": 0, "time": 0, "bytes_read": 0, "bytes_written": 0}
    return next((row for row in summary["layers"] if row["layer"] == name), none)


def expect(what, want, got):
    if want != got:
        fail(f"{what}: {got}, not {want}")


def expect_time(what, seconds, got, count):
    """Begins and ends are whole microseconds: each call is wrong by less than one, either way."""
    if abs(seconds * 1e6 - got) > 10 * math.sqrt(count) + 1:
        fail(f"{what}: {got} us, not {seconds} s")


def compare_threads(trace, events):
    """The I/O time of one bin is that of the thread that had most."""
    threads = collections.defaultdict(list)
    for call in events.io():
        threads[call["pid"], call["tid"]].append(call["dur"])
    times = []
    for stream in recorder("info", "-q", "--json", trace)["streams"]:
        for tid in {tid for pid, tid in threads if pid == stream["pid"]}:
            row = layer(recorder("summary", "-q", "--json", "--tids", str(tid), trace), "posix")
            mine = threads[stream["pid"], tid]
            expect(f"calls of thread {tid}", row["calls"], len(mine))
            expect_time(f"I/O time of thread {tid}", row["time"], sum(mine), len(mine))
            times.append(row["time"])
    expect_time("I/O time", max(times, default=0), events.io_time(WHOLE_RUN), len(events.calls))
    if events.io_time(1000000) < events.io_time(WHOLE_RUN):
        fail("I/O time by seconds is less than that of the whole")


def main():
    trace, events = sys.argv[1], Events(sys.argv[2:])
    summary = recorder("summary", "-q", "--json", "--files-class", "all", trace)
    info = recorder("info", "-q", "--json", trace)
    posix = layer(summary, "posix")
    expect("events", info["stored"], len(events.calls))
    for row in summary["layers"]:
        calls = [call for call in events.calls if call["cat"] == row["layer"].upper()]
        expect(f"calls of {row['layer']}", row["calls"], len(calls))
        expect_time(f"time of {row['layer']}", row["time"], sum(call["dur"] for call in calls),
                    len(calls))
    sizes = collections.Counter()
    for call in events.calls:
        if call["name"] not in MISJUDGED:
            sizes["written" if "write" in call["name"] else "read"] += call["size"]
    # by its name nobody can tell which way aio_return's bytes went: the summary goes by the request
    apart = [row for row in summary["functions"] if row["function"] == "aio_return"]
    for way in ("read", "written"):
        expect(f"bytes {way}", posix[f"bytes_{way}"] - sum(row[f"bytes_{way}"] for row in apart), sizes[way])
    expect("hosts", {stream["host"] for stream in info["streams"]},
           set(events.names[HOSTS].values()))
    expect("processes", {stream["pid"] for stream in info["streams"] if stream["records"]},
           {call["pid"] for call in events.calls})
    expect("files", sorted(row["path"] for row in summary["files"]),
           sorted(events.names[FILES].values()))
    if {call["file"] for call in events.calls} - {0} - events.names[FILES].keys():
        fail("files without a name")
    if {call["host"] for call in events.calls} - events.names[HOSTS].keys():
        fail("hosts without a name")
    compare_threads(trace, events)
    print(f"{len(events.calls)} events, {events.io_time(WHOLE_RUN)} us of I/O, {sizes['read']} bytes read, "
          f"{sizes['written']} written, {len(events.names[FILES])} files")


main()
