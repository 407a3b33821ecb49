#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Requires that the outputs say of each call of MPI what libreader knows of it.

    check_shown.py TOLD TEXT PFW CHROME

TOLD is what tell says of the trace, TEXT what recorder2text --show mpi prints of it, PFW and CHROME are the forms of recorder2pfw.
World ranks, bytes, communicators of windows and files, completed requests: call by call, all of them and no others.
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cli"))
from pairing import in_order_of  # pylint: disable=wrong-import-position

PLACES = ("win", "file")


def sources(record):
    """World ranks in the statuses of a call; None: it has none."""
    for name, value in record["args"].items():
        if isinstance(value, list) and value[:1] == ["status"]:
            return name, [None if status[1] < 0 else status[1] for status in value[1:]]
    return None, []


class Wanted:
    """What the outputs have to show of each call, one after the other."""

    def __init__(self):
        self.makers = {}

    def completed(self, record):
        name, args = record["call"], record["args"]
        if name in ("MPI_Mrecv", "MPI_Imrecv"):
            return [self.makers[key] for key in [(record["rank"], "message", args["message"])]
                    if key in self.makers]
        if not re.match("MPI_(Wait|Test|Request_free)", name) or args.get("flag", 1) == 0:
            return []
        numbers = args.get("array_of_requests") or ["", args.get("request", 0)]
        return [self.makers[record["rank"], number] for number in dict.fromkeys(numbers[1:])
                if (record["rank"], number) in self.makers]

    def remember(self, record):
        name, number = record["call"], record["args"].get("request")
        if isinstance(number, int) and number > 0 and re.match("MPI_(I|File_i|Comm_i|R(put|get|acc))|.*_init", name):
            self.makers[record["rank"], number] = name
        if name in ("MPI_Mprobe", "MPI_Improbe") and (args := record["args"])["message"]:
            self.makers[record["rank"], "message", args["message"]] = name

    def of(self, record):
        shown, args = {}, record["args"]
        status, worlds = sources(record)
        for name, value in args.items():
            if isinstance(value, list) and value[:1] == ["rank"]:
                world = value[2]
                if world < 0 and name == "source" and worlds and worlds[0] is not None:
                    world = worlds[0]
                if world >= 0:
                    shown[f"{name}_world"] = world
        if "source" not in args and any(world is not None for world in worlds):
            shown[f"{status}_world"] = worlds if status.startswith("array") else worlds[0]
        for way in ("sent", "received"):
            if record.get(way, -1) >= 0:
                shown[way] = record[way]
        kinds = {value[0] for value in args.values() if isinstance(value, list) and value}
        if kinds & set(PLACES) and "comm" not in kinds:
            shown["comm"] = True
        done = self.completed(record)
        self.remember(record)
        if done:
            shown["frees" if record["call"] == "MPI_Request_free" else "completes"] = done
        return shown


def of_event(event):
    """What an event of either JSON form shows."""
    args = event["args"]
    shown = {key: value for key, value in args.items()
             if key.endswith("_world") or key in ("sent", "received", "completes", "frees")}
    if "comm" in args and ("win" in args or "fh" in args) and event["name"] not in MAKERS:
        shown["comm"] = args["comm"] != ""
    for verb in ("completes", "frees"):
        if len(args.get(verb, [])) != len(args.get(f"{verb}_ts", [])):
            shown["ts"] = "wrong"
    return shown


# they have both, a communicator and what they make on it
MAKERS = {"MPI_File_open", "MPI_Win_create", "MPI_Win_allocate", "MPI_Win_allocate_shared",
          "MPI_Win_create_dynamic"}


def of_line(line):
    shown = {}
    braces = re.search(r"\) = \w+(?: repeat=\d+ busy=\S+)? \{(.*)\}$", line)
    for key, value in re.findall(r'(\w+)=(\[[^]]*\]|"[^"]*"|[^,]*)(?:, |$)', braces.group(1) if braces else ""):
        if key in ("completes", "frees"):
            shown[key] = [word.split()[1] for word in value[1:-1].split(", ")]
        elif key == "comm":
            shown[key] = value != '""'
        elif value.startswith("["):
            shown[key] = [None if word == "?" else int(word) for word in value[1:-1].split(", ")]
        else:
            shown[key] = int(value)
    return shown


def events(path):
    with open(path, encoding="ascii") as file:
        for line in file:
            line = line.strip().rstrip(",")
            if line.startswith('{"') and '"ph":"X"' in line:
                yield json.loads(line)


def main():
    told, text, pfw, chrome, walked = sys.argv[1:]
    with open(told, encoding="ascii") as file:
        records = [json.loads(line) for line in file]
    with open(text, encoding="ascii") as file:
        lines = [of_line(line) for line in file]
    by_time = list(events(walked))
    if sorted(map(repr, events(chrome))) != sorted(map(repr, by_time)):
        sys.exit("events of one thread after the other are not those by time")
    forms = {"text": lines, "chrome": [of_event(event) for event in by_time],
             "pfw": [of_event(event) for event in in_order_of(by_time, events(pfw))]}
    for name, shown in forms.items():
        if len(shown) != len(records):
            sys.exit(f"{name}: {len(shown)} calls, not {len(records)}")
    wanted, seen = Wanted(), dict.fromkeys(("source_world", "sent", "comm", "completes"), 0)
    for at, record in enumerate(records):
        want = wanted.of(record)
        for name, shown in forms.items():
            if shown[at] != want:
                sys.exit(f"{name}: {record}\nis shown as {shown[at]}\nnot {want}")
        for key in seen:
            seen[key] += key in want
    print(f"shown: {seen}")
    return 0 if all(seen.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
