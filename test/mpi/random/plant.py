#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants a fault in what tell says of a trace; check_random.py must find it.

    plant.py FAULT < TOLD > TOLD-WITH-FAULT

source      a message from MPI_ANY_SOURCE came from another process of the world
completion  a request that was waited for stays as it was
bytes       a collective with counts of each member received a byte more
"""
import json
import sys


def status_of(record):
    value = record["args"].get("status")
    return value if isinstance(value, list) and value[0] == "status" else None


def wrong_source(record):
    source, status = record["args"].get("source"), status_of(record)
    if record["call"] != "MPI_Recv" or source != ["rank", source[1], -1] or status[1][1] < 0:
        return False
    status[1][1] ^= 1
    return True


def lost_completion(record):
    if record["call"] != "MPI_Wait" or not record["args"]["request"]:
        return False
    record["args"]["request"] = 0
    return True


def wrong_bytes(record):
    if record["call"] not in ("MPI_Alltoallv", "MPI_Allgatherv", "MPI_Ialltoallv", "MPI_Iallgatherv"):
        return False
    record["received"] += 1
    return True


FAULTS = {"source": wrong_source, "completion": lost_completion, "bytes": wrong_bytes}


def main():
    plant = FAULTS[sys.argv[1]]
    records = [json.loads(line) for line in sys.stdin]
    # one fault alone, somewhere in the middle
    if not any(plant(record) for record in records[len(records) // 4:]):
        return f"plant.py: nothing to plant '{sys.argv[1]}' in"
    for record in records:
        print(json.dumps(record))
    return 0


if __name__ == "__main__":
    sys.exit(main())
