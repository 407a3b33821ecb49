#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Judges a .pfw or .pfw.gz, of either flavour: check_pfw.py FILE [NUMBER OF EVENTS]."""
import collections
import json
import re

from events import check_count, check_nesting, check_numbers, fail, no_constant, read, unique
import sys

HASH = re.compile(r"[0-9a-f]{13}\Z")
TYPES = {"POSIX": 3, "STDIO": 3, "NET": 3, "THREAD": 3, "MPI": 10, "MPIIO": 10, "HDF5": 5, "PYTHON": 6}
KINDS = {"HH", "FH", "SH", "PR", "CM", "process_name", "thread_name"}


def parse(line, number):
    if not line.isascii():
        fail(f"line {number} is not ASCII")
    if not (line.startswith(b"{") and line.endswith(b"}")):
        fail(f"line {number} is no object alone")
    try:
        return json.loads(line, parse_constant=no_constant, object_pairs_hook=unique)
    except ValueError as error:
        fail(f"line {number}: {error}")


def check_metadata(event, known):
    args = event["args"]
    if event["name"] not in KINDS or event["cat"] != "dftracer":
        fail(f"metadata {event}")
    if not HASH.match(args["hhash"]):
        fail(f"hash {args['hhash']}")
    if event["name"] in ("HH", "FH", "SH"):
        if not HASH.match(args["value"]) or int(args["value"], 16) >= 1 << 53:
            fail(f"hash {args['value']}")
        if known.setdefault((event["name"], args["value"]), args["name"]) != args["name"]:
            fail(f"hash {args['value']} of two names")
        return
    if not isinstance(args["value"], str):
        fail(f"value of {event}")


def check_event(event, known):
    if event["ph"] not in ("X", 1) or event["cat"] != event["cat"].upper():
        fail(f"event {event}")
    for key in ("id", "pid", "tid", "ts", "dur"):
        if type(event[key]) is not int or event[key] < 0:
            fail(f"{key} of {event}")
    args = event.get("args")
    if args is None:
        return
    check_numbers(args, event["name"])
    if ("HH", args["hhash"]) not in known:
        fail(f"host {args['hhash']} before it is defined")
    if "fhash" in args and ("FH", args["fhash"]) not in known:
        fail(f"file {args['fhash']} before it is defined")
    if type(args["level"]) is not int:
        fail(f"level of {event}")


def check_ids(events):
    """The number of a record in its thread, from 1; the images of a process that calls exec each count anew."""
    ids = collections.Counter((event["pid"], event["tid"], event["id"], event["ts"])
                              for event in events)
    for key, count in ids.items():
        if count > 1 or key[2] < 1:
            fail(f"pid, tid, id, ts {key} of {count} events")


def check_flavour(event, later):
    """Of DFTracer 2: numbers for phases, and a type."""
    if (type(event["ph"]) is int) != later or ("type" in event) != later:
        fail(f"flavour of {event}")
    if later and event["type"] != (0 if event["ph"] == 4 else TYPES.get(event["cat"], 9)):
        fail(f"type of {event}")


def check():
    lines = read(sys.argv[1]).split(b"\n")
    later = lines[0] != b"["
    if lines[-1] or (not later and lines[-2] != b"]"):
        fail("no brackets around it, or a line without end")
    known, events = {}, []
    for number, line in enumerate(lines[:-1] if later else lines[1:-2], 1):
        event = parse(line, number + (not later))
        check_flavour(event, later)
        if event["ph"] in ("M", 4):
            if event["id"] != 0:
                fail(f"id of {event}")
            check_metadata(event, known)
        else:
            check_event(event, known)
            events.append(event)
    check_ids(events)
    check_nesting(events, 1)
    check_count(events)


if __name__ == "__main__":
    check()
