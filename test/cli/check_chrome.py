#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Judges Chrome JSON by the rules that Perfetto has for it: check_chrome.py FILE [NUMBER OF X EVENTS].

Perfetto drops events without a word: those of a thread that overlap without one being inside the other, ends of flows that are in no call or come before
their begin, asynchronous ends without a begin. Here each of them is an error.
"""
import collections
import json
import re
import sys

from events import check_count, check_nesting, check_numbers, fail, no_constant, read, unique

TIME = re.compile(rb'"(?:ts|dur)":(-?[0-9]+\.[0-9]{3})[,}]')


LATEST = 1e13  # microseconds
CALLS, METADATA, MESSAGES, REQUESTS, COUNTERS, INSTANTS = "XB", "M", "sf", "be", "C", "i"


def check_event(event):
    if event["ph"] not in CALLS + METADATA + MESSAGES + REQUESTS + COUNTERS + INSTANTS:
        fail(f"event {event}")
    for key in ("pid", "tid"):
        if type(event[key]) is not int or not 0 < event[key] < 1 << 31:
            fail(f"{key} of {event}")
    if not isinstance(event["name"], str) or not isinstance(event["cat"], str):
        fail(f"name of {event}")
    # since the trace's start: the time of day has more digits than a double keeps of it
    if event["ph"] != METADATA and not 0 <= event["ts"] < LATEST or event.get("dur", 0) < 0:
        fail(f"time of {event}")
    check_numbers(event.get("args", {}), event["name"])


def ns(event, key="ts"):
    return round(event[key] * 1000)


def by_key(events, *keys):
    groups = collections.defaultdict(list)
    for event in events:
        groups[tuple(event[key] for key in keys)].append(event)
    return groups


def bind(calls, ends):
    """The call that Perfetto binds each end of a flow to: of those on its thread that are open at its time the one that began last."""
    bound = {}
    events = sorted(((ns(event), event["ph"] in MESSAGES, number, event)
                     for number, event in enumerate(calls + ends)), key=lambda row: row[:3])
    threads = collections.defaultdict(list)
    for time, is_end, _, event in events:
        stack = threads[event["pid"], event["tid"]]
        while stack and ns(stack[-1]) + ns(stack[-1], "dur") < time:
            stack.pop()
        if not is_end:
            stack.append(event)
        elif not stack:
            fail(f"{event} is in no call")
        else:
            bound[event["ph"], event["id"]] = stack[-1]
    return bound


def check_messages(calls, ends):
    """Each has one begin and one end, not before it, in calls. Returns the calls that each binds to."""
    for number, both in by_key(ends, "id").items():
        if [event["ph"] for event in both] != ["s", "f"] or both[1]["bp"] != "e":
            fail(f"message {number}: {both}")
        if ns(both[1]) < ns(both[0]):
            fail(f"message {number} goes back in time")
    bound = bind(calls, ends)
    return [(bound["s", event["id"]], bound["f", event["id"]])
            for event in ends if event["ph"] == "s"]


def check_requests(calls, phases):
    """They begin and end once, and no two of a thread overlap, which no call is on."""
    threads = {(event["pid"], event["tid"]) for event in calls}
    spans = []
    for number, both in by_key(phases, "cat", "id", "pid", "tid", "name").items():
        if [event["ph"] for event in both] != ["b", "e"] or ns(both[1]) < ns(both[0]):
            fail(f"request {number}: {both}")
        if (both[0]["pid"], both[0]["tid"]) in threads:
            fail(f"request {number} is on a thread with calls")
        spans.append({**both[0], "dur": both[1]["ts"] - both[0]["ts"]})
    if len({(event["cat"], event["id"]) for event in spans}) != len(spans):
        fail("two requests have one id")
    for thread, bars in by_key(spans, "pid", "tid").items():
        bars.sort(key=lambda bar: (bar["ts"], bar["ts"] + bar["dur"]))
        for before, bar in zip(bars, bars[1:]):
            if ns(bar) < ns(before) + ns(before, "dur"):
                fail(f"requests of thread {thread} overlap: {before} {bar}")


def check_counters(counters):
    """Numbers by time, each series with the same names; at last nothing moves."""
    for number, values in by_key(counters, "pid", "name").items():
        times = [ns(event) for event in values]
        if times != sorted(set(times)):
            fail(f"times of counter {number}")
        for event in values:
            if event["args"].keys() != values[0]["args"].keys() or any(
                    type(value) is not int or value < 0 for value in event["args"].values()):
                fail(f"counter {event}")
        if any(values[-1]["args"].values()):
            fail(f"counter {number} does not end at 0")


def check_told(events):
    """What the program says: instants have a scope, counters a number by time, spans an id of their process."""
    for event in events:
        if event["ph"] == "i" and event["s"] not in ("t", "p"):
            fail(f"scope of {event}")
        if event["ph"] == "C" and event["args"].keys() != {"value"}:
            fail(f"counter {event}")


def check():
    """Returns all events, and the calls that each message binds to."""
    data = read(sys.argv[1])
    trace = json.loads(data.decode("utf-8"), parse_constant=no_constant, object_pairs_hook=unique)
    events = trace["traceEvents"]
    for event in events:
        check_event(event)
    calls = [event for event in events if event["ph"] == "X"]
    begun = [event for event in events if event["ph"] == "B"]
    others = [event for event in events if event["ph"] in MESSAGES + REQUESTS + COUNTERS + INSTANTS]
    if len(TIME.findall(data)) != 2 * len(calls) + len(begun) + len(others):
        fail("a time without three decimals")
    named = {kind: {(event["pid"], event["tid"] if kind == "thread_name" else 0)
                    for event in events if event["name"] == kind}
             for kind in ("process_name", "thread_name")}
    for event in calls + begun + [event for event in others if event["ph"] != COUNTERS]:
        if (event["pid"], 0) not in named["process_name"]:
            fail(f"process {event['pid']} has no name")
        if (event["pid"], event["tid"]) not in named["thread_name"]:
            fail(f"thread {event['tid']} of {event['pid']} has no name")
    check_nesting(calls, 1000)
    messages = check_messages(calls, [event for event in others if event["ph"] in MESSAGES])
    if len(messages) != trace["otherData"].get("messages", 0):
        fail("messages are not counted")
    ours = [event for event in others if "id2" not in event and event["ph"] not in INSTANTS and (event["ph"] != "C" or event["cat"] == "bandwidth")]
    check_told([event for event in others if event not in ours] if len(ours) < len(others) else [])
    check_requests(calls + begun, [event for event in ours if event["ph"] in REQUESTS])
    check_counters([event for event in ours if event["ph"] == COUNTERS])
    if trace["otherData"]["records"] < len(calls) or len(begun) > trace["otherData"]["in_flight"]:
        fail("more events than records")
    check_count(calls)
    return events, messages


if __name__ == "__main__":
    check()
