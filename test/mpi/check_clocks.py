#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the clocks of a trace of test/mpi/clocks are right: check_clocks.py [--bound] TRUTH DIR.

TRUTH has what the program wrote: for each rank the times of its calls on the one true clock. In the trace each call must lie
within them, to within the bound that the trace states, once one distance is added that is the same for all ranks; and nothing may be
received before it was sent (--bound: by more than the bounds of both). Prints the largest of each, in ns; exit status 1 if something is wrong.
"""
import collections
import json
import os
import subprocess
import sys

Call = collections.namedtuple("Call", "function tstart tend peer tag")


def calls_of(where):
    """The sends and receives of each rank, as recorder2text has them."""
    text = subprocess.run(["recorder2text", "--functions", "MPI_Send,MPI_Recv", where], check=True,
                          stdout=subprocess.PIPE, timeout=60).stdout.decode()
    calls = collections.defaultdict(list)
    for line in text.splitlines():
        rank, _, tstart, tend, _, _, call = line.split(" ", 6)
        function, _, args = call.partition("(")
        args = dict(word.split("=", 1) for word in args.replace("{", "").split(", ") if "=" in word)
        peer = args["dest"] if function == "MPI_Send" else args["source"]
        calls[int(rank)].append(Call(function, nanoseconds(tstart), nanoseconds(tend),
                                     int(peer.split()[0]), int(args["tag"])))
    return calls


def nanoseconds(seconds):
    whole, _, part = seconds.partition(".")
    return int(whole) * 10 ** 9 + int(part)


def truth_of(folder):
    truth = {}
    for rank in os.listdir(folder):
        with open(os.path.join(folder, rank), encoding="ascii") as file:
            truth[int(rank)] = [(line.split()[0], *map(int, line.split()[1:])) for line in file]
    return truth


def distances(calls, truth):
    """Where the distance to the true clock must lie: at most, at least."""
    for call, (function, before, after) in zip(calls, truth, strict=True):
        if call.function != function:
            sys.exit(f"{call.function} where {function} was called")
        yield call.tstart - before, call.tend - after


def wrong_by(calls, truth, errors):
    """By how many ns the worst rank is off rank 0 beyond what its bound allows; the worst deviation."""
    most, least = 10 ** 18, -(10 ** 18)
    for high, low in distances(calls[0], truth[0]):
        most, least = min(most, high), max(least, low)
    off, beyond = 0, least - most - errors[0]
    for rank in sorted(truth):
        for high, low in distances(calls[rank], truth[rank]):
            away = max(least - high, low - most, 0)
            off = max(off, away)
            beyond = max(beyond, away - errors[rank])
    return off, beyond


def latest_before_sent(calls):
    """By how much a message was received before it was sent, at most (negative: after it)."""
    sent = {(rank, call.peer, call.tag): call.tstart for rank, list_ in calls.items()
            for call in list_ if call.function == "MPI_Send"}
    return max(sent.pop((call.peer, rank, call.tag)) - call.tend for rank, list_ in calls.items()
               for call in list_ if call.function == "MPI_Recv")


def main():
    folder, where = sys.argv[-2:]
    info = json.loads(subprocess.run(["recorder", "info", "--json", where], check=True,
                                     stdout=subprocess.PIPE, timeout=60).stdout)
    errors = {stream["rank"]: stream["clock"].get("error", 0) * 1e9 for stream in info["streams"]}
    calls = calls_of(where)
    off, beyond = wrong_by(calls, truth_of(folder), errors)
    early = latest_before_sent(calls)
    allowed = 2 * max(errors.values()) if "--bound" in sys.argv else 0
    print(f"off {off} bound {max(errors.values()):.0f} beyond {beyond:.0f} early {early}"
          f" unverified {info['unverified_clock']}")
    return 1 if beyond > 0 or early > allowed or info["unverified_clock"] else 0


if __name__ == "__main__":
    sys.exit(main())
