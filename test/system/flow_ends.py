#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""flow_ends.py CASE JSON FILE: what the arrows of a program of disk.c lead from and to. Exit 3: a request was not seen."""
import json
import re
import sys

PAGE = 4096


def load(path):
    trace = json.load(open(path))
    calls = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    ends = {"s": {}, "f": {}}
    for event in trace["traceEvents"]:
        if event.get("cat") == "cause":
            assert event["id"] not in ends[event["ph"]], event
            ends[event["ph"]][event["id"]] = event
    assert ends["s"].keys() == ends["f"].keys()
    assert trace["otherData"]["causes"] == len(ends["s"]), trace["otherData"]
    return calls, [(at(calls, ends["s"][i]), at(calls, ends["f"][i])) for i in sorted(ends["s"])]


def at(calls, end):
    """The event that a viewer binds the end to: of those that begin there, the innermost one."""
    found = [c for c in calls if (c["pid"], c["tid"], c["ts"]) == (end["pid"], end["tid"], end["ts"])]
    assert found, end
    return max(found, key=lambda call: call["args"]["level"])


def file_of(event):
    return event["args"].get("file", "")


def is_write(event):
    return re.fullmatch("p?write(64)?", event["name"]) is not None


def is_request(event):
    return event["name"].startswith("block_")


def bytes_of(event):
    """Ranges of the file: those of a request or of a call that writes."""
    args = event["args"]
    if "offsets" in args:
        return list(zip(args["offsets"], args["lengths"]))
    return [(args["offset"] if "offset" in args else args["position"], args["ret"])]


def overlap(one, other):
    return any(a < d + e and d < a + b for a, b in bytes_of(one) for d, e in bytes_of(other))


def writes_of(calls, name):
    return [c for c in calls if c["cat"] == "kernel" and is_write(c) and file_of(c).startswith(name)]


def check_sense(arrows):
    """No arrow leads backwards; what a thread of the kernel has not done was begun in the call that the arrow comes from, by the same thread; bytes are those of the same file."""
    for source, target in arrows:
        assert source["ts"] <= target["ts"], (source, target)
        assert is_request(target) or target["name"] == "writeback_inode", target
        assert not is_request(source), source
        own = source["pid"] == target["pid"] and source["ts"] + source["dur"] >= target["ts"] and not target["args"]["flusher"]
        if is_write(source) and not own:
            assert file_of(source) == file_of(target), (source, target)
            if is_request(target):
                assert overlap(source, target), (source, target)


def missing(writes, arrows, targets):
    return [w for w in writes if not any(s is w and targets(t) for s, t in arrows)]


def need(condition, *what):
    if not condition:
        print(*what)
        sys.exit(3)


def direct(calls, arrows, name):
    """Each call has requests of as many bytes as it has moved, and no other call's."""
    for call in (c for c in calls if c["cat"] == "kernel" and file_of(c) == name and re.match("p(read|write)64", c["name"])):
        kind = "block_read" if "read" in call["name"] else "block_write"
        size = sum(t["args"]["bytes"] for s, t in arrows if s is call and t["name"] == kind)
        need(size == call["args"]["ret"], "a call with", size, "bytes of requests", call)


def buffered(calls, arrows, name):
    """Each write leads to the request that has its bytes, and fsync to those that it begins."""
    writes = writes_of(calls, name)
    assert len(writes) in (7, 64), len(writes)
    overwritten = [w for i, w in enumerate(writes) if any(overlap(w, later) for later in writes[i + 1:])]
    for write in overwritten:
        assert not any(s is write for s, t in arrows), write
    left = missing([w for w in writes if w not in overwritten], arrows, is_request)
    need(not left, len(left), "writes without a request:", left[:1])
    for fsync in (c for c in calls if c["name"] == "fsync" and c["cat"] == "kernel" and file_of(c).startswith(name)):
        mine = [t for s, t in arrows if s is fsync and is_request(t)]
        assert all(t["pid"] == fsync["pid"] and fsync["ts"] <= t["ts"] <= fsync["ts"] + fsync["dur"] for t in mine), mine
    assert any(s["name"] == "fsync" and t["name"] == "block_write" and file_of(t).startswith(name) for s, t in arrows)


def behind(calls, arrows, name):
    """The write leads to what a thread of the kernel has done, and that to its requests."""
    write, = writes_of(calls, name)
    backs = [t for s, t in arrows if s is write and t["name"] == "writeback_inode"]
    need(backs, "no write-back of", write)
    for back in backs:
        assert back["args"]["flusher"] and file_of(back) == name, back
        requests = [t for s, t in arrows if s is back]
        assert requests and all(r["args"]["flusher"] == back["args"]["flusher"] and file_of(r) == name for r in requests), requests


def main():
    case, path, name = sys.argv[1:]
    calls, arrows = load(path)
    assert arrows
    check_sense(arrows)
    {"direct": direct, "shared": buffered, "two": buffered, "apart": buffered, "behind": behind}[case](calls, arrows, name)


main()
