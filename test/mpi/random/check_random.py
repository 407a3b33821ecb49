#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Requires that a trace says of a random MPI program what the program said itself.

    check_random.py SAID-FOLDER < what tell says of the trace

The records of each rank are compared with the lines of said.RANK, one by one and in order: name, result and every argument.
What both name in their own way (communicators, datatypes, windows, files) must stand for the same throughout, the communicators on
all ranks. Prints the seed and the line where they differ.
"""
import collections
import json
import os
import re
import sys

UNDEFINED, CANCELLED = -32766, -2
NULL_TYPE = ["datatype", 0, -1]


class Different(Exception):
    pass


def expect(right, what):
    if not right:
        raise Different(what)


class Names:
    """Two names for the same things: each of one kind stands for one of the other, and the other way round."""

    def __init__(self):
        self.ours, self.theirs = {}, {}

    def bind(self, ours, theirs, what):
        expect(self.ours.setdefault(ours, theirs) == theirs,
               f"{what} {ours} was {self.ours[ours]}, not {theirs}")
        expect(self.theirs.setdefault(theirs, ours) == ours,
               f"{what} {theirs} was {self.theirs[theirs]}, not {ours}")

    def forget(self, ours):
        self.theirs.pop(self.ours.pop(ours, None), None)


class Rank:
    def __init__(self, number, comms):
        self.number = number
        self.comms = comms  # of all ranks
        self.members = {}   # of each communicator, as the program knows them here
        # of requests that are outstanding: the handle; and the trace's number, if that is another
        self.handles, self.swapped, self.persistent = {}, {}, set()
        self.types, self.wins, self.files = Names(), Names(), Names()
        self.checks = {"c": self.comm, "t": self.type, "w": self.win, "f": self.file,
                       "r": self.request, "R": self.requests, "a": self.array, "s": self.status,
                       "T": self.types_of}

    # ---- what a word says, against what the trace has ----

    def comm(self, said, got):
        if said == "null":
            expect(got == ["comm", ""], f"{got}, not the null communicator")
            return
        expect(got and got[0] == "comm" and got[1], f"{got} is not a known communicator")
        self.comms.bind(said, got[1], "communicator")
        expect(got[2:] == self.members[said], f"members {got[2:]}, not {self.members[said]}")

    def type(self, said, got):
        label, size = said.split(":")
        expect(got[0] == "datatype" and got[2] == int(size), f"{got}, not {size} bytes")
        if label == "null":
            expect(got == NULL_TYPE, f"{got}, not the null datatype")
        elif label != "?":
            self.types.bind(label, got[1], "datatype")

    def types_of(self, said, got):
        count, label = said.split(":", 1)
        expect(got[0] == "datatypes" and len(got) == int(count) + 1, f"{got}, not {count} types")
        for one in got[1:]:
            self.type(label[2:], one)

    def win(self, said, got):
        label, comm, unit = said.split(":")
        expect(got[0] == "win" and got[2] == int(unit), f"{got}, not unit {unit}")
        self.wins.bind(label, got[1], "window")
        self.comm(comm, got[3])

    def file(self, said, got):
        label, comm, path = said.split(":")
        expect(got[0] == "file" and os.path.basename(got[2]) == path, f"{got}, not file {path}")
        self.files.bind(label, got[1], "file")
        self.comm(comm, got[3])

    def same_request(self, said, got):
        """Of several requests with the same handle nobody knows which is meant: they may change places."""
        known = self.swapped.get(said, said)
        if known != got and said in self.handles:
            other = next((ours for ours, theirs in self.swapped.items() if theirs == got), got)
            if self.handles.get(other) == self.handles[said]:
                self.swapped[said], self.swapped[other] = got, known
                known = got
        return known == got

    def request(self, said, got):
        expect(self.same_request(int(said), got), f"request {got}, not {said}")

    def requests(self, said, got):
        if said == "-":
            expect(got is None, f"{got}, but nothing was told")
            return
        wanted = [int(word) for word in said.split(",") if word]
        expect(got and got[0] == "requests" and len(got) == len(wanted) + 1 and
               all(self.same_request(*pair) for pair in zip(wanted, got[1:])),
               f"{got}, not {wanted}")

    def array(self, said, got):
        if said == "-":
            expect(got is None, f"{got}, but nothing was told")
            return
        wanted = [int(word) for word in said.split(",") if word]
        expect(got and got[1:] == wanted, f"{got}, not {wanted}")

    def status(self, said, got):
        if said == "-":
            expect(got is None, f"{got}, but nothing was told")
            return
        wanted = [self.one_status(word) for word in said.split(";") if word]
        expect(got and got[0] == "status" and got[1:] == wanted, f"{got}, not {wanted}")

    @staticmethod
    def one_status(said):
        source, tag, count = said.removesuffix("w").split(",")
        source, world = (source.split("@") if "@" in source else (source, "-1"))
        words = [UNDEFINED if word == "_" else CANCELLED if word == "x" else int(word)
                 for word in (source, tag, count)]
        return [words[0], int(world), words[1], words[2], 0]

    def value(self, said, got):
        if said == "?":
            return
        kind, colon, rest = said.partition(":")
        if colon:
            self.checks[kind](rest, got)
        elif "@" in said:
            rank, world = (int(word) for word in said.split("@"))
            expect(got == ["rank", rank, world], f"{got}, not rank {rank}, {world} in the world")
        else:
            expect(got == int(said), f"{got}, not {said}")

    # ---- a line ----

    def line(self, said, record):
        name, result, *words = said.split()
        expect(record["call"] == name, f"{record['call']}")
        expect(record["level"] == 0, f"level {record['level']}")
        expect(record["result"] == int(result), f"result {record['result']}")
        told = dict(word.split("=", 1) for word in words)
        for way in ("sent", "received"):
            if way in told:
                expect(record.get(way) == int(told.pop(way)), f"{way} {record.get(way)}")
        expect(set(told) == set(record["args"]), f"arguments {sorted(record['args'])}")
        for key, word in told.items():
            try:
                self.value(word, record["args"][key])
            except Different as different:
                raise Different(f"{key}: {different}") from None
        self.follow(name, told)
        if name == "MPI_Type_free":
            self.types.forget(told["type"].split(":")[1] if told["type"] != "?" else "?")
        if name == "MPI_Win_free":
            self.wins.forget(told["win"].split(":")[1])

    def follow(self, name, told):
        """Requests that are complete are not confused with others any more."""
        words = told.get("request", told.get("array_of_requests", "R:-"))[2:]
        numbers = [int(word) for word in words.split(",") if word not in ("", "-")]
        if name.endswith("_init"):
            self.persistent.update(numbers)
        if re.match("MPI_(Wait|Test)", name) and told.get("flag") != "0":
            for number in numbers:
                if number not in self.persistent:
                    self.handles.pop(number, None)

    def meta(self, said):
        _, label, *groups = said.split(" ")
        groups = [[int(word) for word in group.split(",") if word] for group in groups]
        self.members[label] = groups + [[]] * (2 - len(groups))


def compare(rank, lines, records):
    seed, at = "?", 0
    for number, said in enumerate(lines, 1):
        if said.startswith("#seed"):
            seed = said.split()[1]
        elif said.startswith("#comm"):
            rank.meta(said)
        elif said.startswith("#handle"):
            _, request, handle = said.split()
            rank.handles[int(request)] = handle
        else:
            try:
                expect(at < len(records), "the trace has no more records")
                rank.line(said, records[at])
            except Different as different:
                got = records[at] if at < len(records) else None
                return f"seed {seed}, rank {rank.number}, line {number}\n{said}\n{different}\n{got}"
            at += 1
    # MPI_Finalize, which is the last, may make calls of its own
    for record in records[at:]:
        if record["level"] == 0:
            return f"seed {seed}, rank {rank.number}: a record that nobody made\n{record}"
    return None


def main():
    records = collections.defaultdict(list)
    for text in sys.stdin:
        record = json.loads(text)
        records[record["rank"]] += [record] * record["repeat"]
    comms, checked, failed = Names(), 0, False
    said = sorted(name for name in os.listdir(sys.argv[1]) if re.fullmatch(r"said\.\d+", name))
    for name in said:
        number = int(name.split(".")[1])
        with open(os.path.join(sys.argv[1], name), encoding="ascii") as file:
            wrong = compare(Rank(number, comms), file.read().splitlines(), records[number])
        checked += len(records[number])
        if wrong:
            print(wrong)
            failed = True
    if not said or not checked:
        print("nothing was said")
        failed = True
    print(f"{checked} records of {len(said)} ranks")
    return failed


if __name__ == "__main__":
    sys.exit(main())
