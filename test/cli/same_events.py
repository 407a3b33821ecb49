#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The .pfw keeps lines and changes the numbers in them, the Chrome form writes each anew: same_events.py PFW JSON.

Both have the same calls, with the same numbers, files and names.
"""
import json
import re
import sys

from pairing import in_order_of

NUMBER = re.compile("0|-?[1-9][0-9]*")


def pfw_events(path):
    """The calls; their files by name."""
    names = {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            if not line.startswith("{"):
                continue
            event = json.loads(line)
            args = event["args"]
            if event["name"] == "FH":
                names[args["value"]] = args["name"]
            if event["ph"] == "X":
                if "fhash" in args:
                    args["file"] = names[args.pop("fhash")]
                yield event


def chrome_events(path):
    with open(path, encoding="utf-8") as file:
        return [event for event in json.load(file)["traceEvents"] if event["ph"] == "X"]


def main(pfw, chrome):
    numbers = 0
    by_time = chrome_events(chrome)
    for here, there in zip(in_order_of(by_time, pfw_events(pfw)), by_time):
        name, args, other = here["name"], here["args"], there["args"]
        if name != there["name"]:
            sys.exit(f"{name} here, {there['name']} there")
        for key in args.keys() & other.keys():
            # the Chrome form says flags and the like by name or octal, and instants from the begin of the trace on
            named = isinstance(args[key], (str, list)) and not key.endswith("_ts")
            if key == "file" or named or NUMBER.fullmatch(str(other[key])):
                numbers += 1
                if args[key] != other[key]:
                    sys.exit(f"{name}: {key} is {args[key]} here, {other[key]} there")
    if numbers < 10000:
        sys.exit(f"only {numbers} numbers")


main(*sys.argv[1:])
