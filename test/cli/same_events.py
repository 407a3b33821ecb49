#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The .pfw keeps lines and changes the numbers in them, the Chrome form writes each anew: same_events.py PFW JSON.

Both have the same calls in the same order, with the same numbers and files.
"""
import itertools
import json
import re
import sys

NUMBER = re.compile("0|-?[1-9][0-9]*")


def pfw_calls(path):
    """(name, args) of each call; its file by name."""
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
                yield event["name"], args


def chrome_calls(path):
    with open(path, encoding="utf-8") as file:
        for event in json.load(file)["traceEvents"]:
            if event["ph"] == "X":
                yield event["name"], event["args"]


def main(pfw, chrome):
    numbers = 0
    for (name, args), (other_name, other) in itertools.zip_longest(
            pfw_calls(pfw), chrome_calls(chrome), fillvalue=(None, {})):
        if name != other_name:
            sys.exit(f"{name} here, {other_name} there")
        for key in args.keys() & other.keys():
            # the Chrome form says flags and the like by name or octal
            if key == "file" or NUMBER.fullmatch(str(other[key])):
                numbers += 1
                if args[key] != other[key]:
                    sys.exit(f"{name}: {key} is {args[key]} here, {other[key]} there")
    if numbers < 10000:
        sys.exit(f"only {numbers} numbers")


main(*sys.argv[1:])
