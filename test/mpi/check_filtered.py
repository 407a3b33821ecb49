#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
A filter takes calls away and with them the messages and requests that they are ends of, but changes no other: check_filtered.py ALL.json FILTERED.json
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from check_chrome import check
from events import fail


def name(call):
    return call["pid"], call["tid"], call["ts"], call["dur"], call["name"]


def read(path):
    """Calls, messages and begun requests, by what does not change."""
    sys.argv[1:2] = [path]
    events, messages = check()
    calls = {name(event) for event in events if event["ph"] == "X"}
    pairs = sorted((name(send), name(receive)) for send, receive in messages)
    begun = sorted((event["pid"], event["ts"], event["name"], event["id"])
                   for event in events if event["ph"] == "b")
    return calls, pairs, begun


def main():
    paths = sys.argv[1:3]
    sys.argv[1:] = ["", "rules alone", ""]
    calls, pairs, begun = read(paths[0])
    kept, kept_pairs, kept_begun = read(paths[1])
    if not kept <= calls:
        fail("calls are not those of the whole")
    if kept_pairs != [pair for pair in pairs if pair[0] in kept and pair[1] in kept]:
        fail("messages are not those between the calls that were kept")
    starts = {(call[0], call[2]) for call in kept}
    if kept_begun != [request for request in begun if request[:2] in starts]:
        fail("requests are not those of the calls that were kept")
    print(f"{len(kept_pairs)} messages, {len(kept_begun)} requests")


main()
