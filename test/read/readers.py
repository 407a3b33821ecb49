# SPDX-License-Identifier: MIT
"""Runs both readers on a trace and compares what they say."""
import json
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "format"))

import second_reader  # noqa: E402

DUMP = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "test", "read", "dump")


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def dump(what, where):
    status, out, err = run(DUMP, what, where)
    if status not in (0, 1) or "Sanitizer" in err or "runtime error" in err:
        sys.exit(f"dump {what} {where}: ended with {status}:\n{err}")
    return status, out, err


def value(other):
    """A value of decode.py as dump writes it."""
    if isinstance(other, float):
        return {"bits": struct.unpack("<Q", struct.pack("<d", other))[0]}
    if isinstance(other, dict) and "text" in other:
        return {"hex": other["text"].encode(errors="surrogateescape").hex(),
                "original": other["original"]}
    if isinstance(other, dict) and "state" in other:
        return {"?": "unreadable"}.get(other["state"], other["state"])
    return other


def second(where):
    """What decode.py gives, as dump writes it."""
    out = second_reader.ask("--records", "--in-flight", where)[1]
    for line in out.splitlines():
        record = json.loads(line)
        record["args"] = [value(v) for v in record["args"].values()]
        record["result"] = value(record["result"])
        record["flags"] &= 7  # those that libreader knows
        for key in ("tid", "mono"):
            del record[key]
        yield record


def comparable(record):
    """Calls in flight have no number, no end and no result of their own."""
    if record["in_flight"]:
        for key in ("sequence", "tend", "result", "errno", "flags", "repeat", "busy"):
            record.pop(key)
    return record


def place(record):
    return record["stream"], record["thread"], record["in_flight"], record.get("sequence", 0)


def difference(where, ordered=True):
    """What differs between the readers, None if nothing; `ordered`: also in the order."""
    ours = [comparable(json.loads(line)) for line in dump("records", where)[1].splitlines()]
    theirs = [comparable(record) for record in second(where)]
    if not ordered:
        ours.sort(key=place)
        theirs.sort(key=place)
    for number, (mine, other) in enumerate(zip(ours, theirs)):
        if other["site"][0] == 0:  # an address: libreader looks its module up
            other["site"] = mine["site"]
        if mine != other:
            return f"record {number}:\n  libreader {mine}\n  decode.py {other}"
    if len(ours) != len(theirs):
        return f"{len(ours)} records of libreader, {len(theirs)} of decode.py"
    key = json.dumps
    ends = [comparable(json.loads(line)) for line in dump("ends", where)[1].splitlines()]
    if sorted(map(key, ends)) != sorted(map(key, ours)):
        return "the records by end are not those by time"
    return files_difference(where) if ordered else None


def files_difference(where):
    ours = [json.loads(line) for line in dump("files", where)[1].splitlines()]
    theirs = [json.loads(line) for line in second_reader.ask("--files", where)[1].splitlines()]
    if ours != theirs or not ours:
        return f"files of libreader:\n  {ours}\nof decode.py:\n  {theirs}"
    return None
