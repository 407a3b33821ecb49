#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""
Reads .pfw files with dask, line by line as DFAnalyzer does, by several processes: dask_pfw.py FILE...; prints events, bytes and files of POSIX calls.
"""
import json
import sys

import dask.bag


def load(line):
    """DFAnalyzer's rule for a line."""
    line = line.strip()
    if not line or line[0] in "[]":
        return {}
    event = json.loads(line, strict=False)
    if "name" not in event or event["ph"] in ("M", 4):
        return {}
    args = event.get("args", {})
    size = 0
    if event["cat"] == "POSIX" and "ret" in args:
        name, ret = event["name"], int(args["ret"])
        if ret > 0 and ("write" in name or ("read" in name and "readdir" not in name)):
            size = ret
    return {"name": event["name"], "size": size, "te": int(event["ts"]) + int(event["dur"]),
            "file": int(args.get("fhash", "0"), 16)}


def main():
    # plain files are cut into blocks, at any byte
    blocks = None if sys.argv[1].endswith(".gz") else 1 << 16
    lines = dask.bag.read_text(sys.argv[1:], blocksize=blocks)
    events = lines.map(load).filter(bool).compute(scheduler="processes", num_workers=3)
    files = {event["file"] for event in events} - {0}
    print(len(events), sum(event["size"] for event in events), len(files))


if __name__ == "__main__":  # workers read this file, too
    main()
