#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Compares the flows of Chrome JSON with what the program says of its messages (messages.c): check_messages.py FILE LOG...
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from check_chrome import by_key, check
from events import fail

SENDS = {"MPI_Send", "MPI_Isend", "MPI_Issend", "MPI_Sendrecv", "MPI_Startall"}
COMPLETES = {"MPI_Recv", "MPI_Sendrecv", "MPI_Mrecv", "MPI_Wait", "MPI_Waitall", "MPI_Waitsome"}


def numbered(events, names):
    """By id of the event: the rank, and which of the calls with these names it is."""
    ranks = {event["pid"]: event["args"]["rank"] for event in events
             if event["name"] == "process_name"}
    numbers = {}
    for (pid,), calls in by_key([event for event in events if event["ph"] == "X"], "pid").items():
        mine = [event for event in calls if event["name"] in names and event["args"]["level"] == 0]
        mine.sort(key=lambda event: event["ts"])
        for number, event in enumerate(mine, 1):
            numbers[id(event)] = (ranks[pid], number)
    return numbers


def main():
    events, messages = check()
    sends, completes = numbered(events, SENDS), numbered(events, COMPLETES)
    drawn = sorted((sends[id(send)], completes[id(receive)]) for send, receive in messages)
    said = []
    for path in sys.argv[2:]:
        with open(path, encoding="ascii") as lines:
            for line in lines:
                words = line.split()
                said.append(((int(words[1]), int(words[2])), (int(words[4]), int(words[5]))))
    if drawn != sorted(said):
        fail(f"{len(drawn)} messages are drawn, {len(said)} were received; "
             f"wrong: {sorted(set(drawn) ^ set(said))[:10]}")
    print(f"{len(drawn)} messages")


main()
