# SPDX-License-Identifier: MIT
"""Events of .pfw, which come thread by thread, in the order in which another form has the same calls: by time."""
import collections


def of_threads(events):
    """{(pid, tid): [(place, event)]}"""
    threads = collections.defaultdict(list)
    for place, event in enumerate(events):
        threads[event["pid"], event["tid"]].append((place, event))
    return threads


def end_of(event):
    """Calls end in the order of their numbers; of those that end at once the inner ones first."""
    return round((event["ts"] + event["dur"]) * 1000), -event["args"]["level"]


def in_order_of(chrome, pfw):
    """The X events of .pfw, in the order of those of Chrome JSON."""
    ours, theirs = of_threads(pfw), of_threads(chrome)
    found = [None] * len(chrome)
    for thread, events in theirs.items():
        # numbers begin anew in each image of a process
        here = sorted((event for _, event in ours.pop(thread, [])),
                      key=lambda event: (event["ts"] + event["dur"], event["id"]))
        there = sorted(events, key=lambda entry: end_of(entry[1]))
        if len(here) != len(there):
            raise SystemExit(f"{len(here)} events of thread {thread}, not {len(there)}")
        for event, (place, _) in zip(here, there):
            found[place] = event
    if ours:
        raise SystemExit(f"threads {list(ours)} are not there")
    return found
