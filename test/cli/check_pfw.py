#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Judges a .pfw or .pfw.gz, of either flavour: check_pfw.py FILE [NUMBER OF EVENTS]."""
import collections
import io
import json
import re
import sys

from events import check_count, check_nesting, check_numbers, fail, no_constant, read, unique

HASH = re.compile(r"[0-9a-f]{13}\Z")
TYPES = {"POSIX": 3, "STDIO": 3, "NET": 3, "THREAD": 3, "MPI": 10, "MPIIO": 10, "HDF5": 5, "PYTHON": 6}
KEPT = ("pid", "tid", "id", "ts", "dur")  # of millions of events
LAYERS = {"hdf5", "mpi", "mpiio", "native", "net", "netcdf", "pnetcdf", "posix", "python", "stdio", "thread", "user"}  # a category can be any other word
MARKS = ("i", "C", "b", "e", 2)  # what takes no time
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
    if event["ph"] not in ("X", 1) + MARKS or event["cat"] in LAYERS or (event["ph"] in MARKS and event["dur"]):
        fail(f"event {event}")
    if (event["ph"] in ("b", "e")) != ("id2" in event):
        fail(f"id of {event}")
    for key in ("id", "pid", "tid", "ts", "dur"):
        if type(event[key]) is not int or event[key] < 0:
            fail(f"{key} of {event}")
    args = event.get("args")
    if args is None:
        return
    check_numbers(args, event["name"])
    if event["ph"] in ("C", 2):
        if args.keys() != {"value"}:
            fail(f"counter {event}")
        return
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


def lines_of(data, later):
    """Number and line, of those between the brackets."""
    first, last = (0, len(data)) if later else (2, len(data) - 2)
    text = io.BytesIO(data)
    text.seek(first)
    number = 0 if later else 1
    while text.tell() < last:
        number += 1
        yield number, text.readline()[:-1]


def check():
    data = read(sys.argv[1])
    later = not data.startswith(b"[\n")
    if (data and not data.endswith(b"\n")) or (not later and not data.endswith(b"\n]\n")):
        fail("no brackets around it, or a line without end")
    known, events = {}, []
    for number, line in lines_of(data, later):
        event = parse(line, number)
        check_flavour(event, later)
        if event["ph"] in ("M", 4):
            if event["id"] != 0:
                fail(f"id of {event}")
            check_metadata(event, known)
        else:
            check_event(event, known)
            events.append({key: event[key] for key in KEPT})
    check_ids(events)
    check_nesting(events, 1)
    check_count(events)


if __name__ == "__main__":
    check()
