#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Judges Chrome JSON: check_chrome.py FILE [NUMBER OF X EVENTS]."""
import json
import re
import sys

from events import check_count, check_nesting, check_numbers, fail, no_constant, read, unique

TIME = re.compile(rb'"(?:ts|dur)":(-?[0-9]+\.[0-9]{3})[,}]')


def check_event(event):
    if event["ph"] not in ("X", "B", "M"):
        fail(f"event {event}")
    for key in ("pid", "tid"):
        if type(event[key]) is not int or not 0 < event[key] < 1 << 31:
            fail(f"{key} of {event}")
    if not isinstance(event["name"], str) or not isinstance(event["cat"], str):
        fail(f"name of {event}")
    check_numbers(event.get("args", {}), event["name"])


def main():
    data = read(sys.argv[1])
    trace = json.loads(data.decode("utf-8"), parse_constant=no_constant, object_pairs_hook=unique)
    events = trace["traceEvents"]
    for event in events:
        check_event(event)
    calls = [event for event in events if event["ph"] == "X"]
    begun = [event for event in events if event["ph"] == "B"]
    if len(TIME.findall(data)) != 2 * len(calls) + len(begun):
        fail("a time without three decimals")
    named = {kind: {(event["pid"], event["tid"] if kind == "thread_name" else 0)
                    for event in events if event["name"] == kind}
             for kind in ("process_name", "thread_name")}
    for event in calls + begun:
        if (event["pid"], 0) not in named["process_name"]:
            fail(f"process {event['pid']} has no name")
        if (event["pid"], event["tid"]) not in named["thread_name"]:
            fail(f"thread {event['tid']} of {event['pid']} has no name")
    check_nesting(calls, 1000)
    if trace["otherData"]["records"] < len(calls) or len(begun) > trace["otherData"]["in_flight"]:
        fail("more events than records")
    check_count(calls)


main()
