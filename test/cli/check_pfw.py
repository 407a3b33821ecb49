#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Judges a .pfw or .pfw.gz: check_pfw.py FILE [NUMBER OF EVENTS]."""
import collections
import json
import re

from events import check_count, check_nesting, check_numbers, fail, no_constant, read, unique
import sys

HASH = re.compile(r"[0-9a-f]{13}\Z")
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
    if event["ph"] != "X" or event["cat"] != event["cat"].upper():
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


def main():
    lines = read(sys.argv[1]).split(b"\n")
    if lines[0] != b"[" or lines[-2:] != [b"]", b""]:
        fail("no brackets around it")
    known, events = {}, []
    for number, line in enumerate(lines[1:-2], 1):
        event = parse(line, number + 1)
        if event["ph"] == "M":
            if event["id"] != 0:
                fail(f"id of {event}")
            check_metadata(event, known)
        else:
            check_event(event, known)
            events.append(event)
    check_ids(events)
    check_nesting(events, 1)
    check_count(events)


main()
